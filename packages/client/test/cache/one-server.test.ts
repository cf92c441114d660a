import { describe, expect, it } from "vitest"
import { connect, memoryResults, memoryVerdicts } from "@entente/client"
import type { JsonObject } from "@entente/protocol"
import { memoryPeer, modernServer, tool, withRules, type Script } from "@entente/testkit"
import { startHttpPeer } from "@entente/testkit/node"
import { http } from "@entente/transport"
import { detailOf, fresh, openStore, toolNames, toolsSeen } from "./kept.js"

describe("what is kept of one server", () => {
  const calledTheSame = (name: string): Script =>
    withRules(modernServer({ tools: [], serverInfo: { name: "the server", version: "1" } }), {
      when: { method: "tools/list" },
      reply: [{ result: { ...fresh, tools: [tool(name)] } }],
    })

  it("V26-CACHE-15 is never another one's, whatever it calls itself and however public it is", async () => {
    await using one = await startHttpPeer(calledTheSame("one"))
    await using other = await startHttpPeer(calledTheSame("other"))
    const store = memoryResults()
    expect(await toolsSeen(http(one.url), { cache: { store } })).toEqual(["one"])
    expect(await toolsSeen(http(other.url), { cache: { store } })).toEqual(["other"])
    // The host alone may say that two addresses are the same server.
    const cache = { store, server: "ours" }
    expect(await toolsSeen(http(one.url), { cache })).toEqual(["one"])
    expect(await toolsSeen(http(other.url), { cache })).toEqual(["one"])
    // And what it says is no address.
    const named = { store, server: http(one.url).key }
    expect(await toolsSeen(http(other.url), { cache: named })).toEqual(["other"])
  })

  it("V26-CACHE-06 T-15 is not for a client that declares other capabilities", async () => {
    await using peer = await startHttpPeer(calledTheSame("a"))
    const cache = { store: memoryResults() }
    await toolsSeen(http(peer.url), { cache })
    await toolsSeen(http(peer.url), { cache, handlers: { roots: [] } })
    expect(peer.requests("tools/list")).toHaveLength(2)
    await toolsSeen(http(peer.url), { cache, handlers: { roots: [] } })
    expect(peer.requests("tools/list")).toHaveLength(2)
  })

  it.each([{ headers: { "x-a": "b" } }, { meta: { "example.com/a": 1 } }, { capabilities: {} }])(
    "V26-CACHE-06 T-15 neither answers a call that has %j of its own, nor comes from one",
    async (own) => {
      await using peer = await startHttpPeer(calledTheSame("a"))
      const store = openStore()
      await using client = await connect(http(peer.url), {
        verdicts: memoryVerdicts(),
        cache: { store },
      })
      await client.tools.list(own)
      expect([...store.entries]).toEqual([])
      await client.tools.list()
      await client.tools.list(own)
      expect(peer.requests("tools/list")).toHaveLength(3)
      await client.tools.list()
      expect(peer.requests("tools/list")).toHaveLength(3)
    },
  )

  it.each([
    ["a store for this machine", "a server in this process", "machine", undefined],
    ["a store for several machines", "a server on this machine", "anywhere", "http"],
  ] as const)(
    "V26-CACHE-15 %s does not take %s, unless it is named",
    async (_store, _server, reach, medium) => {
      await using peer = await startHttpPeer(calledTheSame("a"))
      const local = memoryPeer(calledTheSame("a"))
      const transport = medium === "http" ? http(peer.url) : local.transport
      const store = openStore(reach)
      await using client = await connect(transport, {
        verdicts: memoryVerdicts(),
        cache: { store },
      })
      await toolNames(client)
      // The client keeps it for itself.
      await toolNames(client)
      const asked = (medium === "http" ? peer : local).requests("tools/list")
      expect(asked).toHaveLength(1)
      expect([...store.entries]).toEqual([])
      expect(detailOf(client, "result-not-kept")).toContain("cache.server")
      await toolsSeen(transport, { cache: { store, server: "mine" } })
      expect(store.entries.size).toBe(1)
    },
  )

  it("C124 what middleware has made of it stays with its client, unless the host says whose it is", async () => {
    await using peer = await startHttpPeer(calledTheSame("a"))
    const store = openStore()
    const middleware = {
      request: async (_request: unknown, next: () => Promise<JsonObject>) => next(),
    }
    await using client = await connect(http(peer.url), {
      verdicts: memoryVerdicts(),
      middleware,
      cache: { store },
    })
    await toolNames(client)
    await toolNames(client)
    expect(peer.requests("tools/list")).toHaveLength(1)
    expect([...store.entries]).toEqual([])
    const stated = { store, authorization: "user-1" }
    await toolsSeen(http(peer.url), { middleware, cache: stated })
    expect([...store.entries.values()].map(({ scope }) => scope)).toEqual(["private"])
    // Nothing of it is for those without the layer.
    await toolsSeen(http(peer.url), { cache: { store } })
    expect(peer.requests("tools/list")).toHaveLength(3)
  })

  it.each(["server", "authorization"])(
    "an empty text for %s is refused before anything is sent",
    async (name) => {
      const peer = memoryPeer(calledTheSame("a"))
      await expect(connect(peer.transport, { cache: { [name]: "" } })).rejects.toMatchObject({
        code: "invalid-input",
      })
      expect(peer.received).toEqual([])
    },
  )

  it("cache: false keeps nothing", async () => {
    const peer = memoryPeer(calledTheSame("a"))
    await using client = await connect(peer.transport, { verdicts: memoryVerdicts(), cache: false })
    await toolNames(client)
    await toolNames(client)
    expect(peer.requests("tools/list")).toHaveLength(2)
  })
})
