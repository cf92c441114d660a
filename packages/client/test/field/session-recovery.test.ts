import { describe, expect, it } from "vitest"
import type { StoredSession } from "@entente/client"
import { legacyServer, refusal, tool, withRules, type Rule } from "@entente/testkit"
import { startHttpPeer, type HttpPeer } from "@entente/testkit/node"
import { Trace } from "@entente/trace"
import { connected, names, noted, reasonOf } from "./connected.js"

/** A server that knows S1 until it forgets it, and S2 from then on. */
const forgetful = legacyServer({ tools: [tool("a")], sessionIds: ["S1", "S2"] })

const gone: Rule["reply"] = [
  { status: 404, id: null, error: { code: -32001, message: "unknown session" } },
]

/** From now on S1 is unknown. */
const forget = (peer: HttpPeer, ...reply: Rule["reply"]): void =>
  peer.add({
    when: { headers: { "mcp-session-id": "S1" } },
    reply: reply.length > 0 ? reply : gone,
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

  it("C019 a 404 for the old session that comes after the renewal changes nothing", async () => {
    const slow = withRules(forgetful, {
      when: { method: "tools/call", headers: { "mcp-session-id": "S1" } },
      reply: [{ silence: true }],
    })
    await using peer = await startHttpPeer(slow)
    await using client = await connected(peer.url)
    await client.tools.list()
    const late = reasonOf(client.callTool({ name: "a" }))
    await peer.next("tools/call")
    peer.add({ when: { method: "tools/list", headers: { "mcp-session-id": "S1" } }, reply: gone })
    await client.tools.list()
    expect(peer.requests("initialize")).toHaveLength(2)
    peer.play(gone, { method: "tools/call" })
    expect(await late).toMatchObject({ _tag: "SessionLost" })
    expect(client.state).toBe("ready")
    expect(await client.callTool({ name: "a" })).toMatchObject({ content: [{}] })
    expect(sessionsOf(peer, "tools/call")).toEqual(["S1", "S2"])
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
    peer.add({ when: { method: "tools/list" }, reply: gone })
    const listing = await client.tools.list()
    expect(listing).toMatchObject({ status: "unavailable" })
    expect(peer.requests("initialize")).toHaveLength(2)
  })

  it("C019 that holds under the default policy for lost connections too", async () => {
    await using peer = await startHttpPeer(forgetful)
    await using client = await connected(peer.url)
    await client.tools.list()
    peer.add({ when: { method: "tools/list" }, reply: gone })
    expect(await client.tools.list()).toMatchObject({
      status: "unavailable",
      reason: { code: "peer-error", message: expect.stringContaining("unknown session") },
    })
    await client.callTool({ name: "a" }).catch(() => {})
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

  it("C020 a body without any id, in answer to a tool call: lost as C019 says, and the next one works", async () => {
    await using peer = await startHttpPeer(forgetful)
    await using client = await connected(peer.url)
    await client.tools.list()
    const error = { code: -32000, message: "request refused, session id is not valid" }
    forget(peer, { http: { status: 400, json: { jsonrpc: "2.0", error } } })
    const calls = Array.from({ length: 3 }, () => reasonOf(client.callTool({ name: "a" })))
    for (const reason of await Promise.all(calls)) {
      expect(reason).toMatchObject({ _tag: "SessionLost", code: "session-lost" })
    }
    expect(await client.callTool({ name: "a" })).toMatchObject({ content: [{}] })
    expect(sessionsOf(peer, "initialize")).toEqual([undefined, undefined])
  })

  it("C020 a body that names the request speaks of the request, whatever its words", async () => {
    await using peer = await startHttpPeer(forgetful)
    await using client = await connected(peer.url)
    await client.tools.list()
    forget(peer, { status: 400, error: { code: -32000, message: "session id is not valid" } })
    expect(await reasonOf(client.callTool({ name: "a" }))).toMatchObject({
      _tag: "PeerError",
      rpcCode: -32000,
      status: 400,
    })
    expect(peer.requests("initialize")).toHaveLength(1)
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
  const serverInfo = { name: "old", version: "0" }
  const initialize = {
    protocolVersion: "2025-11-25",
    capabilities: { tools: {}, prompts: {} },
    serverInfo,
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

  it("C022 until the new session has answered, the store is empty and nothing is connected", async () => {
    const server = legacyServer({ tools: [tool("a")], sessionIds: ["S2"] })
    await using peer = await startHttpPeer(
      withRules(server, { when: { method: "initialize" }, reply: [{ silence: true }] }),
    )
    const { kept, store } = storeOf({ sessionId: "S1", initialize })
    const trace = new Trace()
    const states: Array<string> = []
    trace.subscribe((event) => {
      if (event.type === "transition" && event.chart === "connection") states.push(event.to)
    })
    const opening = connected(peer.url, { sessions: store, trace })
    await peer.next("initialize")
    expect(kept.session).toBeUndefined()
    expect(peer.methods()).toEqual(["tools/list", "initialize"])
    expect(states.length).toBeGreaterThan(0)
    expect(states).not.toContain("ready")
    const result = { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo }
    peer.play([{ result, headers: { "mcp-session-id": "S2" } }], { method: "initialize" })
    await using client = await opening
    expect(client.capabilities).toEqual({ tools: {} })
    expect((await client.tools.list()).status).toBe("complete")
    expect(kept.session?.sessionId).toBe("S2")
  })

  it.each<[string, Rule["reply"]]>([
    ["an outage", [{ http: { status: 503 } }]],
    ["a 401", [{ http: { status: 401, headers: { "www-authenticate": "Bearer" } } }]],
    ["a connection that is cut", [{ destroy: true }]],
  ])(
    "C022 %s says nothing about a stored session: it is kept for the next try",
    async (_, reply) => {
      await using peer = await startHttpPeer(withRules(forgetful, { when: {}, reply }))
      const { kept, store } = storeOf({ sessionId: "S1", initialize })
      expect(await reasonOf(connected(peer.url, { sessions: store }))).toBeDefined()
      expect(kept.session?.sessionId).toBe("S1")
    },
  )

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
