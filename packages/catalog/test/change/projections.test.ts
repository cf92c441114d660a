import { describe, expect, it } from "vitest"
import { memoryPeer, legacyServer, tool } from "@entente/testkit"
import { assignNames, nameMap, nameRules, type Projection, type ServerTool } from "@entente/catalog"
import { changeable, edit, openedCatalog, toolsChange } from "../server/peers.js"

/** A model API that takes names, and refuses tools that are called `bad`. */
const toNames = (tools: ReadonlyArray<ServerTool>): Projection<ReadonlyArray<string>> => {
  const { names } = assignNames(tools, nameRules.openai)
  const all = tools.flatMap((each, index) => {
    const name = names[index]
    return name === undefined || each.tool.name === "bad" ? [] : [{ ...each, name }]
  })
  const report = tools
    .filter(({ tool }) => tool.name === "bad")
    .map(({ server, tool }) => ({
      kind: "rejected" as const,
      server,
      tool: tool.name,
      pointer: "/name",
      detail: "No bad tools here.",
    }))
  return { tools: all.map(({ name }) => name), names: nameMap(all), report }
}

describe("a projection of a catalog", () => {
  it("C125 carries the version that it was made of, and is recognisably old after a change", async () => {
    const peer = memoryPeer(changeable("a", "b"))
    await using catalog = await openedCatalog({ one: peer.transport })
    const old = catalog.projectWith(toNames)
    expect(old).toMatchObject({ version: catalog.tools.version, tools: ["one__a", "one__b"] })
    expect(catalog.isCurrent(old)).toBe(true)
    const told = toolsChange(catalog, "one")
    edit(peer, "b")
    await told
    expect(catalog.isCurrent(old)).toBe(false)
    const renewed = catalog.projectWith(toNames)
    expect(renewed.tools).toEqual(["one__b"])
    expect(catalog.isCurrent(renewed)).toBe(true)
    // What the old one names is told to be gone, and never becomes another tool.
    await expect(catalog.callNamed(old, "one__a")).rejects.toMatchObject({
      code: "unknown-tool",
      message: expect.stringContaining('"one" has no tool "a"'),
    })
    expect((await catalog.callNamed(renewed, "one__b", '{"n":1}')).content).toMatchObject([
      { text: '{"n":1}' },
    ])
  })

  it("C011 shows in the status what it had to reject, beside what it took", async () => {
    const tools = [tool("a"), tool("bad"), tool("c")]
    const one = memoryPeer(legacyServer({ tools }))
    const two = memoryPeer(legacyServer({ tools: [tool("a")] }))
    await using catalog = await openedCatalog({ one: one.transport, two: two.transport })
    await catalog.settled()
    catalog.projectWith(toNames)
    expect(catalog.status).toMatchObject([
      {
        counts: { listed: 3, accepted: 3, projected: 2, exposed: 2 },
        withheld: [
          { kind: "rejected", tool: "bad", reason: "No bad tools here.", pointer: "/name" },
        ],
      },
      { counts: { listed: 1, accepted: 1, projected: 1, exposed: 1 }, withheld: [] },
    ])
  })

  it("leads a model's call to its tool, with arguments that the server itself would take", async () => {
    const inputSchema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] }
    const peer = memoryPeer(legacyServer({ tools: [tool("a", { inputSchema })] }))
    await using catalog = await openedCatalog({ one: peer.transport })
    const projection = catalog.projectWith(toNames)
    await expect(catalog.callNamed(projection, "one__a", { n: "x" })).rejects.toMatchObject({
      code: "invalid-input",
      stage: "input",
      message: expect.stringContaining("/n"),
    })
    await expect(catalog.callNamed(projection, "one__a", "{")).rejects.toMatchObject({
      code: "invalid-input",
    })
    await expect(catalog.callNamed(projection, "one__b", {})).rejects.toMatchObject({
      code: "unknown-tool",
      nearest: ["one__a"],
    })
    expect(peer.requests("tools/call")).toEqual([])
    await catalog.callNamed(projection, "one__a", { n: 1 })
    expect(peer.requests("tools/call")).toHaveLength(1)
    const signal = AbortSignal.abort()
    await expect(
      catalog.callNamed(projection, "one__a", { n: 1 }, { signal }),
    ).rejects.toMatchObject({ code: "aborted" })
  })

  it("holds arguments against the schema that the server has now", async () => {
    const peer = memoryPeer(changeable("a"))
    await using catalog = await openedCatalog({ one: peer.transport })
    const old = catalog.projectWith(toNames)
    const told = toolsChange(catalog, "one")
    edit(peer, tool("a", { inputSchema: { type: "object", required: ["path"] } }))
    await told
    await expect(catalog.callNamed(old, "one__a", {})).rejects.toMatchObject({
      message: expect.stringContaining("path"),
    })
  })
})
