import type { ConnectOptions, PromiseClient } from "@entente/client"
import {
  legacyServer,
  modernServer,
  notification,
  pages,
  tool,
  withRules,
  type Script,
} from "@entente/testkit"
import {
  startHttpPeer,
  startHttpSsePeer,
  startStdioPeer,
  startWebSocketPeer,
} from "@entente/testkit/node"
import type { TraceEvent } from "@entente/trace"
import { http, webSocket, type Transport } from "@entente/transport"
import { stdio } from "@entente/transport/stdio"
import { liveRun } from "./live-run.js"

const offers = { tools: [tool("a"), tool("b")], prompts: [{ name: "p" }] }

export interface Run {
  readonly over: "stdio" | "http" | "http+sse" | "websocket"
  readonly script: Script
  readonly use: (client: PromiseClient) => Promise<unknown>
  readonly options?: ConnectOptions
}

/** Serves a script over each medium. */
const serve: Readonly<
  Record<Run["over"], (script: Script) => Promise<AsyncDisposable & { readonly way: Transport }>>
> = {
  stdio: async (script) => {
    const peer = await startStdioPeer(script)
    return Object.assign(peer, { way: stdio(peer) })
  },
  http: async (script) => {
    const peer = await startHttpPeer(script)
    return Object.assign(peer, { way: http(peer.url) })
  },
  "http+sse": async (script) => {
    const peer = await startHttpSsePeer(script)
    return Object.assign(peer, { way: http(peer.url) })
  },
  websocket: async (script) => {
    const peer = await startWebSocketPeer(script)
    return Object.assign(peer, { way: webSocket(peer.url) })
  },
}

/** The trace of a live run against its server. */
export const recordOf = async ({
  over,
  script,
  use,
  options,
}: Run): Promise<ReadonlyArray<TraceEvent>> => {
  await using peer = await serve[over](script)
  return await liveRun(peer.way, use, options)
}

/** Connections of every kind, each to a real server over a real medium. */
export const runs: Readonly<Record<string, Run>> = {
  "legacy over stdio": {
    over: "stdio",
    script: legacyServer(offers),
    use: async (client) => {
      await client.snapshot()
      await client.callTool({ name: "a", arguments: { text: "one" } })
      await client.ping()
    },
  },
  "V25-HTTP-33 legacy over HTTP, with a session that expires in the middle": {
    over: "http",
    script: withRules(
      legacyServer({ tools: [tool("a")], sessionIds: ["secret-session-1", "secret-session-2"] }),
      { when: { method: "tools/list", nth: 2 }, reply: [{ http: { status: 404 } }] },
    ),
    use: async (client) => {
      await client.tools.list()
      await client.tools.list()
      await client.callTool({ name: "a", arguments: { text: "x" } })
    },
  },
  "modern over HTTP, with a list of two pages": {
    over: "http",
    script: withRules(
      modernServer(offers),
      ...pages("tools/list", [
        {
          tools: [tool("a")],
          nextCursor: "p2",
          ttlMs: 0,
          cacheScope: "private",
          resultType: "complete",
        },
        { tools: [tool("b")], ttlMs: 0, cacheScope: "private", resultType: "complete" },
      ]),
    ),
    use: async (client) => {
      await client.tools.list()
      await client.callTool({ name: "b", arguments: { text: "x" } })
    },
  },
  "a handshake that fails": {
    over: "stdio",
    script: withRules(legacyServer(offers), {
      when: { method: "initialize" },
      reply: [{ error: { code: -32603, message: "no" } }],
    }),
    use: async () => {},
    options: { reconnect: "never" },
  },
  "C118 a process that ends in the middle and is started again": {
    over: "stdio",
    script: withRules(legacyServer({ tools: [tool("a")] }), {
      when: { method: "tools/call", nth: 1 },
      reply: [{ stderr: "Error: no luck\n" }, { exit: 3 }],
    }),
    use: async (client) => {
      await client.callTool({ name: "a" }).catch(() => {})
      while (client.state !== "ready") await new Promise((resume) => setImmediate(resume))
      await client.tools.list()
    },
    options: { reconnect: { baseMs: 20 } },
  },
  "an HTTP refusal with 401": {
    over: "http",
    script: {
      rules: [
        {
          when: {},
          reply: [{ http: { status: 401, headers: { "www-authenticate": 'Bearer scope="a"' } } }],
        },
      ],
    },
    use: async () => {},
  },
  "C029 a first message that meets silence": {
    over: "stdio",
    script: withRules(legacyServer({ tools: [tool("a")] }), {
      when: { method: "server/discover" },
      reply: [{ silence: true }],
    }),
    use: (client) => client.tools.list(),
    options: { probeMs: 150 },
  },
  "questions of a legacy server, and a log level": {
    over: "stdio",
    script: withRules(
      legacyServer({ ...offers, capabilities: { tools: {}, logging: {} } }),
      { when: { method: "logging/setLevel" }, reply: [{ result: {} }] },
      {
        when: { method: "tools/call" },
        reply: [
          { message: { jsonrpc: "2.0", id: "q1", method: "roots/list" } },
          { message: { jsonrpc: "2.0", id: "q2", method: "ping" } },
        ],
      },
      {
        when: { kind: "response" },
        times: 1,
        reply: [{ message: notification("notifications/tools/list_changed") }],
      },
    ),
    use: async (client) => {
      await client.setLogLevel("warning")
      const heard = new Promise((resolve) => client.onNotification(resolve))
      const giving = new AbortController()
      const called = client.callTool({ name: "a" }, { signal: giving.signal }).catch(() => {})
      await heard
      giving.abort()
      await called
      await client.rootsChanged()
      await client.ping()
    },
    options: { handlers: { roots: [{ uri: "file:///home/me" }] } },
  },
  "a call that is given up, over modern HTTP": {
    over: "http",
    script: withRules(modernServer(offers), {
      when: { method: "tools/call" },
      reply: [{ silence: true }],
    }),
    use: async (client) => {
      const giving = new AbortController()
      const called = client.callTool({ name: "a" }, { signal: giving.signal }).catch(() => {})
      setTimeout(() => giving.abort(), 100)
      await called
      await client.tools.list()
    },
    options: { listen: false },
  },
  "a modern server that is listened to, with answers as event streams": {
    over: "http",
    script: modernServer({
      ...offers,
      answers: "sse",
      capabilities: { tools: { listChanged: true } },
    }),
    use: async (client) => {
      await client.tools.list()
      while (client.listening !== "open") await new Promise((resume) => setImmediate(resume))
    },
  },
  "V25-DET-03 a server of 2024-11-05, found by falling back": {
    over: "http+sse",
    script: legacyServer({ ...offers, revision: "2024-11-05" }),
    use: async (client) => {
      await client.tools.list()
      await client.callTool({ name: "a", arguments: { text: "x" } })
    },
  },
  "a modern server over WebSocket": {
    over: "websocket",
    script: modernServer(offers),
    use: (client) => client.snapshot(),
  },
}
