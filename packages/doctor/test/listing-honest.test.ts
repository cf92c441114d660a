import type { JsonObject } from "@entente/protocol"
import { legacyServer, modernServer, pages, tool, withRules, type Script } from "@entente/testkit"
import { describe, expect, it } from "vitest"
import { examineVariant } from "./variants/examine-variant.js"

const eras = ["legacy", "modern"] as const
const ways = ["stdio", "http"] as const

const tools = [tool("echo"), tool("add")]

type Era = (typeof eras)[number]

const server = (era: Era, answers: "json" | "sse"): Script =>
  era === "modern" ? modernServer({ tools, answers }) : legacyServer({ tools, answers })

const page = (era: Era, name: string, nextCursor?: string): JsonObject => ({
  ...(era === "modern" && { resultType: "complete", ttlMs: 0, cacheScope: "private" }),
  tools: [tool(name)],
  ...(nextCursor !== undefined && { nextCursor }),
})

const honest: Readonly<Record<string, (era: Era) => Script>> = {
  "answers with JSON": (era) => server(era, "json"),
  "answers with event streams": (era) => server(era, "sse"),
  "has three pages": (era) =>
    withRules(
      server(era, "json"),
      ...pages("tools/list", [page(era, "a", "p2"), page(era, "b", "p3"), page(era, "c")]),
    ),
}

const cases = eras.flatMap((era) =>
  ways.flatMap((over) => Object.entries(honest).map(([how, make]) => ({ era, over, how, make }))),
)

describe.each(cases)("an honest server, $era over $over, that $how", ({ era, over, make }) => {
  it("is healthy, and nothing has to be explained", async () => {
    const variant = { name: "honest", family: 2, expects: "", verdict: "failed" } as const
    const { diagnosis } = await examineVariant({ ...variant, era, over, script: () => make(era) })
    expect(diagnosis).toMatchObject({ verdict: "healthy", era, hypotheses: [] })
  })
})
