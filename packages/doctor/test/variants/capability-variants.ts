import type { Era } from "@entente/protocol"
import { legacyServer, modernServer, notification, tool, withRules } from "@entente/testkit"
import type { Rule, Script } from "@entente/testkit"
import type { Variant } from "./variant.js"

const tools = [tool("echo"), tool("add")]

const server = (era: Era, options: Parameters<typeof legacyServer>[0]): Script =>
  era === "modern" ? modernServer(options) : legacyServer(options)

const complete = (era: Era, result: object): object =>
  era === "modern" ? { resultType: "complete", ttlMs: 0, cacheScope: "private", ...result } : result

const lists = (era: Era, nth: number, listed: ReadonlyArray<object>): Rule => ({
  when: { kind: "request", method: "tools/list", nth },
  reply: [{ result: complete(era, { tools: listed }) as Record<string, unknown> }], // made of objects just above
})

const eras = ["legacy", "modern"] as const
const ways = ["stdio", "http"] as const

const inAllWays = (make: (era: Era, over: "stdio" | "http") => Omit<Variant, "era" | "over">) =>
  eras.flatMap((era) => ways.map((over) => ({ ...make(era, over), era, over })))

/** Family 1. */
export const capabilityVariants: ReadonlyArray<Variant> = [
  ...inAllWays((era) => ({
    name: "served-but-not-advertised",
    family: 1,
    expects: "tools-capability-missing",
    verdict: "failed",
    script: () => server(era, { tools, capabilities: {} }),
  })),
  ...inAllWays((era) => ({
    name: "declared-late",
    family: 1,
    expects: "tools-declared-late",
    verdict: "failed",
    script: () => {
      const late = server(era, { tools })
      const early = server(era, { capabilities: { logging: {} }, tools })
      const method = era === "modern" ? "server/discover" : "initialize"
      const first = early.rules.find(({ when }) => when.method === method && !when.headers)
      return first === undefined
        ? late
        : withRules(late, { ...first, when: { ...first.when, nth: 1 } })
    },
  })),
  {
    name: "declared-late-and-announced",
    family: 1,
    era: "legacy",
    over: "stdio",
    expects: "tools-declared-late",
    verdict: "failed",
    script: () =>
      withRules(legacyServer({ capabilities: {} }), {
        when: { kind: "notification", method: "notifications/initialized" },
        reply: [{ message: notification("notifications/tools/list_changed") }],
      }),
  },
  ...inAllWays((era) => ({
    name: "lazy-registration",
    family: 1,
    expects: "tools-registered-late",
    verdict: "failed",
    script: () => withRules(server(era, { tools }), lists(era, 1, []), lists(era, 2, [])),
    options: { waitMs: 20 },
  })),
  ...inAllWays((era) => ({
    name: "empty-and-may-change",
    family: 1,
    expects: "tools-may-come-later",
    verdict: "degraded",
    script: () => server(era, { tools: [], capabilities: { tools: { listChanged: true } } }),
    options: { waitMs: 20 },
  })),
  ...inAllWays((era) => ({
    name: "empty",
    family: 1,
    expects: "no-tools-offered",
    verdict: "degraded",
    script: () => server(era, { tools: [] }),
    options: { waitMs: 20 },
  })),
  ...inAllWays((era) => ({
    name: "declares-nothing",
    family: 1,
    expects: "tools-not-declared",
    verdict: "degraded",
    script: () => server(era, { capabilities: {} }),
  })),
]
