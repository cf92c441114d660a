import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { connect, type ConnectOptions } from "@entente/client"
import { stdio } from "@entente/transport/stdio"
import type { ServerTool } from "@entente/catalog"
import { broken, projected, targets, toolWith } from "../projection/targets.js"
import { Dice, Sampler } from "../projection/sample-value.js"
import { meaningOfOpenApi, validator } from "../projection/validity.js"
import { installed } from "@entente/published-servers"

interface Row {
  readonly server: string
  readonly args?: ReadonlyArray<string>
  readonly options?: ConnectOptions
}

const rows: ReadonlyArray<Row> = [
  { server: "@modelcontextprotocol/server-everything", args: ["stdio"] },
  { server: "@modelcontextprotocol/server-memory" },
  { server: "@modelcontextprotocol/server-sequential-thinking" },
  { server: "@modelcontextprotocol/server-filesystem" },
  { server: "@negokaz/excel-mcp-server" },
  { server: "@upstash/context7-mcp" },
  { server: "mcp-server-code-runner" },
  { server: "effect-mcp", options: { probeMs: 100 } },
]

const tools: Array<ServerTool> = []
let folder = ""

const toolsOf = async ({ server, args = [], options }: Row): Promise<ReadonlyArray<ServerTool>> => {
  const more = server.endsWith("filesystem") ? [folder] : args
  await using client = await connect(stdio(installed(server, ...more)), {
    probeMs: 30_000,
    ...options,
  })
  const { items } = await client.tools.list()
  return items.map((tool) => ({ server: server.replace(/^.*\//, ""), tool }))
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "entente-"))
  for (const row of rows) tools.push(...(await toolsOf(row)))
})
afterAll(() => rm(folder, { recursive: true }))

describe.each(targets)("published servers for %s", (target) => {
  it("all their tools go out, and keep to the rules", () => {
    expect(tools.length).toBeGreaterThan(40)
    const outcome = projected(tools, target)
    expect(outcome.sent).toHaveLength(tools.length)
    expect(broken(outcome, target)).toEqual([])
    expect(outcome.projection.report.filter(({ kind }) => kind === "rejected")).toEqual([])
    expect(projected(structuredClone(tools), target).projection.report).toEqual(
      outcome.projection.report,
    )
    // Each by itself as well: strict mode has limits for a request.
    for (const tool of tools) expect(broken(projected([tool], target), target)).toEqual([])
  })
})

// Strict mode has its own words for what is left out.
const lenient = targets.filter((target) => !target.endsWith("strict"))

describe.each(lenient)("published servers for %s", (target) => {
  it("what their servers take can be said, unless the report says that it narrows", () => {
    let taken = 0
    for (const tool of tools) {
      const { projection, sent } = projected([tool], target)
      const [one] = sent
      if (one === undefined || projection.report.some(({ narrows }) => narrows)) continue
      const { inputSchema } = tool.tool
      const isTaken = validator(inputSchema)
      const meant = target === "gemini parameters" ? meaningOfOpenApi(one.schema ?? {}) : one.schema
      const canBeSaid = validator(meant ?? {})
      const sampler = new Sampler(inputSchema, new Dice(1))
      const values = Array.from({ length: 100 }, () => sampler.object(inputSchema))
      const given = values.filter((value) => isTaken?.(value) === true)
      taken += given.length
      expect(given.filter((value) => canBeSaid?.(value) !== true)).toEqual([])
    }
    expect(taken).toBeGreaterThan(500)
  })
})

it("their schemas are no other than the ones that were sent", () => {
  const before = JSON.stringify(tools)
  for (const target of targets) projected([...tools, toolWith({ type: "object" })], target)
  expect(JSON.stringify(tools)).toBe(before)
})
