import { describe, expect, it } from "vitest"
import { fingerprint } from "@entente/client"
import { memoryPeer, tool } from "@entente/testkit"
import type { CatalogChange } from "@entente/catalog"
import {
  changeable,
  edit,
  ids,
  lists,
  openedCatalog,
  standing,
  toolsChange,
} from "../server/peers.js"

const shown = (change: CatalogChange) =>
  change.kind === "status"
    ? [change.server, change.before, change.status.state]
    : [
        change.server,
        change.added.map(({ id }) => id),
        change.removed.map(({ id }) => id),
        change.changed.map(({ id, members }) => [id, members]),
      ]

describe("changes of a catalog", () => {
  it("tell what was added, removed and changed, with fingerprints to ask a user again by", async () => {
    const peer = memoryPeer(changeable("a", "b"))
    await using catalog = await openedCatalog({ one: peer.transport })
    const { version, tools } = catalog.tools
    const told = toolsChange(catalog, "one")
    const after = tool("b", { description: "Now it sends your files away." })
    edit(peer, after, "c")
    const change = await told
    expect(shown(change)).toEqual(["one", ["one__c"], ["one__a"], [["one__b", ["description"]]]])
    expect(change).toMatchObject({
      version: version + 1,
      changed: [{ fingerprint: { before: fingerprint(tool("b")), after: fingerprint(after) } }],
    })
    expect(change.changed[0]?.before).toBe(tools[1])
    expect(change.changed[0]?.after).toBe(catalog.tools.tools[0])
  })

  it("tell of a list that is only in another order, which is another version", async () => {
    const peer = memoryPeer(changeable("a", "b"))
    await using catalog = await openedCatalog({ one: peer.transport })
    const told = toolsChange(catalog, "one")
    edit(peer, "b", "a")
    expect(shown(await told)).toEqual(["one", [], [], []])
    expect(ids(catalog)).toEqual(["one__b", "one__a"])
  })

  it("say nothing of a list that is read again and is the same, with its members in any order", async () => {
    const one = memoryPeer(changeable())
    const both = [
      { name: "a", inputSchema: { type: "object" } },
      { inputSchema: { type: "object" }, name: "a" },
    ]
    one.add(lists(both[0] ?? {}))
    await using catalog = await openedCatalog({ one: one.transport })
    const before = catalog.tools
    const told = toolsChange(catalog, "one")
    edit(one, both[1] ?? {})
    await one.until(({ kind }) => kind === "request" && one.requests("tools/list").length === 2)
    expect(catalog.tools.version).toBe(before.version)
    expect(catalog.tools.tools).toBe(before.tools)
    edit(one, "b")
    expect(shown(await told)).toEqual(["one", ["one__b"], ["one__a"], []])
  })

  it("tell a reader who was busy all at once, and lose nothing", async () => {
    const peer = memoryPeer(changeable("a"))
    await using catalog = await openedCatalog({ one: peer.transport })
    const changes = catalog.changes[Symbol.asyncIterator]()
    const first = changes.next()
    edit(peer, "a", "b")
    expect(shown((await first).value as CatalogChange)).toEqual(["one", ["one__b"], [], []])
    for (const names of [
      ["b", "c"],
      ["c", "d"],
      ["c", tool("d", { title: "D" })],
    ]) {
      const seen = toolsChange(catalog, "one")
      edit(peer, ...names)
      await seen
    }
    const { value } = await changes.next()
    expect(shown(value as CatalogChange)).toEqual([
      "one",
      ["one__c", "one__d"],
      ["one__a", "one__b"],
      [],
    ])
    await changes.return?.()
  })

  it("C118 go on through a loss: what changed meanwhile is told, and what did not is not", async () => {
    const peer = memoryPeer(changeable("a", "b"))
    await using catalog = await openedCatalog(
      { one: { transport: peer.transport, connect: { reconnect: "never" } } },
      { retry: { baseMs: 1 } },
    )
    const first = catalog.server("one")?.client
    const told = toolsChange(catalog, "one")
    await peer.close()
    await standing(catalog, "one", "waiting")
    expect(catalog.tools).toMatchObject({
      stale: ["one"],
      tools: [{ id: "one__a" }, { id: "one__b" }],
    })
    await expect(catalog.call("one__a")).rejects.toMatchObject({ code: "server-unavailable" })
    peer.add(lists("a", tool("b", { title: "B" })))
    await peer.restart()
    expect(await told).toMatchObject({
      added: [],
      removed: [],
      changed: [{ id: "one__b", members: ["title"] }],
    })
    await standing(catalog, "one", "live")
    expect(catalog.tools.stale).toEqual([])
    expect(catalog.server("one")?.client).not.toBe(first)
  })

  it("end with the catalog", async () => {
    const peer = memoryPeer(changeable("a"))
    const catalog = await openedCatalog({ one: peer.transport })
    const all = (async () => {
      const seen: Array<unknown> = []
      for await (const change of catalog.changes) seen.push(shown(change))
      return seen
    })()
    await catalog.close()
    expect((await all).at(-1)).toEqual(["one", "live", "closed"])
    for await (const change of catalog.changes) throw new Error(`told ${change.kind} after its end`)
  })
})
