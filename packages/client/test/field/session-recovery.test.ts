import { describe, expect, it } from "vitest"
import type { StoredSession } from "@entente/client"
import { legacyServer, refusal, tool, withRules, type Rule } from "@entente/testkit"
import { startHttpPeer, type HttpPeer } from "@entente/testkit/node"
import { connected, names, noted } from "./connected.js"

/** A server that knows S1 until it forgets it, and S2 from then on. */
const forgetful = legacyServer({ tools: [tool("a")], sessionIds: ["S1", "S2"] })

/** From now on S1 is unknown. */
const forget = (peer: HttpPeer, ...reply: Rule["reply"]): void =>
  peer.add({
    when: { headers: { "mcp-session-id": "S1" } },
    reply:
      reply.length > 0
        ? reply
        : [{ status: 404, id: null, error: { code: -32001, message: "unknown session" } }],
  })

const sessionsOf = (peer: HttpPeer, method: string): ReadonlyArray<string | undefined> =>
  peer.received
    .filter(({ message }) => (message as { method?: unknown } | undefined)?.method === method)
    .map(({ headers }) => headers?.["mcp-session-id"])

describe("a session that the server has forgotten", () => {
  it("C019 a read is sent again once, on a new session, with a new id", async () => {
    await using peer = await startHttpPeer(forgetful)
    await using client = await connected(peer.url)
    await client.tools.list()
    forget(peer)
    const listing = await client.tools.list()
    expect(names(listing.items)).toEqual(["a"])
    expect(sessionsOf(peer, "initialize")).toEqual([undefined, undefined])
    expect(sessionsOf(peer, "notifications/initialized")).toEqual(["S1", "S2"])
    const lists = peer.requests("tools/list")
    expect(sessionsOf(peer, "tools/list")).toEqual(["S1", "S1", "S2"])
    expect(new Set(lists.map(({ message }) => message.id)).size).toBe(lists.length)
    expect(noted(client)).toContain("session-renewed")
  })

  it("C019 many 404s share one initialize, and a late one changes nothing", async () => {
    await using peer = await startHttpPeer(forgetful)
    await using client = await connected(peer.url)
    await client.tools.list()
    forget(peer)
    const listings = await Promise.all(Array.from({ length: 5 }, () => client.tools.list()))
    for (const { status } of listings) expect(status).toBe("complete")
    expect(peer.requests("initialize")).toHaveLength(2)
  })

  it("C019 a tool call is not repeated: it ends as session-lost, and the next call works", async () => {
    await using peer = await startHttpPeer(forgetful)
    await using client = await connected(peer.url)
    await client.tools.list()
    forget(peer)
    await expect(client.callTool({ name: "a" })).rejects.toMatchObject({
      _tag: "SessionLost",
      code: "session-lost",
    })
    await expect(client.callTool({ name: "a" })).resolves.toMatchObject({ content: [{}] })
    expect(peer.requests("tools/call")).toHaveLength(2)
    expect(peer.requests("initialize")).toHaveLength(2)
  })

  it("C019 a tool call is repeated where its caller allows it", async () => {
    await using peer = await startHttpPeer(forgetful)
    await using client = await connected(peer.url)
    await client.tools.list()
    forget(peer)
    await expect(client.callTool({ name: "a" }, { replay: true })).resolves.toBeDefined()
    expect(peer.requests("tools/call")).toHaveLength(2)
  })

  it("C019 lists that were read before are fetched again by themselves", async () => {
    await using peer = await startHttpPeer(forgetful)
    await using client = await connected(peer.url)
    await client.tools.list()
    forget(peer)
    await client.callTool({ name: "a" }).catch(() => {})
    const again = await peer.until(
      ({ message, headers }) =>
        (message as { method?: unknown } | undefined)?.method === "tools/list" &&
        headers?.["mcp-session-id"] === "S2",
    )
    expect(again.kind).toBe("request")
  })

  it("C019 a 404 on the new session too is surfaced, without a third initialize", async () => {
    await using peer = await startHttpPeer(forgetful)
    await using client = await connected(peer.url, { reconnect: "never" })
    await client.tools.list()
    peer.add({
      when: { method: "tools/list" },
      reply: [{ status: 404, id: null, error: { code: -32001, message: "unknown session" } }],
    })
    const listing = await client.tools.list()
    expect(listing).toMatchObject({ status: "unavailable" })
    expect(peer.requests("initialize")).toHaveLength(2)
  })

  it("V25-HTTP-34 close ends the session with DELETE, once", async () => {
    await using peer = await startHttpPeer(forgetful)
    const client = await connected(peer.url)
    await client.close()
    await client.close()
    expect(peer.exchanges("DELETE").map(({ headers }) => headers?.["mcp-session-id"])).toEqual([
      "S1",
    ])
  })
})

const shaped400: Rule["reply"] = [
  {
    status: 400,
    id: null,
    error: { code: -32000, message: "request refused, session id is not valid" },
  },
]

describe("a server that says 400 where it should say 404", () => {
  it("C020 is taken at its word once the session had worked, with a note", async () => {
    await using peer = await startHttpPeer(forgetful)
    await using client = await connected(peer.url)
    await client.tools.list()
    forget(peer, ...shaped400)
    expect((await client.tools.list()).status).toBe("complete")
    expect(peer.requests("initialize")).toHaveLength(2)
    expect(noted(client)).toContain("session-shaped-400")
  })

  it("C020 a session has worked as soon as notifications/initialized was accepted in it", async () => {
    await using peer = await startHttpPeer(forgetful)
    await using client = await connected(peer.url)
    forget(peer, ...shaped400)
    expect((await client.tools.list()).status).toBe("complete")
    expect(peer.requests("initialize")).toHaveLength(2)
  })

  it("C020 the code alone decides nothing", async () => {
    await using peer = await startHttpPeer(forgetful)
    await using client = await connected(peer.url)
    await client.tools.list()
    forget(peer, { status: 400, id: null, error: { code: -32000, message: "no such luck" } })
    expect((await client.tools.list()).status).toBe("unavailable")
    expect(peer.requests("initialize")).toHaveLength(1)
  })

  it("C020 a 400 on the fresh session is surfaced, never looped", async () => {
    await using peer = await startHttpPeer(forgetful)
    await using client = await connected(peer.url)
    await client.tools.list()
    peer.add({ when: { method: "tools/list" }, reply: shaped400 })
    expect((await client.tools.list()).status).toBe("unavailable")
    expect(peer.requests("initialize")).toHaveLength(2)
  })

  it.each([{ strict: true }, { tolerances: { "session-shaped-400": false } }])(
    "C020 with %o the 400 is surfaced as it is",
    async (options) => {
      await using peer = await startHttpPeer(forgetful)
      await using client = await connected(peer.url, options)
      await client.tools.list()
      forget(peer, ...shaped400)
      const failed = await client.callTool({ name: "a" }).catch((error: unknown) => error)
      expect(failed).toMatchObject({ _tag: "PeerError", rpcCode: -32000, status: 400 })
      expect(peer.requests("initialize")).toHaveLength(1)
    },
  )
})

describe("a session kept from an earlier run", () => {
  const storeOf = (session: StoredSession) => {
    const kept: { session: StoredSession | undefined } = { session }
    return {
      kept,
      store: {
        load: () => kept.session,
        save: (saved: StoredSession) => void (kept.session = saved),
        clear: () => void (kept.session = undefined),
      },
    }
  }
  const initialize = {
    protocolVersion: "2025-11-25",
    capabilities: { tools: {}, prompts: {} },
    serverInfo: { name: "old", version: "0" },
  }

  it("C022 a stored session that died is replaced before anything says connected", async () => {
    await using peer = await startHttpPeer(forgetful)
    forget(peer)
    const { kept, store } = storeOf({ sessionId: "S1", initialize })
    peer.replace(legacyServer({ tools: [tool("a")], sessionIds: ["S2"] }).rules)
    await using client = await connected(peer.url, { sessions: store })
    const [first, second] = peer.received
    expect(first).toMatchObject({
      message: { method: "tools/list" },
      headers: { "mcp-session-id": "S1", "mcp-protocol-version": "2025-11-25" },
    })
    expect(second).toMatchObject({ message: { method: "initialize" } })
    expect(second?.headers).not.toHaveProperty("mcp-session-id")
    expect(client.capabilities).toEqual({ tools: {} })
    expect((await client.tools.list()).status).toBe("complete")
    expect(kept.session?.sessionId).toBe("S2")
  })

  it("C022 a stored session that lives is used as it is, and outlives the connection", async () => {
    await using peer = await startHttpPeer(
      withRules(legacyServer({ tools: [tool("a")], sessionIds: ["S1"] })),
    )
    const { kept, store } = storeOf({ sessionId: "S1", initialize })
    const client = await connected(peer.url, { sessions: store })
    expect((await client.tools.list()).status).toBe("complete")
    await client.close()
    expect(peer.requests("initialize")).toHaveLength(0)
    expect(peer.methods()).not.toContain("notifications/initialized")
    expect(peer.exchanges("DELETE")).toHaveLength(0)
    expect(kept.session?.sessionId).toBe("S1")
  })

  it("C019 a plain 404 without a session is an ordinary failure", async () => {
    await using peer = await startHttpPeer(legacyServer({ tools: [tool("a")] }))
    await using client = await connected(peer.url)
    peer.add({ when: { method: "tools/call" }, reply: refusal(404, -32001, "unknown session") })
    await expect(client.callTool({ name: "a" })).rejects.toMatchObject({ status: 404 })
    expect(peer.requests("initialize")).toHaveLength(1)
  })
})
