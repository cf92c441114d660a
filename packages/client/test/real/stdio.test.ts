import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { connect, type ConnectOptions, type Snapshot } from "@entente/client"
import { stdio } from "@entente/transport/stdio"
import { installed, own } from "@entente/published-servers"
import { everything } from "./tool-names.js"

/** Servers that nobody here wrote; what they showed when they were looked at by hand. */
interface Row {
  readonly server: string
  readonly command: ReturnType<typeof installed>
  readonly era: "legacy" | "modern"
  readonly protocolVersion: string
  readonly tools: ReadonlyArray<string>
  readonly notes?: ReadonlyArray<string>
  readonly options?: ConnectOptions
}

const rows: ReadonlyArray<Row> = [
  {
    server: "server-everything",
    command: installed("@modelcontextprotocol/server-everything", "stdio"),
    era: "legacy",
    protocolVersion: "2025-11-25",
    tools: everything,
  },
  {
    server: "server-memory",
    command: installed("@modelcontextprotocol/server-memory"),
    era: "legacy",
    protocolVersion: "2025-11-25",
    tools: [
      "create_entities",
      "create_relations",
      "add_observations",
      "delete_entities",
      "delete_observations",
      "delete_relations",
      "read_graph",
      "search_nodes",
      "open_nodes",
    ],
  },
  {
    server: "server-sequential-thinking",
    command: installed("@modelcontextprotocol/server-sequential-thinking"),
    era: "legacy",
    protocolVersion: "2025-11-25",
    tools: ["sequentialthinking"],
  },
  {
    server: "a server on the official SDK 2.4",
    command: own("official-server.mjs", "stdio"),
    era: "modern",
    protocolVersion: "2026-07-28",
    tools: ["greet"],
  },
  {
    server: "a server on Effect's McpServer",
    command: own("effect-server.mjs"),
    era: "modern",
    protocolVersion: "2026-07-28",
    tools: ["add", "greet"],
  },
  {
    server: "context7-mcp (SDK 2)",
    command: installed("@upstash/context7-mcp"),
    era: "modern",
    protocolVersion: "2026-07-28",
    tools: ["resolve-library-id", "query-docs"],
  },
  {
    server: "excel-mcp-server (Go, 2025-03-26)",
    command: installed("@negokaz/excel-mcp-server"),
    era: "legacy",
    protocolVersion: "2025-03-26",
    tools: [
      "excel_copy_sheet",
      "excel_create_table",
      "excel_describe_sheets",
      "excel_format_range",
      "excel_read_sheet",
      "excel_write_to_sheet",
    ],
  },
  {
    server: "mcp-server-code-runner (prints on stdout)",
    command: installed("mcp-server-code-runner"),
    era: "legacy",
    protocolVersion: "2025-11-25",
    tools: ["run-code"],
    notes: ["stdout-noise"],
  },
  {
    server: "effect-mcp (never answers an unknown method)",
    command: installed("effect-mcp"),
    era: "legacy",
    protocolVersion: "2025-06-18",
    tools: ["effect_docs_search", "get_effect_doc"],
    options: { probeMs: 100 },
  },
]

/** Long enough for a busy machine: a slow start must not look like a legacy server. */
const patient: ConnectOptions = { probeMs: 30_000 }

const look = async (command: Row["command"], options?: ConnectOptions): Promise<Snapshot> => {
  await using client = await connect(stdio(command), { ...patient, ...options })
  return await client.snapshot()
}

const names = (snapshot: Snapshot): ReadonlyArray<unknown> =>
  snapshot.lists.tools.items.map((tool) => (tool as { readonly name: unknown }).name)

describe("published servers over stdio", () => {
  it.each(rows)("$server is $era $protocolVersion", async (row) => {
    const snapshot = await look(row.command, row.options)
    expect(snapshot).toMatchObject({
      transport: "stdio",
      era: row.era,
      protocolVersion: row.protocolVersion,
      lists: { tools: { status: "complete", quarantined: [] } },
    })
    expect(names(snapshot)).toEqual(row.tools)
    const noted = snapshot.notes.map(({ code }) => code)
    expect(noted).toEqual(expect.arrayContaining([...(row.notes ?? [])]))
  })

  it("server-filesystem shows its tools for a folder", async () => {
    const folder = await mkdtemp(join(tmpdir(), "entente-"))
    try {
      const snapshot = await look(installed("@modelcontextprotocol/server-filesystem", folder))
      expect(snapshot).toMatchObject({ era: "legacy", protocolVersion: "2025-11-25" })
      expect(names(snapshot)).toContain("read_text_file")
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it.each(["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const)(
    "Effect's McpServer is pinned to %s",
    async (mode) => {
      const snapshot = await look(own("effect-server.mjs"), { mode })
      expect(snapshot).toMatchObject({ era: "legacy", protocolVersion: mode })
      expect(names(snapshot)).toEqual(["add", "greet"])
    },
  )

  it("server-everything answers calls, prompts and resources", async () => {
    await using client = await connect(
      stdio(installed("@modelcontextprotocol/server-everything", "stdio")),
      patient,
    )
    const echo = await client.callTool({ name: "echo", arguments: { message: "good day" } })
    expect(echo.content[0]).toMatchObject({ type: "text", text: "Echo: good day" })
    const prompt = await client.getPrompt({ name: "simple-prompt" })
    expect(prompt.messages).not.toHaveLength(0)
    const [resource] = (await client.resources.list()).items
    const read = await client.readResource({ uri: resource?.uri ?? "" })
    expect(read.contents).not.toHaveLength(0)
  })
})
