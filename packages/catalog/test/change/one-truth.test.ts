import { describe, expect, it } from "vitest"
import { legacyServer, memoryPeer, modernServer, tool, withRules } from "@entente/testkit"
import { changeable, edit, ids, lists, openedCatalog, toolsChange } from "../server/peers.js"

describe("one source of truth", () => {
  it("C125 once a list was read again every reader sees it, and what was made before is recognisably old", async () => {
    const peer = memoryPeer(changeable("a"))
    await using catalog = await openedCatalog({ one: peer.transport })
    const before = catalog.tools
    const told = toolsChange(catalog, "one")
    peer.add(lists("a", "b"))
    await catalog.server("one")?.client?.tools.list({ refresh: true })
    expect(ids(catalog)).toEqual(["one__a", "one__b"])
    expect(catalog.search("b").map(({ tool }) => tool.id)).toEqual(["one__b"])
    expect(catalog.resolve("one__b").tool.name).toBe("b")
    expect((await catalog.list()).tools).toHaveLength(2)
    expect((await told).version).toBe(catalog.tools.version)
    expect(before.tools).toHaveLength(1)
    expect(before.version).toBeLessThan(catalog.tools.version)
  })

  it("C125 the same after a notice, and again after the next", async () => {
    const peer = memoryPeer(changeable("a"))
    await using catalog = await openedCatalog({ one: peer.transport })
    for (const names of [["a", "b"], ["b"], ["b", "c"]]) {
      const told = toolsChange(catalog, "one")
      edit(peer, ...names)
      const { version } = await told
      expect(ids(catalog)).toEqual(names.map((name) => `one__${name}`))
      expect(catalog.tools.version).toBe(version)
    }
  })

  it("is the same object for as long as nothing changes, and asks nobody", async () => {
    const peer = memoryPeer(changeable("a"))
    await using catalog = await openedCatalog({ one: peer.transport })
    const { tools } = catalog
    const asked = peer.requests("tools/list").length
    for (let turn = 0; turn < 100; turn++) {
      expect(catalog.tools).toBe(tools)
      expect(await catalog.list()).toBe(tools)
    }
    expect(peer.requests("tools/list")).toHaveLength(asked)
    expect(Object.isFrozen(tools.tools)).toBe(true)
  })
})

describe("a list that nobody tells the changes of", () => {
  it.each([
    ["a legacy server", legacyServer({ tools: [tool("a")] })],
    ["a modern server that gives its list no time", modernServer({ tools: [tool("a")] })],
  ])("of %s is not read again more often than revalidateMs says", async (_, script) => {
    const peer = memoryPeer(script)
    await using patient = await openedCatalog({ one: peer.transport })
    const asked = () => peer.requests("tools/list").length
    const before = asked()
    for (let turn = 0; turn < 10; turn++) await patient.list()
    expect(asked()).toBe(before)
    await using eager = await openedCatalog({ one: peer.transport }, { revalidateMs: 0 })
    const first = asked()
    peer.add(lists("a", "b"))
    await Promise.all([eager.list(), eager.list()])
    expect(asked()).toBeGreaterThan(first)
  })

  it("that cannot be read in time is shown as it was", async () => {
    const peer = memoryPeer(withRules(legacyServer({ tools: [] }), lists("a")))
    await using catalog = await openedCatalog(
      { one: peer.transport },
      { revalidateMs: 0, listMs: 1 },
    )
    peer.add({ when: { method: "tools/list" }, reply: [{ silence: true }] })
    expect((await catalog.list()).tools.map(({ id }) => id)).toEqual(["one__a"])
  })
})
