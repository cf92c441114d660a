import { describe, expect, it } from "vitest"
import * as Effect from "effect/Effect"
import { Client, memoryVerdicts, type Handlers } from "@entente/client"
import { legacyServer, memoryPeer, modernServer, type Peer } from "@entente/testkit"
import { startHttpPeer } from "@entente/testkit/node"
import { connected, reasonOf } from "../field/connected.js"
import { answerTo, offers, result, server } from "./asking-server.js"
import { root } from "./registry.js"

const changed = "notifications/roots/list_changed"
const other = { uri: "file:///other" }

const told = (peer: Peer): number => peer.methods().filter((method) => method === changed).length

describe("roots that change", () => {
  it("V25-LIST-04 a legacy server is told of each change, and gets the new list", async () => {
    const peer = memoryPeer(server)
    await using client = await connected(peer.transport, {
      mode: "legacy",
      handlers: { roots: [root] },
    })
    expect(told(peer)).toBe(0)
    await client.setRoots([root, other])
    await peer.next(changed)
    expect(await answerTo(peer, 1, "roots/list")).toEqual(result(1, { roots: [root, other] }))
    await client.setRoots([])
    await client.rootsChanged()
    await client.tools.list()
    expect(told(peer)).toBe(3)
  })

  it("V25-LIST-04 the same through the door of effects, with a function that knows them", async () => {
    const peer = memoryPeer(server)
    let roots = [root]
    const program = Effect.gen(function* () {
      const client = yield* Client.connect(peer.transport, {
        mode: "legacy",
        verdicts: memoryVerdicts(),
        handlers: { roots: () => Effect.succeed(roots) },
      })
      roots = [other]
      yield* client.roots.changed
      yield* Effect.promise(() => peer.next(changed))
      const answer = yield* Effect.promise(() => answerTo(peer, 1, "roots/list"))
      expect(answer).toEqual(result(1, { roots: [other] }))
    })
    await Effect.runPromise(Effect.scoped(program))
  })

  it("V25-ROOT-04 during a handshake it is told once, when that is over", async () => {
    await using peer = await startHttpPeer(legacyServer({ ...offers, sessionIds: ["S1", "S2"] }))
    await using client = await connected(peer.url, {
      mode: "legacy",
      handlers: { roots: [root] },
      listen: false,
    })
    peer.add({
      when: { headers: { "mcp-session-id": "S1" } },
      reply: [{ http: { status: 404 } }],
    })
    const stop = client.onState((state) => {
      if (state !== "recovering") return
      void client.setRoots([other])
      void client.rootsChanged()
    })
    await client.tools.list()
    stop()
    await peer.next(changed)
    await client.request("tools/list")
    expect(told(peer)).toBe(1)
    const methods = peer.methods()
    expect(methods.indexOf(changed)).toBeGreaterThan(
      methods.lastIndexOf("notifications/initialized"),
    )
  })

  it("V26-ROOT-04 a modern server is told nothing", async () => {
    const peer = memoryPeer(modernServer(offers))
    await using client = await connected(peer.transport, { handlers: { roots: [root] } })
    await client.setRoots([other])
    await client.rootsChanged()
    await client.tools.list()
    expect(told(peer)).toBe(0)
  })

  it("V25-LIST-04 without a handler there is nothing to change, and nobody is told", async () => {
    const peer = memoryPeer(server)
    await using client = await connected(peer.transport, { mode: "legacy" })
    const invalid = { _tag: "InvalidInput" }
    expect(await reasonOf(client.setRoots([root]))).toMatchObject(invalid)
    expect(await reasonOf(client.rootsChanged())).toMatchObject(invalid)
    await client.tools.list()
    expect(told(peer)).toBe(0)
  })

  it("V25-ROOT-02 V26-ROOT-03 what may not be shown is refused, and the list stays", async () => {
    const peer = memoryPeer(server)
    const handlers: Handlers = { roots: [root] }
    await using client = await connected(peer.transport, { mode: "legacy", handlers })
    expect(await reasonOf(client.setRoots([{ uri: "file:///a/../b" }]))).toMatchObject({
      _tag: "InvalidInput",
    })
    expect(await answerTo(peer, 1, "roots/list")).toEqual(result(1, { roots: [root] }))
    expect(told(peer)).toBe(0)
  })
})
