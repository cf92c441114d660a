import { describe, expect, it } from "vitest"
import {
  legacyServer,
  memoryPeer,
  modernServer,
  pages,
  refusal,
  tool,
  withRules,
  type Rule,
  type Script,
} from "@entente/testkit"
import type { JsonObject } from "@entente/protocol"
import { connected, names, noted } from "./connected.js"

const eras: ReadonlyArray<readonly [string, (...rules: ReadonlyArray<Rule>) => Script]> = [
  ["legacy", (...rules) => withRules(legacyServer({ tools: [] }), ...rules)],
  ["modern", (...rules) => withRules(modernServer({ tools: [] }), ...rules)],
]

const tools = (...called: ReadonlyArray<string>): ReadonlyArray<JsonObject> =>
  called.map((name) => tool(name))

const always = (method: string, result: JsonObject): Rule => ({
  when: { kind: "request", method },
  reply: [{ result }],
})

describe.each(eras)("lists of a %s server", (_, server) => {
  it("C001 a list goes on to its last page, with the cursor byte for byte", async () => {
    const cursor = 'p2 "ü"\u2028'
    const peer = memoryPeer(
      server(
        ...pages("tools/list", [{ tools: tools("a"), nextCursor: cursor }, { tools: tools("b") }]),
      ),
    )
    await using client = await connected(peer.transport)
    const listing = await client.tools.list()
    expect(listing).toMatchObject({ status: "complete", pages: 2, quarantined: [] })
    expect(names(listing.items)).toEqual(["a", "b"])
    const requests = peer.requests("tools/list")
    expect(requests).toHaveLength(2)
    expect(requests[0]?.message.params ?? {}).not.toHaveProperty("cursor")
    expect(requests[1]?.message.params).toMatchObject({ cursor })
    expect(noted(client).filter((code) => code !== "late-reply")).toEqual([])
  })

  it("C002 a server that names the same cursor for ever ends the list after two requests", async () => {
    const eight = tools("a", "b", "c", "d", "e", "f", "g", "h")
    const peer = memoryPeer(server(always("tools/list", { tools: eight, nextCursor: "8" })))
    await using client = await connected(peer.transport)
    const listing = await client.tools.list()
    expect(peer.requests("tools/list")).toHaveLength(2)
    expect(listing).toMatchObject({ status: "partial", reason: { code: "cursor-loop" } })
    expect(names(listing.items)).toEqual(["a", "b", "c", "d", "e", "f", "g", "h"])
    const note = client.notes.find(({ code }) => code === "cursor-loop")
    expect(note?.detail).toContain('"8"')
  })

  it('C004 the cursor "" is followed like any other', async () => {
    const peer = memoryPeer(
      server(
        ...pages("tools/list", [
          { tools: tools("first"), nextCursor: "" },
          { tools: tools("second") },
        ]),
      ),
    )
    await using client = await connected(peer.transport)
    const listing = await client.tools.list()
    expect(names(listing.items)).toEqual(["first", "second"])
    expect(listing.status).toBe("complete")
    expect(peer.requests("tools/list")[1]?.message.params).toHaveProperty("cursor", "")
  })

  it('C005 the cursor "" for ever ends the list, complete, after two requests', async () => {
    const peer = memoryPeer(
      server(always("tools/list", { nextCursor: "", tools: tools("lookup") })),
    )
    await using client = await connected(peer.transport)
    const listing = await client.tools.list()
    expect(listing.status).toBe("complete")
    expect(names(listing.items)).toEqual(["lookup"])
    expect(peer.requests("tools/list")).toHaveLength(2)
    expect(noted(client)).toContain("empty-cursor-repeated")
  })

  it("C097 one walk over shifting pages keeps the first of equal items, and says so", async () => {
    const peer = memoryPeer(
      server(
        ...pages("tools/list", [
          { tools: tools("a", "b"), nextCursor: "2" },
          { tools: tools("b", "c") },
        ]),
      ),
    )
    await using client = await connected(peer.transport)
    const listing = await client.tools.list()
    expect(names(listing.items)).toEqual(["a", "b", "c"])
    expect(listing.status).toBe("complete")
    const note = client.notes.find(({ code }) => code === "unstable-pagination")
    expect(note?.detail).toContain("b")
  })

  it("C097 the verifying walk repeats until two walks agree, and never mixes them", async () => {
    const walk = (nth: number, first: JsonObject, second: JsonObject): ReadonlyArray<Rule> => [
      {
        when: { method: "tools/list", params: { cursor: { $present: false } }, nth },
        reply: [{ result: { ...first, nextCursor: "2" } }],
      },
      { when: { method: "tools/list", params: { cursor: "2" }, nth }, reply: [{ result: second }] },
    ]
    const peer = memoryPeer(
      server(
        ...walk(1, { tools: tools("a", "b") }, { tools: tools("b", "c") }),
        ...walk(2, { tools: tools("a", "c") }, { tools: tools("d", "b") }),
        ...walk(3, { tools: tools("a", "c") }, { tools: tools("d", "b") }),
      ),
    )
    await using client = await connected(peer.transport)
    const listing = await client.tools.list({ verify: true })
    expect(names(listing.items)).toEqual(["a", "c", "d", "b"])
    expect(listing.status).toBe("complete")
    expect(peer.requests("tools/list")).toHaveLength(6)
  })
})

describe("capabilities", () => {
  it("C007 a list whose capability is absent is unsupported, and nothing is sent for it", async () => {
    const peer = memoryPeer(legacyServer({ tools: [tool("a")] }))
    await using client = await connected(peer.transport)
    const { lists } = await client.snapshot()
    expect(lists.tools).toMatchObject({ status: "complete", items: [{ name: "a" }] })
    expect(lists.resources.status).toBe("unsupported")
    expect(lists.templates.status).toBe("unsupported")
    expect(lists.prompts.status).toBe("unsupported")
    expect(client.state).toBe("ready")
    const sent = peer.methods()
    for (const method of ["resources/list", "resources/templates/list", "prompts/list"]) {
      expect(sent).not.toContain(method)
    }
  })

  it("C008 an advertised list that is not implemented is unavailable, and not asked for again", async () => {
    const peer = memoryPeer(
      withRules(legacyServer({ tools: [tool("a")], capabilities: { resources: {}, tools: {} } }), {
        when: { method: "resources/list" },
        reply: refusal(200, -32601, "Method not found"),
      }),
    )
    await using client = await connected(peer.transport)
    expect((await client.tools.list()).items).toHaveLength(1)
    const resources = await client.resources.list()
    expect(resources).toMatchObject({ status: "unavailable", reason: { rpcCode: -32601 } })
    expect(resources.reason?.message).toContain("advertised")
    expect(noted(client)).toContain("advertised-but-unimplemented")

    await client.resources.list()
    expect(peer.requests("resources/list")).toHaveLength(1)
    await client.resources.list({ refresh: true })
    expect(peer.requests("resources/list")).toHaveLength(2)
    expect(client.notes.filter(({ code }) => code === "advertised-but-unimplemented")).toHaveLength(
      1,
    )

    peer.send({ jsonrpc: "2.0", method: "notifications/resources/list_changed" })
    await new Promise((resolve) => client.onNotification(resolve))
    await client.resources.list()
    expect(peer.requests("resources/list")).toHaveLength(3)
  })
})

describe("changes while a list is read", () => {
  it("C097 list_changed between two pages starts the walk again from page one", async () => {
    const peer = memoryPeer(
      withRules(
        legacyServer({ tools: [] }),
        {
          when: { method: "tools/list", params: { cursor: { $present: false } }, nth: 1 },
          reply: [
            { message: { jsonrpc: "2.0", method: "notifications/tools/list_changed" } },
            { result: { tools: tools("old"), nextCursor: "2" } },
          ],
        },
        ...pages("tools/list", [
          { tools: tools("new"), nextCursor: "2" },
          { tools: tools("newer") },
        ]),
      ),
    )
    await using client = await connected(peer.transport)
    const listing = await client.tools.list()
    expect(names(listing.items)).toEqual(["new", "newer"])
    expect(listing).toMatchObject({ status: "complete", stale: false })
    expect(noted(client)).toContain("walk-restarted")
    expect(client.tools.last).toMatchObject({ status: "complete", stale: false })
  })

  it("C097 a list that never stops changing is delivered, marked stale", async () => {
    const peer = memoryPeer(
      withRules(legacyServer({ tools: [] }), {
        when: { method: "tools/list" },
        reply: [
          { message: { jsonrpc: "2.0", method: "notifications/tools/list_changed" } },
          { result: { tools: tools("a") } },
        ],
      }),
    )
    await using client = await connected(peer.transport)
    const listing = await client.tools.list()
    expect(names(listing.items)).toEqual(["a"])
    expect(listing).toMatchObject({ status: "complete", stale: true })
    expect(client.tools.last?.stale).toBe(true)
    expect(noted(client)).toContain("changed-while-listing")
    expect(peer.requests("tools/list").length).toBeLessThanOrEqual(3)
  })
})
