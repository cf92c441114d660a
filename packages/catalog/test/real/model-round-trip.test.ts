import { afterAll, beforeAll, expect, it } from "vitest"
import {
  assignNames,
  formats,
  nameMap,
  nameRules,
  projectResult,
  readArguments,
  type NameMap,
} from "@entente/catalog"
import { compileSchema, connect, memoryVerdicts, type PromiseClient } from "@entente/client"
import type { CallToolResult } from "@entente/protocol"
import { stdio } from "@entente/transport/stdio"
import { installed } from "@entente/published-servers"
import { shapes } from "../result/provider-shapes.js"

const published = {
  everything: installed("@modelcontextprotocol/server-everything", "stdio"),
  thinking: installed("@modelcontextprotocol/server-sequential-thinking"),
}

const clients: Record<string, PromiseClient> = {}
let map: NameMap = nameMap([])

beforeAll(async () => {
  const tools = []
  for (const [server, command] of Object.entries(published)) {
    const client = await connect(stdio(command), { verdicts: memoryVerdicts() })
    clients[server] = client
    const { items } = await client.tools.list()
    tools.push(...items.map((tool) => ({ server, tool })))
  }
  const { names } = assignNames(tools, nameRules.anthropic)
  map = nameMap(tools.map((each, index) => ({ ...each, name: names[index] ?? "" })))
})
afterAll(async () => {
  for (const client of Object.values(clients)) await client.close()
})

/** What a model's call of a tool comes to. */
const call = async (name: string, given: unknown): Promise<CallToolResult> => {
  const named = map.toolOf(name)
  if (named === undefined) throw new Error(`${name} is nobody's`)
  const read = await readArguments(named, given, { dropNulls: true })
  if (!read.ok) throw new Error(JSON.stringify(read.faults))
  const client = clients[named.server]
  if (client === undefined) throw new Error(`${named.server} is not there`)
  return client.callTool({ name: named.tool.name, arguments: read.arguments })
}

/** A value as it goes over the wire. */
const onTheWire = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_, member: unknown) =>
      member instanceof Uint8Array ? { base64: Buffer.from(member).toString("base64") } : member,
    ),
  )

it.each([
  ["everything__echo", '{"message":"hello"}'],
  ["everything__get-tiny-image", ""],
  ["everything__get-resource-links", { count: 2 }],
  ["everything__get-resource-reference", { resourceType: "Text", resourceId: 1 }],
  ["everything__get-resource-reference", { resourceType: "Blob", resourceId: 1 }],
  ["everything__get-structured-content", { location: "Chicago" }],
  ["everything__get-annotated-message", { messageType: "success", includeImage: true }],
  [
    "thinking__sequentialthinking",
    {
      thought: "first",
      nextThoughtNeeded: false,
      thoughtNumber: 1,
      totalThoughts: 1,
      branchId: null,
      revisesThought: null,
    },
  ],
])("%s goes out with %j, and its result back in every form", async (name, given) => {
  const result = await call(name, given)
  expect(result.isError ?? false).toBe(false)
  for (const format of formats) {
    const { value, report } = projectResult(result, format)
    const compiled = await compileSchema(shapes[format])
    if (!compiled.ok) throw new Error(compiled.reason)
    expect(compiled.check(onTheWire(value))).toEqual({ _tag: "Valid" })
    expect(report.filter(({ kind }) => kind !== "superseded")).toEqual([])
  }
})

it("arguments that a published server would refuse do not reach it, and say why", async () => {
  await expect(call("everything__echo", "{}")).rejects.toThrow("required property 'message'")
  await expect(
    call("everything__get-structured-content", { location: "Atlantis" }),
  ).rejects.toThrow("/location")
})
