import { describe, expect, it } from "vitest"
import type { ListChange, Listing } from "@entente/client"
import type { Tool } from "@entente/protocol"
import { legacyServer, modernServer, tool, withRules, type Rule } from "@entente/testkit"
import { startHttpPeer, startStdioPeer } from "@entente/testkit/node"
import { stdio } from "@entente/transport/stdio"
import { connected, names } from "../field/connected.js"
import { eras, type Era } from "./noisy-server.js"

const serverOf = (era: Era) => {
  const offers = { tools: [tool("a")], capabilities: { tools: { listChanged: true } } }
  return era === "legacy" ? legacyServer(offers) : modernServer(offers)
}

const toolList = (...ids: ReadonlyArray<string>): Rule => ({
  when: { method: "tools/list" },
  reply: [{ result: { resultType: "complete", tools: ids.map((id) => tool(id)) } }],
})

/** What an iterable has brought; `next` waits for one more. */
const collecting = <A>(iterable: AsyncIterable<A>) => {
  const iterator = iterable[Symbol.asyncIterator]()
  return {
    next: async (): Promise<A> => {
      const { value, done } = await iterator.next()
      if (done === true) throw new Error("It has ended")
      return value
    },
    stop: () => iterator.return?.(),
  }
}

describe("a list that is followed while its server goes away", () => {
  it.each(eras)(
    "C118 V26-STDIO-10 %s over stdio: it is read again before it is live, and followers see what is new",
    async (era) => {
      await using peer = await startStdioPeer(serverOf(era))
      await using client = await connected(stdio(peer), { mode: era, reconnect: { baseMs: 1 } })
      const followed = collecting<Listing<Tool>>(client.tools.follow())
      const changes = collecting<ListChange>(client.changes())
      expect(await followed.next()).toMatchObject({ version: 1, stale: false })
      const difference = changes.next()
      const states: Array<string> = []
      const stop = client.tools.onState((state) => states.push(state))
      peer.add(toolList("a", "b"))
      peer.play([{ exit: 1 }], { method: era === "legacy" ? "initialize" : "server/discover" })
      const after = await followed.next()
      expect(after).toMatchObject({ version: 2, changed: true, stale: false })
      expect(names(after.items)).toEqual(["a", "b"])
      expect(states).toEqual(["stale", "refreshing", "live"])
      expect(await difference).toMatchObject({ list: "tools", version: 2, added: [{ name: "b" }] })
      expect(client.tools.last).toEqual(after)
      stop()
      await followed.stop()
      await changes.stop()
    },
  )

  it("C019 V25-HTTP-32 a session that is renewed makes it stale until it was read again", async () => {
    const forgetful = legacyServer({
      tools: [tool("a")],
      sessionIds: ["S1", "S2"],
      capabilities: { tools: { listChanged: true } },
    })
    await using peer = await startHttpPeer(forgetful)
    await using client = await connected(peer.url, { mode: "legacy" })
    const followed = collecting(client.tools.follow())
    await followed.next()
    const states: Array<string> = []
    client.tools.onState((state) => states.push(state))
    peer.add(toolList("b"))
    peer.add({
      when: { headers: { "mcp-session-id": "S1" } },
      reply: [{ status: 404, id: null, error: { code: -32001, message: "unknown session" } }],
    })
    await expect(client.callTool({ name: "a" })).rejects.toMatchObject({ _tag: "SessionLost" })
    expect(names((await followed.next()).items)).toEqual(["b"])
    expect(states).toEqual(["stale", "refreshing", "live"])
    await followed.stop()
  })

  it("C125 what a renewed server does not offer any more is gone for everybody", async () => {
    await using peer = await startStdioPeer(serverOf("legacy"))
    await using client = await connected(stdio(peer), { mode: "legacy", reconnect: { baseMs: 1 } })
    const followed = collecting(client.tools.follow())
    const changes = collecting(client.changes())
    await followed.next()
    const difference = changes.next()
    peer.replace(withRules(legacyServer({ prompts: [] })).rules)
    peer.play([{ exit: 1 }], { method: "initialize" })
    expect(await followed.next()).toMatchObject({ status: "unsupported", version: 2, items: [] })
    expect(await difference).toMatchObject({ list: "tools", removed: [{ name: "a" }] })
    expect(client.tools.state).toBe("unsupported")
    expect(await client.tools.list()).toMatchObject({ status: "unsupported", version: 2 })
    await followed.stop()
    await changes.stop()
  })
})
