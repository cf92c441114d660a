import { describe, expect, it } from "vitest"
import * as Tracer from "effect/Tracer"
import { type ConnectOptions } from "@entente/client"
import {
  legacyServer,
  memoryPeer,
  modernServer,
  pages,
  refusal,
  request,
  tool,
  withRules,
  type ReceivedRequest,
  type Rule,
} from "@entente/testkit"
import { startHttpPeer, startStdioPeer } from "@entente/testkit/node"
import { http } from "@entente/transport"
import { stdio } from "@entente/transport/stdio"
import { connected, noted, reasonOf } from "../field/connected.js"
import { collecting, errorOf, parentOf, told, traceOf, traceparentOf } from "./collected.js"

const offers = {
  tools: [tool("echo")],
  prompts: [{ name: "greet" }],
  resources: [{ uri: "file:///notes", name: "notes" }],
}
const eras = [
  ["legacy", legacyServer(offers), "2025-11-25"],
  ["modern", modernServer(offers), "2026-07-28"],
] as const

const hangs: Rule = { when: { method: "tools/call" }, reply: [{ silence: true }] }

/** A connection in memory whose spans are kept. */
const observed = async (script = legacyServer(offers), options: ConnectOptions = {}) => {
  const peer = memoryPeer(script)
  const { tracer, spans, named } = collecting()
  const { telemetry, ...others } = options
  const client = await connected(peer.transport, { telemetry: { tracer, ...telemetry }, ...others })
  return { peer, client, spans, named }
}

describe.for(eras)("the spans of a %s connection", ([, script, revision]) => {
  it("V26-TRACE-01 V25-META-06 say what the conventions for MCP ask for, and the server is told which they are", async () => {
    const { peer, client, named } = await observed(script)
    await client.callTool({ name: "echo", arguments: { text: "secret-argument" } })
    const [request] = peer.requests("tools/call")
    const span = named("tools/call echo")
    expect(span.kind).toBe("client")
    expect(Object.fromEntries(span.attributes)).toEqual({
      "mcp.method.name": "tools/call",
      "mcp.protocol.version": revision,
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "echo",
      "jsonrpc.request.id": String(request?.message.id),
    })
    expect(errorOf(span)).toBeUndefined()
    expect(traceOf(request)).toEqual({ traceparent: traceparentOf(span) })
    await client.close()
  })

  it("are children of the span that the caller names, and else the beginning of a trace", async () => {
    const { peer, client, spans } = await observed(script)
    const above = Tracer.externalSpan({
      traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
      spanId: "00f067aa0ba902b7",
    })
    await client.callTool({ name: "echo" }, { parent: above })
    await client.callTool({ name: "echo" })
    const [child, root] = spans.filter(({ name }) => name === "tools/call echo")
    expect(child && parentOf(child)).toBe(above.spanId)
    expect(child?.traceId).toBe(above.traceId)
    expect(root && parentOf(root)).toBeUndefined()
    expect(root?.traceId).not.toBe(above.traceId)
    expect(peer.requests("tools/call").map(traceOf)).toEqual(
      [child, root].map((span) => ({ traceparent: span && traceparentOf(span) })),
    )
    await client.close()
  })

  it("V26-TRACE-01 go on with a trace context of W3C, its state included, given as parent or in meta", async () => {
    const context = {
      traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00",
      tracestate: "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE",
    }
    for (const options of [{ parent: context }, { meta: context }]) {
      const { peer, client, named } = await observed(script)
      await client.callTool({ name: "echo" }, options)
      const span = named("tools/call echo")
      expect([span.traceId, parentOf(span)]).toEqual([
        "4bf92f3577b34da6a3ce929d0e0e4736",
        "00f067aa0ba902b7",
      ])
      // Not sampled above, so not sampled here, and told so.
      expect(traceOf(peer.requests("tools/call")[0])).toEqual({
        traceparent: `00-${span.traceId}-${span.spanId}-00`,
        tracestate: context.tracestate,
      })
      await client.close()
    }
  })

  it("V26-TRACE-01 begin a new trace below a parent that is none", async () => {
    const { client, named } = await observed(script)
    await client.callTool({ name: "echo" }, { parent: { traceparent: "00-nonsense" } })
    expect(parentOf(named("tools/call echo"))).toBeUndefined()
    await client.close()
  })

  it("V26-TRACE-02 carry no baggage unless the host gives some, and only what is baggage", async () => {
    let given: string | undefined
    const { peer, client } = await observed(script, { telemetry: { baggage: () => given } })
    const offered = ["userId=alice", "no baggage at all", undefined]
    for (given of offered) await client.callTool({ name: "echo" })
    expect(peer.requests("tools/call").map((one) => traceOf(one).baggage)).toEqual([
      "userId=alice",
      undefined,
      undefined,
    ])
    await client.close()
  })

  it("are for this side alone where nothing is to be propagated", async () => {
    const { peer, client, named } = await observed(script, { telemetry: { propagate: false } })
    const meta = { traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01" }
    await client.callTool({ name: "echo" })
    await client.callTool({ name: "echo" }, { meta })
    expect(named("tools/call echo")).toBeDefined()
    // What the caller wants to go out does.
    expect(peer.requests("tools/call").map((one) => traceOf(one).traceparent)).toEqual([
      undefined,
      meta.traceparent,
    ])
    await client.close()
  })

  it("are not there without telemetry, nor any key of them", async () => {
    const bare = memoryPeer(script)
    await using client = await connected(bare.transport)
    await client.callTool({ name: "echo" }, { parent: { traceparent: "00-nonsense" } })
    await client.tools.list()
    const nothing = { traceparent: undefined, tracestate: undefined, baggage: undefined }
    expect(bare.requests().map(traceOf)).toEqual(bare.requests().map(() => nothing))
  })

  it("are not there where no tracer is given, nor any key of them", async () => {
    const peer = memoryPeer(script)
    await using client = await connected(peer.transport, { telemetry: {} })
    await client.callTool({ name: "echo" })
    expect(traceOf(peer.requests("tools/call")[0])).toEqual({})
  })

  it("name prompts, and resources only where that is wanted, without credentials and never by name", async () => {
    const readable = withRules(
      script,
      {
        when: { method: "prompts/get" },
        reply: [{ result: { resultType: "complete", messages: [] } }],
      },
      {
        when: { method: "resources/read" },
        reply: [
          { result: { resultType: "complete", contents: [], ttlMs: 0, cacheScope: "private" } },
        ],
      },
    )
    const uri = "https://me:hunter2@example.com/doc?token=hunter3&page=2"
    for (const [captureResourceUris, shown] of [
      [false, undefined],
      [true, expect.stringMatching(/^https:\/\/.*@example\.com\/doc\?.*page=2$/)],
    ] as const) {
      const { client, named } = await observed(readable, { telemetry: { captureResourceUris } })
      await client.getPrompt({ name: "greet" })
      await client.readResource({ uri })
      const prompt = named("prompts/get greet")
      expect(prompt.attributes.get("gen_ai.prompt.name")).toBe("greet")
      expect(prompt.attributes.has("gen_ai.operation.name")).toBe(false)
      const read = named("resources/read")
      expect(told(read)).not.toMatch(/hunter/)
      expect(read.attributes.get("mcp.resource.uri")).toEqual(shown)
      await client.close()
    }
  })

  it("keep the names that a server chooses short", async () => {
    const name = "x".repeat(10_000)
    const { client, spans } = await observed(script)
    await reasonOf(client.callTool({ name }))
    expect(spans.at(-1)?.name).toBe(`tools/call ${"x".repeat(128)}`)
    await client.close()
  })

  it("V26-TRACE-02 of the pages of one list belong to one trace", async () => {
    const page = { resultType: "complete", ttlMs: 0, cacheScope: "private" }
    const paged = withRules(
      script,
      ...pages("tools/list", [
        { ...page, tools: [tool("a")], nextCursor: "bearer-like" },
        { ...page, tools: [tool("b")] },
      ]),
    )
    const { client, spans } = await observed(paged)
    await client.tools.list()
    const [first, second] = spans.filter(({ name }) => name === "tools/list")
    expect(second && parentOf(second)).toBe(first?.spanId)
    expect(second?.links.map(({ span }) => span.spanId)).toEqual([first?.spanId])
    expect(spans.map(told).join()).not.toContain("bearer-like")
    await client.close()
  })
})

describe("the handshake in spans", () => {
  it("is one trace, and says which version came of it", async () => {
    const { client, spans, named } = await observed(legacyServer(offers))
    expect(spans.map(({ name }) => name)).toEqual(["server/discover", "initialize"])
    expect(named("server/discover").attributes.get("error.type")).toBe("-32601")
    expect(named("initialize").attributes.get("mcp.protocol.version")).toBe("2025-11-25")
    expect(named("initialize").traceId).toBe(named("server/discover").traceId)
    await client.close()
  })
})

describe("the error of a span", () => {
  const fails = async (rule: Rule, params = { name: "echo" }) => {
    const { client, spans } = await observed(withRules(legacyServer(offers), rule), {
      reconnect: "never",
    })
    const reason = await reasonOf(client.callTool(params))
    const span = spans.at(-1)
    await client.close()
    return { reason, span, type: span?.attributes.get("error.type") }
  }

  it("is the code of the server, where it gave one", async () => {
    const { span, type, reason } = await fails({
      when: { method: "tools/call" },
      reply: [{ error: { code: -32_042, message: "look it up" } }],
    })
    expect(type).toBe("-32042")
    expect(span?.attributes.get("rpc.response.status_code")).toBe("-32042")
    expect(span && errorOf(span)).toMatchObject({
      _tag: "PeerError",
      message: (reason as Error).message,
    })
  })

  it("is tool_error where a tool reports an error, and nothing is told of what it says", async () => {
    const { span, type, reason } = await fails({
      when: { method: "tools/call" },
      reply: [{ result: { isError: true, content: [{ type: "text", text: "secret-result" }] } }],
    })
    expect(reason).toBeUndefined()
    expect(type).toBe("tool_error")
    expect(span?.attributes.has("rpc.response.status_code")).toBe(false)
    expect(span && told(span)).not.toContain("secret-result")
  })

  it("is lost where the connection went away", async () => {
    const { type } = await fails({ when: { method: "tools/call" }, reply: [{ destroy: true }] })
    expect(type).toBe("lost")
  })

  it("is timeout, aborted, capability-missing or invalid-input, where this side ended it", async () => {
    const { client, spans, peer } = await observed(withRules(legacyServer({ tools: [] }), hangs))
    const lastType = () => spans.at(-1)?.attributes.get("error.type")
    await reasonOf(client.callTool({ name: "echo" }, { timeoutMs: 1 }))
    expect(lastType()).toBe("timeout")
    const stop = new AbortController()
    const call = reasonOf(client.callTool({ name: "echo" }, { signal: stop.signal }))
    await peer.next("tools/call")
    await peer.next("tools/call")
    stop.abort()
    await call
    expect(lastType()).toBe("aborted")
    const sent = peer.requests().length
    await reasonOf(client.getPrompt({ name: "greet" }))
    expect(lastType()).toBe("capability-missing")
    // What was never sent has no id.
    expect(spans.at(-1)?.attributes.has("jsonrpc.request.id")).toBe(false)
    const refused = reasonOf(client.callTool({ name: "echo" }, { meta: { tracestate: "?" } }))
    expect(await refused).toMatchObject({ _tag: "InvalidInput" })
    expect(lastType()).toBe("invalid-input")
    expect(peer.requests()).toHaveLength(sent)
    await client.close()
  })

  it("is a stable code of the docs for what HTTP refuses", async () => {
    await using peer = await startHttpPeer(
      withRules(modernServer(offers), {
        when: { method: "tools/call" },
        reply: [{ http: { status: 403, text: "no" } }],
      }),
    )
    const { tracer, named } = collecting()
    await using client = await connected(peer.url, { telemetry: { tracer } })
    await reasonOf(client.callTool({ name: "echo" }))
    expect(named("tools/call echo").attributes.get("error.type")).toBe("forbidden")
  })

  it("V26-TRACE-02 belongs to one try: what is sent again has a span of its own in the same trace", async () => {
    const cut: Rule = { when: { method: "tools/call" }, times: 1, reply: [{ destroy: true }] }
    const { peer, client, spans } = await observed(withRules(legacyServer(offers), cut), {
      reconnect: { baseMs: 1 },
    })
    await client.callTool({ name: "echo" }, { replay: true })
    const [lost, again] = spans.filter(({ name }) => name === "tools/call echo")
    expect(lost?.attributes.get("error.type")).toBe("lost")
    expect(again && errorOf(again)).toBeUndefined()
    expect(again && parentOf(again)).toBe(lost?.spanId)
    expect(again?.links.map(({ span }) => span.spanId)).toEqual([lost?.spanId])
    expect(peer.requests("tools/call").map((one) => traceOf(one).traceparent)).toEqual(
      [lost, again].map((span) => span && traceparentOf(span)),
    )
    // The connection came back by itself, for nobody's trace.
    const opening = spans.filter(({ name }) => name === "initialize").at(-1)
    expect(opening && parentOf(opening)).toBeUndefined()
    expect(opening?.traceId).not.toBe(lost?.traceId)
    await client.close()
  })
})

describe("V26-TRACE-02 a request that the server asks in the middle of", () => {
  it("has a span for each round, below the caller's and each after the other", async () => {
    const asks: Rule = {
      when: { method: "tools/call", params: { requestState: { $present: false } } },
      reply: [{ result: { resultType: "input_required", requestState: "bearer-like" } }],
    }
    const { peer, client, spans } = await observed(withRules(modernServer(offers), asks))
    const above = Tracer.externalSpan({ traceId: "a".repeat(32), spanId: "b".repeat(16) })
    await client.callTool({ name: "echo" }, { parent: above })
    const rounds = spans.filter(({ name }) => name === "tools/call echo")
    expect(rounds.map(parentOf)).toEqual([above.spanId, above.spanId])
    expect(rounds[1]?.links.map(({ span }) => span.spanId)).toEqual([rounds[0]?.spanId])
    expect(peer.requests("tools/call").map((one) => traceOf(one).traceparent)).toEqual(
      rounds.map(traceparentOf),
    )
    expect(spans.map(told).join()).not.toContain("bearer-like")
    await client.close()
  })
})

describe("a subscription", () => {
  it("is no operation: it stands for as long as it is wanted, and has no span", async () => {
    const changes = { tools: { listChanged: true } }
    const script = modernServer({ ...offers, capabilities: changes })
    const { peer, client, spans } = await observed(script)
    await client.tools.list()
    const { message } = await peer.next("subscriptions/listen")
    expect(traceOf({ message } as ReceivedRequest)).toEqual({})
    await client.close()
    expect(spans.map(({ name }) => name)).toEqual(["server/discover", "tools/list"])
  })
})

describe("V26-TRACE-02 V26-XHDR-13 a call whose headers were out of date", () => {
  it("has a span for each try and for the reading between them, all in one trace", async () => {
    const refuses: Rule = {
      when: { method: "tools/call" },
      times: 1,
      reply: refusal(400, -32_020, "Headers do not repeat the body"),
    }
    await using peer = await startHttpPeer(withRules(modernServer(offers), refuses))
    const { tracer, spans } = collecting()
    await using client = await connected(peer.url, { telemetry: { tracer } })
    await client.callTool({ name: "echo" })
    const [first, ...others] = spans.filter(({ name }) => name.startsWith("tools/"))
    expect(others.map(({ name }) => name)).toEqual(["tools/list", "tools/call echo"])
    expect(others.map(parentOf)).toEqual([first?.spanId, first?.spanId])
    expect(first?.attributes.get("error.type")).toBe("-32020")
  })
})

describe("where a server is", () => {
  it("is a pipe for stdio", async () => {
    await using peer = await startStdioPeer(legacyServer(offers))
    const { tracer, named } = collecting()
    await using client = await connected(stdio(peer), { telemetry: { tracer } })
    await client.callTool({ name: "echo" })
    const { attributes } = named("tools/call echo")
    expect(attributes.get("network.transport")).toBe("pipe")
    expect(attributes.has("server.address")).toBe(false)
  })

  it("is host and port for HTTP, and no secret of it is told", async () => {
    const error: Rule = { when: { method: "tools/call" }, reply: refusal(500, -1, "broken") }
    await using peer = await startHttpPeer(withRules(modernServer(offers), error))
    const url = new URL(peer.url)
    url.searchParams.set("token", "hunter2")
    const { tracer, spans, named } = collecting()
    await using client = await connected(
      http(url, { headers: { authorization: "Bearer hunter3" } }),
      { telemetry: { tracer } },
    )
    await reasonOf(
      client.callTool(
        { name: "echo", arguments: { password: "hunter4" } },
        { headers: { "x-api-key": "hunter5" }, meta: { "com.example/ticket": "hunter6" } },
      ),
    )
    const { attributes } = named("tools/call echo")
    expect(Object.fromEntries(attributes)).toMatchObject({
      "network.transport": "tcp",
      "network.protocol.name": "http",
      "server.address": "127.0.0.1",
      "server.port": Number(url.port),
      "error.type": "-1",
    })
    expect(spans.map(told).join()).not.toMatch(/hunter/)
  })
})

describe("V25-HTTP-36 V25-SEC-01 the id of a session", () => {
  const script = legacyServer({ ...offers, sessionIds: ["session-secret-1", "session-secret-2"] })
  const unknown: Rule = {
    when: { method: "tools/list", headers: { "mcp-session-id": "session-secret-1" } },
    reply: refusal(404, -32_600, "Unknown session"),
  }

  it("is never told: a number stands for it, the same one as long as it lasts", async () => {
    await using peer = await startHttpPeer(withRules(script, unknown))
    const { tracer, spans } = collecting()
    await using client = await connected(peer.url, { telemetry: { tracer }, mode: "legacy" })
    await client.callTool({ name: "echo" })
    await client.callTool({ name: "echo" })
    await client.tools.list() // meets a dead session, and has a new one
    await client.callTool({ name: "echo" })
    const names = spans
      .filter(({ name }) => name === "tools/call echo")
      .map(({ attributes }) => attributes.get("mcp.session.id"))
    expect(names).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), names[0], expect.any(String)])
    expect(names[2]).not.toBe(names[0])
    expect(spans.map(told).join()).not.toContain("session-secret")
  })

  it("is told as the host wants it, or not at all", async () => {
    for (const [sessionId, shown] of [
      [(id: string) => `hash of ${id.length}`, "hash of 16"],
      [() => undefined, undefined],
    ] as const) {
      await using peer = await startHttpPeer(script)
      const { tracer, named } = collecting()
      await using client = await connected(peer.url, {
        telemetry: { tracer, sessionId },
        mode: "legacy",
      })
      await client.callTool({ name: "echo" })
      expect(named("tools/call echo").attributes.get("mcp.session.id")).toBe(shown)
    }
  })
})

describe("a tracer whose ids are none of W3C's", () => {
  it("V26-TRACE-01 makes spans that no server is told of", async () => {
    const tracer = Tracer.make({
      span: (options) => {
        const span = new Tracer.NativeSpan(options)
        span._traceId = "trace-1"
        return span
      },
    })
    const peer = memoryPeer(legacyServer(offers))
    await using client = await connected(peer.transport, { telemetry: { tracer } })
    await client.callTool({ name: "echo" })
    expect(traceOf(peer.requests("tools/call")[0])).toEqual({})
  })
})

describe("a tracer that throws", () => {
  const throws = (): never => {
    throw new Error("secret-token")
  }

  it("costs no connection and no call; that something was not told is noted", async () => {
    const broken = Tracer.make({ span: throws })
    const halfBroken = Tracer.make({
      span: (options) => Object.assign(new Tracer.NativeSpan(options), { attribute: throws }),
    })
    for (const tracer of [broken, halfBroken]) {
      const peer = memoryPeer(legacyServer(offers))
      await using client = await connected(peer.transport, { telemetry: { tracer } })
      expect(await client.callTool({ name: "echo" })).toBeDefined()
      peer.send(request(1, "ping"))
      const answer = await peer.until(({ kind }) => kind === "response")
      expect(answer.message).toMatchObject({ id: 1, result: {} })
      expect(noted(client)).toContain("telemetry-failed")
      expect(JSON.stringify(client.notes)).not.toContain("secret-token")
    }
  })

  it("is no worse than options that throw", async () => {
    await using peer = await startHttpPeer(legacyServer({ ...offers, sessionIds: ["S1"] }))
    const { tracer, named } = collecting()
    await using client = await connected(peer.url, {
      telemetry: { tracer, baggage: throws, sessionId: throws },
    })
    expect(await client.callTool({ name: "echo" })).toBeDefined()
    expect(errorOf(named("tools/call echo"))).toBeUndefined()
    expect(noted(client)).toContain("telemetry-failed")
  })
})
