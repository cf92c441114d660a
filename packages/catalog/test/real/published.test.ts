import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { openCatalog } from "@entente/catalog"
import { memoryVerdicts } from "@entente/client"
import { stdio } from "@entente/transport/stdio"
import { installed } from "@entente/published-servers"

it("C080 V26-TOOL-05 several published servers are one list, and a call finds its way", async () => {
  const folder = await mkdtemp(join(tmpdir(), "entente-"))
  const twin = join(folder, "twin.json")
  const memory = (file: string) => ({
    transport: stdio({
      ...installed("@modelcontextprotocol/server-memory"),
      env: { MEMORY_FILE_PATH: file },
    }),
    connect: { verdicts: memoryVerdicts(), probeMs: 30_000 },
  })
  const server = (name: string, ...args: ReadonlyArray<string>) => ({
    transport: stdio(installed(name, ...args)),
    connect: { verdicts: memoryVerdicts(), probeMs: 30_000 },
  })
  try {
    await using catalog = await openCatalog({
      everything: { ...server("@modelcontextprotocol/server-everything", "stdio"), tags: ["demo"] },
      files: {
        ...server("@modelcontextprotocol/server-filesystem", folder),
        deny: ["write_*", "edit_*", "move_*", "create_*"],
      },
      thinking: server("@modelcontextprotocol/server-sequential-thinking"),
      one: memory(join(folder, "one.json")),
      two: memory(twin),
      broken: { transport: stdio({ command: "no-such-command-anywhere" }) },
    })
    expect(catalog.tools.tools.length).toBeGreaterThan(0)
    await catalog.settled()
    expect(catalog.status.map(({ id, state, era }) => [id, state, era])).toEqual([
      ["everything", "live", "legacy"],
      ["files", "live", "legacy"],
      ["thinking", "live", "legacy"],
      ["one", "live", "legacy"],
      ["two", "live", "legacy"],
      ["broken", "failed", undefined],
    ])
    // Both memories call themselves the same and have the same nine tools.
    expect(catalog.tools.collisions).toHaveLength(9)
    const entity = { name: "Ada", entityType: "person", observations: ["writes programs"] }
    await catalog.call("two__create_entities", { entities: [entity] })
    expect((await catalog.call("two__read_graph")).structuredContent).toMatchObject({
      entities: [entity],
    })
    expect((await catalog.call("one__read_graph")).structuredContent).toMatchObject({
      entities: [],
    })

    const echo = await catalog.call("everything__echo", { message: "good day" })
    expect(echo.content).toMatchObject([{ text: "Echo: good day" }])
    expect(
      (
        await catalog.call("sequentialthinking", {
          thought: "one",
          thoughtNumber: 1,
          totalThoughts: 1,
          nextThoughtNeeded: false,
        })
      ).isError,
    ).not.toBe(true)

    await expect(catalog.call("files__write_file", {})).rejects.toMatchObject({
      code: "unknown-tool",
      message: expect.stringContaining('deny has "write_*"'),
    })
    const [found] = catalog.search("read the contents of a text file")
    expect(found?.tool.server).toBe("files")
    await catalog.list()
  } finally {
    await rm(folder, { recursive: true })
  }
})
