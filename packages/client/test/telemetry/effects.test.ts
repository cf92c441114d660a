import { describe, expect } from "vitest"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Metric from "effect/Metric"
import * as References from "effect/References"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import * as Tracer from "effect/Tracer"
import { Client, memoryVerdicts, type ConnectOptions, type Middleware } from "@entente/client"
import {
  legacyServer,
  memoryPeer,
  modernServer,
  request,
  tool,
  withRules,
  type Rule,
} from "@entente/testkit"
import { collecting, errorOf, parentOf, traceOf, traceparentOf } from "./collected.js"

const offers = { tools: [tool("echo")] }

const observed = (script = legacyServer(offers), options: ConnectOptions = {}) =>
  Effect.gen(function* () {
    const peer = memoryPeer(script)
    const { tracer, ...spans } = collecting()
    const { telemetry, ...others } = options
    const client = yield* Client.connect(peer.transport, {
      verdicts: memoryVerdicts(),
      telemetry: { tracer, ...telemetry },
      ...others,
    })
    return { peer, client, tracer, ...spans }
  })

const currentSpan = Effect.orDie(Effect.currentSpan)

describe("a call that is an effect", () => {
  it.effect("is a child of the span that it runs in: calls, requests, pages and listings", () =>
    Effect.gen(function* () {
      const { client, spans, tracer } = yield* observed(modernServer(offers))
      const parents = yield* Effect.gen(function* () {
        const { spanId } = yield* currentSpan
        yield* client.callTool({ name: "echo" })
        yield* client.request("tools/list")
        yield* Stream.runDrain(client.tools.stream())
        yield* client.tools.list()
        return [spanId, spanId, spanId, spanId]
      }).pipe(Effect.withSpan("work"), Effect.withTracer(tracer))
      const calls = spans.filter(({ name }) => name.startsWith("tools/"))
      expect(calls.map(parentOf)).toEqual(parents)
    }),
  )

  it.effect("has another parent where one is given", () =>
    Effect.gen(function* () {
      const { client, named, tracer } = yield* observed()
      const parent = Tracer.externalSpan({ traceId: "a".repeat(32), spanId: "b".repeat(16) })
      yield* client
        .callTool({ name: "echo" }, { parent })
        .pipe(Effect.withSpan("work"), Effect.withTracer(tracer))
      expect(parentOf(named("tools/call echo"))).toBe(parent.spanId)
    }),
  )

  it.effect("has no span where tracing is off, and passes over spans that are not to be told", () =>
    Effect.gen(function* () {
      const { client, spans, named, peer, tracer } = yield* observed()
      const before = spans.length
      yield* Effect.provideService(
        client.callTool({ name: "echo" }),
        References.TracerEnabled,
        false,
      )
      expect(spans).toHaveLength(before)
      expect(traceOf(peer.requests("tools/call")[0])).toEqual({})
      const off = Effect.provideService(References.TracerEnabled, false)
      const on = Effect.provideService(References.TracerEnabled, true)
      const work = yield* Effect.gen(function* () {
        yield* client.callTool({ name: "echo" }).pipe(on, Effect.withSpan("quiet"), off)
        return yield* currentSpan
      }).pipe(Effect.withSpan("work"), Effect.withTracer(tracer))
      expect(parentOf(named("tools/call echo"))).toBe(work.spanId)
    }),
  )

  it.effect("aborted: an interruption ends the span with it", () =>
    Effect.gen(function* () {
      const hangs: Rule = { when: { method: "tools/call" }, reply: [{ silence: true }] }
      const { client, peer, named } = yield* observed(withRules(legacyServer(offers), hangs))
      const call = yield* Effect.forkChild(client.callTool({ name: "echo" }))
      yield* Effect.promise(() => peer.next("tools/call"))
      yield* TestClock.adjust("3 seconds")
      yield* Fiber.interrupt(call)
      const span = named("tools/call echo")
      expect(span.attributes.get("error.type")).toBe("aborted")
      expect(errorOf(span)).toMatchObject({ _tag: "RequestAborted" })
      const { status } = span
      expect(status._tag === "Ended" && status.endTime - status.startTime).toBe(3_000_000_000n)
    }),
  )

  it.effect(
    "takes the tracer of the effect that connects, and the handshake belongs to its span",
    () =>
      Effect.gen(function* () {
        const { tracer, named, spans } = collecting()
        const peer = memoryPeer(legacyServer(offers))
        const client = yield* Client.connect(peer.transport, {
          verdicts: memoryVerdicts(),
          telemetry: {},
        }).pipe(Effect.withSpan("opening"), Effect.withTracer(tracer))
        yield* client.callTool({ name: "echo" })
        const { spanId } = named("opening")
        expect(parentOf(named("initialize"))).toBe(spanId)
        // The span of the opening is over: what comes later belongs to whoever calls.
        expect(parentOf(named("tools/call echo"))).toBeUndefined()
        expect(spans.map(({ name }) => name)).toContain("server/discover")
      }),
  )

  it.effect("leaves what the connection does by itself out of everybody's trace", () =>
    Effect.gen(function* () {
      const { tracer, spans } = collecting()
      const peer = memoryPeer(legacyServer(offers))
      yield* Client.connect(peer.transport, {
        verdicts: memoryVerdicts(),
        telemetry: {},
        keepAlive: { intervalMs: 1_000 },
      }).pipe(Effect.withSpan("opening"), Effect.withTracer(tracer))
      yield* TestClock.adjust("1 second")
      yield* Effect.promise(() => peer.next("ping"))
      const ping = spans.find(({ name }) => name === "ping")
      expect(ping && parentOf(ping)).toBeUndefined()
    }),
  )
})

describe("a list that is read again after a loss", () => {
  it.live("belongs to no trace, although the connection was made in one", () =>
    Effect.gen(function* () {
      const { tracer, spans } = collecting()
      const peer = memoryPeer(legacyServer(offers))
      const client = yield* Client.connect(peer.transport, {
        verdicts: memoryVerdicts(),
        telemetry: {},
        reconnect: { baseMs: 1 },
      }).pipe(Effect.withSpan("opening"), Effect.withTracer(tracer))
      yield* client.tools.list()
      yield* Effect.promise(() => peer.next("tools/list"))
      peer.play([{ destroy: true }], { method: "initialize" })
      yield* Effect.promise(() => peer.next("tools/list"))
      const again = spans.filter(({ name }) => name === "tools/list").at(-1)
      expect(again && parentOf(again)).toBeUndefined()
    }),
  )
})

describe("middleware and spans", () => {
  it.effect(
    "V26-TRACE-02 each request that a layer makes has its own span, below the layer's",
    () =>
      Effect.gen(function* () {
        const busy: Rule = {
          when: { method: "tools/call" },
          times: 1,
          reply: [{ error: { code: -32_603, message: "busy" } }],
        }
        const retries: Middleware = {
          request: (_request, next) =>
            Effect.withSpan(Effect.retry(next.effect(), { times: 1 }), "layer"),
        }
        const { client, spans, named, peer } = yield* observed(
          withRules(legacyServer(offers), busy),
          {
            middleware: retries,
          },
        )
        const above = Tracer.externalSpan({ traceId: "a".repeat(32), spanId: "b".repeat(16) })
        yield* client.callTool({ name: "echo" }, { parent: above })
        const layer = named("layer")
        expect(parentOf(layer)).toBe(above.spanId)
        const tries = spans.filter(({ name }) => name === "tools/call echo")
        expect(tries.map(parentOf)).toEqual([layer.spanId, layer.spanId])
        expect(tries.map(({ attributes }) => attributes.get("error.type"))).toEqual([
          "-32603",
          undefined,
        ])
        expect(peer.requests("tools/call").map((one) => traceOf(one).traceparent)).toEqual(
          tries.map(traceparentOf),
        )
      }),
  )

  it.effect(
    "V26-TRACE-02 tries of a layer that is an async function belong to one trace as well",
    () =>
      Effect.gen(function* () {
        const twice: Middleware = {
          request: async (_request, next) => {
            await next()
            return await next()
          },
        }
        const { client, spans } = yield* observed(legacyServer(offers), { middleware: twice })
        yield* client.callTool({ name: "echo" })
        const [first, second] = spans.filter(({ name }) => name === "tools/call echo")
        expect(second && parentOf(second)).toBe(first?.spanId)
      }),
  )

  it.effect("what a layer of promises sends belongs to the span of the layer around it", () =>
    Effect.gen(function* () {
      const { client, named } = yield* observed(legacyServer(offers), {
        middleware: [
          { request: (_request, next) => Effect.withSpan(next.effect(), "layer") },
          { request: async (request, next) => await next({ ...request, options: {} }) },
        ],
      })
      yield* client.callTool({ name: "echo" })
      expect(parentOf(named("tools/call echo"))).toBe(named("layer").spanId)
    }),
  )

  it.effect("an answer of a layer's own is no request, and has no span", () =>
    Effect.gen(function* () {
      const { client, spans } = yield* observed(legacyServer(offers), {
        middleware: { request: () => ({ content: [] }) },
      })
      const before = spans.length
      yield* client.callTool({ name: "echo" })
      expect(spans).toHaveLength(before)
    }),
  )
})

describe("a question of a legacy server", () => {
  const traceparent = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`
  const asks = (id: number, meta: object = { traceparent }) =>
    request(id, "roots/list", { _meta: meta })

  it.effect(
    "V25-META-06 is a span of this side below the server's, and the handler's are below that",
    () =>
      Effect.gen(function* () {
        const { peer, named, tracer } = yield* observed(legacyServer(offers), {
          handlers: { roots: () => Effect.as(Effect.withSpan(Effect.void, "handler"), []) },
          middleware: { question: (_request, next) => Effect.withSpan(next.effect(), "layer") },
        })
        expect(tracer).toBeDefined()
        peer.send(asks(7))
        yield* Effect.promise(() => peer.until(({ kind }) => kind === "response"))
        const span = named("roots/list")
        expect([span.kind, span.traceId, parentOf(span)]).toEqual([
          "server",
          "a".repeat(32),
          "b".repeat(16),
        ])
        expect(Object.fromEntries(span.attributes)).toEqual({
          "mcp.method.name": "roots/list",
          "mcp.protocol.version": "2025-11-25",
          "jsonrpc.request.id": "7",
        })
        expect(errorOf(span)).toBeUndefined()
        expect(parentOf(named("layer"))).toBe(span.spanId)
        expect(parentOf(named("handler"))).toBe(named("layer").spanId)
      }),
  )

  it.effect("is a trace of its own where the server names none, and says what became of it", () =>
    Effect.gen(function* () {
      const { peer, spans } = yield* observed(legacyServer(offers), {
        handlers: { roots: () => Effect.never },
      })
      const served = () => spans.filter(({ kind }) => kind === "server")
      peer.send(request("x".repeat(500), "com.example/ask", { _meta: { traceparent: "nonsense" } }))
      yield* Effect.promise(() => peer.until(({ kind }) => kind === "response"))
      const [refused] = served()
      expect(refused && parentOf(refused)).toBeUndefined()
      expect(Object.fromEntries(refused?.attributes ?? [])).toMatchObject({
        "error.type": "-32601",
        "rpc.response.status_code": "-32601",
        "jsonrpc.request.id": "x".repeat(128),
      })
      peer.send(asks(8))
      peer.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 8 } })
      peer.send(request(9, "ping"))
      yield* Effect.promise(() =>
        peer.until(({ message }) => (message as { id?: unknown } | undefined)?.id === 9),
      )
      expect(served()[1]?.attributes.get("error.type")).toBe("aborted")
    }),
  )
})

describe("the durations of a connection", () => {
  const histogram = (name: string) =>
    Effect.map(Metric.snapshot, (all) => all.filter(({ id }) => id === name))

  it.effect("are counted in seconds, by method, tool, version and error", () =>
    Effect.gen(function* () {
      const slow: Rule = {
        when: { method: "tools/call", params: { name: "echo" } },
        reply: [{ delay: 1_500 }, { result: { content: [] } }],
      }
      const { client, peer } = yield* observed(withRules(legacyServer(offers), slow), {
        mode: "legacy",
      })
      const call = yield* Effect.forkChild(client.callTool({ name: "echo" }))
      yield* Effect.promise(() => peer.next("tools/call"))
      yield* TestClock.adjust("1500 millis")
      yield* Fiber.join(call)
      yield* Effect.flip(client.callTool({ name: "none" }))
      const series = yield* histogram("mcp.client.operation.duration")
      expect(series.map(({ attributes, state }) => ({ attributes, state })).slice(1)).toMatchObject(
        [
          {
            attributes: {
              unit: "s",
              "mcp.method.name": "tools/call",
              "mcp.protocol.version": "2025-11-25",
              "gen_ai.operation.name": "execute_tool",
              "gen_ai.tool.name": "echo",
            },
            state: { count: 1, sum: 1.5 },
          },
          {
            attributes: {
              "gen_ai.tool.name": "none",
              "error.type": "-32602",
              "rpc.response.status_code": "-32602",
            },
            state: { count: 1 },
          },
        ],
      )
      // What is different for each request is for spans alone.
      expect(JSON.stringify(series)).not.toContain("jsonrpc.request.id")
      const [first] = series
      expect(first?.type === "Histogram" && first.state.buckets.map(([bound]) => bound)).toEqual([
        0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300,
      ])
    }).pipe(Effect.provideService(Metric.MetricRegistry, new Map())),
  )

  it.effect("include the session's own, from the agreement to the end, and how it ended", () =>
    Effect.gen(function* () {
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* observed(legacyServer(offers))
          yield* TestClock.adjust("90 seconds")
        }),
      )
      const { peer, client } = yield* observed(legacyServer(offers), { reconnect: "never" })
      yield* TestClock.adjust("1 second")
      peer.play([{ destroy: true }], { method: "initialize" })
      yield* Stream.runDrain(client.states)
      const series = yield* histogram("mcp.client.session.duration")
      expect(
        series.map(({ attributes, state }) => [attributes?.["error.type"], state]),
      ).toMatchObject([
        [undefined, { count: 1, sum: 90 }],
        ["unreachable", { count: 1, sum: 1 }],
      ])
    }).pipe(Effect.provideService(Metric.MetricRegistry, new Map())),
  )

  it.effect("are counted without a tracer, and not where that is not wanted", () =>
    Effect.gen(function* () {
      for (const [metrics, count] of [
        [false, 0],
        [true, 1],
      ] as const) {
        const peer = memoryPeer(legacyServer(offers))
        const client = yield* Client.connect(peer.transport, {
          verdicts: memoryVerdicts(),
          telemetry: { metrics },
        })
        yield* client.callTool({ name: "echo" })
        const series = yield* histogram("mcp.client.operation.duration")
        expect(
          series.filter(({ attributes }) => attributes?.["gen_ai.tool.name"] === "echo"),
        ).toHaveLength(count)
      }
    }).pipe(Effect.provideService(Metric.MetricRegistry, new Map())),
  )

  it.effect("count what was never sent nowhere", () =>
    Effect.gen(function* () {
      const { client } = yield* observed(legacyServer(offers))
      yield* Effect.flip(client.getPrompt({ name: "greet" }))
      const series = yield* histogram("mcp.client.operation.duration")
      expect(JSON.stringify(series)).not.toContain("prompts/get")
    }).pipe(Effect.provideService(Metric.MetricRegistry, new Map())),
  )

  it.effect("tell tools apart up to a bound, which no server can raise", () =>
    Effect.gen(function* () {
      const { client } = yield* observed(
        withRules(legacyServer(offers), {
          when: { method: "tools/call" },
          reply: [{ result: { content: [] } }],
        }),
      )
      for (let n = 0; n < 1_010; n++) yield* client.callTool({ name: `tool-${n}` })
      const series = yield* histogram("mcp.client.operation.duration")
      const calls = series.filter(
        ({ attributes }) => attributes?.["mcp.method.name"] === "tools/call",
      )
      expect(calls).toHaveLength(1_001)
      const rest = calls.find(({ attributes }) => attributes?.["gen_ai.tool.name"] === undefined)
      expect(rest?.state).toMatchObject({ count: 10 })
    }).pipe(Effect.provideService(Metric.MetricRegistry, new Map())),
  )
})
