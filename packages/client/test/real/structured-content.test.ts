import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { connect, memoryVerdicts, structuredContentOf } from "@entente/client"
import type { CallToolParams } from "@entente/client"
import { stdio } from "@entente/transport/stdio"
import { installed } from "@entente/published-servers"

/** Calls a tool of a published server, after its tools were listed. */
const answered = async (
  command: ReturnType<typeof installed>,
  params: CallToolParams,
  env: Readonly<Record<string, string>> = {},
) => {
  await using client = await connect(stdio({ ...command, env }), { verdicts: memoryVerdicts() })
  const { items } = await client.tools.list()
  const tool = items.find(({ name }) => name === params.name)
  const structured = structuredContentOf(await client.callTool(params))
  return { schema: tool?.outputSchema, structured }
}

it("V25-TOOL-07 V26-TOOL-08 structured content of server-everything conforms to its output schema", async () => {
  const { schema, structured } = await answered(
    installed("@modelcontextprotocol/server-everything", "stdio"),
    { name: "get-structured-content", arguments: { location: "Chicago" } },
  )
  expect(schema).toBeDefined()
  expect(structured).toMatchObject({ status: "valid", value: { temperature: expect.any(Number) } })
})

it("V25-TOOL-07 V26-TOOL-08 and so does that of server-memory", async () => {
  const folder = await mkdtemp(join(tmpdir(), "entente-memory-"))
  try {
    const { schema, structured } = await answered(
      installed("@modelcontextprotocol/server-memory"),
      { name: "read_graph", arguments: {} },
      { MEMORY_FILE_PATH: join(folder, "memory.json") },
    )
    expect(schema).toBeDefined()
    expect(structured).toMatchObject({ status: "valid", value: { entities: [], relations: [] } })
  } finally {
    await rm(folder, { recursive: true })
  }
})
