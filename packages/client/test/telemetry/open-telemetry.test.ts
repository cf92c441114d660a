import { AsyncLocalStorage } from "node:async_hooks"
import * as OtelMetrics from "@effect/opentelemetry/OtelMetrics"
import * as OtelTracer from "@effect/opentelemetry/OtelTracer"
import * as Resource from "@effect/opentelemetry/Resource"
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  context,
  trace,
  type Context,
} from "@opentelemetry/api"
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics"
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
} from "@opentelemetry/sdk-trace-base"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Client, memoryVerdicts } from "@entente/client"
import { legacyServer, modernServer, request, tool, withRules, type Rule } from "@entente/testkit"
import { startHttpPeer } from "@entente/testkit/node"
import { http } from "@entente/transport"
import { connected, reasonOf } from "../field/connected.js"
import { traceOf } from "./collected.js"

const offers = { tools: [tool("echo"), tool("broken")] }
const breaks: Rule = {
  when: { method: "tools/call", params: { name: "broken" } },
  reply: [{ error: { code: -32_603, message: "out of order" } }],
}
const modern = withRules(modernServer(offers), breaks)

/** An SDK that keeps its spans, and the tracer of Effect's that goes with it. */
const sdk = async () => {
  const exporter = new InMemorySpanExporter()
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  const own = provider.getTracer("host")
  const tracer = await Effect.runPromise(
    Effect.provideService(OtelTracer.make, OtelTracer.OtelTracer, own),
  )
  const named = (name: string): ReadableSpan => {
    const found = exporter.getFinishedSpans().findLast((span) => span.name === name)
    if (found === undefined) throw new Error(`There is no span ${name}`)
    return found
  }
  return { provider, own, tracer, named, spans: () => exporter.getFinishedSpans() }
}

const traceparentOf = (span: ReadableSpan): string => {
  const { traceId, spanId } = span.spanContext()
  return `00-${traceId}-${spanId}-01`
}

/** What keeps the active span of OpenTelemetry over `await` in Node. */
const kept = new AsyncLocalStorage<Context>()

beforeAll(() => {
  context.setGlobalContextManager({
    active: () => kept.getStore() ?? ROOT_CONTEXT,
    with: (active, run, self, ...args) =>
      kept.run(active, () => run.apply(self, args)) as ReturnType<typeof run>,
    bind: (active, target) =>
      typeof target === "function"
        ? // A bound function is called as the one it is made of.
          (((...args: Array<never>) => kept.run(active, () => target(...args))) as typeof target)
        : target,
    enable() {
      return this
    },
    disable() {
      return this
    },
  })
})

afterAll(() => context.disable())

describe("the SDK of OpenTelemetry, through the door of promises", () => {
  it("V26-TRACE-01 gets client spans whose names the server is told", async () => {
    const { tracer, named } = await sdk()
    await using peer = await startHttpPeer(modern)
    await using client = await connected(peer.url, { telemetry: { tracer } })
    await client.callTool({ name: "echo" })
    const [asked] = peer.requests("tools/call")
    const span = named("tools/call echo")
    expect(span.kind).toBe(SpanKind.CLIENT)
    expect(span.status.code).not.toBe(SpanStatusCode.ERROR)
    expect(span.attributes).toEqual({
      "mcp.method.name": "tools/call",
      "mcp.protocol.version": "2026-07-28",
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "echo",
      "jsonrpc.request.id": String(asked?.message.id),
      "network.transport": "tcp",
      "network.protocol.name": "http",
      "server.address": "127.0.0.1",
      "server.port": Number(new URL(peer.url).port),
    })
    expect(traceOf(asked)).toEqual({ traceparent: traceparentOf(span) })
  })

  it("gets errors, with their type and in the server's words", async () => {
    const { tracer, named } = await sdk()
    await using peer = await startHttpPeer(modern)
    await using client = await connected(peer.url, { telemetry: { tracer } })
    await reasonOf(client.callTool({ name: "broken" }))
    const span = named("tools/call broken")
    expect(span.attributes).toMatchObject({
      "error.type": "-32603",
      "rpc.response.status_code": "-32603",
    })
    expect(span.status).toMatchObject({
      code: SpanStatusCode.ERROR,
      message: expect.stringContaining("out of order"),
    })
  })

  it("finds the parent in the span that is active where the call is made, state included", async () => {
    const { tracer, own, named } = await sdk()
    await using peer = await startHttpPeer(modern)
    await using client = await connected(peer.url, { telemetry: { tracer } })
    const work = own.startSpan("work")
    const active = trace.setSpan(context.active(), work)
    await context.with(active, async () => {
      await client.tools.list()
      await client.callTool({ name: "echo" })
    })
    work.end()
    for (const name of ["tools/list", "tools/call echo"]) {
      expect(named(name).parentSpanContext?.spanId).toBe(work.spanContext().spanId)
    }
    // Outside of it there is nothing to belong to.
    await client.callTool({ name: "echo" })
    expect(named("tools/call echo").parentSpanContext).toBeUndefined()
  })

  it("takes what the connection does by itself for nobody's, whatever was active when it was made", async () => {
    const { tracer, own, spans } = await sdk()
    await using peer = await startHttpPeer(legacyServer(offers))
    const work = own.startSpan("work")
    await using client = await context.with(trace.setSpan(context.active(), work), () =>
      connected(peer.url, { telemetry: { tracer }, keepAlive: { intervalMs: 1 } }),
    )
    await peer.next("ping")
    const pings = () => spans().filter(({ name }) => name === "ping")
    while (pings().length === 0) await client.request("tools/list")
    expect(pings()[0]?.parentSpanContext).toBeUndefined()
    // The handshake is the work of whoever connects.
    const opening = spans().find(({ name }) => name === "initialize")
    expect(opening?.spanContext().traceId).toBe(work.spanContext().traceId)
  })

  it("V26-TRACE-01 is given the context of another program, whose state goes on", async () => {
    const { tracer, named } = await sdk()
    await using peer = await startHttpPeer(modern)
    await using client = await connected(peer.url, { telemetry: { tracer } })
    const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
    const parents = [
      { traceparent, tracestate: "rojo=1" },
      OtelTracer.makeExternalSpan({
        traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
        spanId: "00f067aa0ba902b7",
        traceFlags: 1,
        traceState: "rojo=1",
      }),
    ]
    for (const parent of parents) {
      await client.callTool({ name: "echo" }, { parent })
      const span = named("tools/call echo")
      expect(span.parentSpanContext?.spanId).toBe("00f067aa0ba902b7")
      expect(traceOf(peer.requests("tools/call").at(-1))).toEqual({
        traceparent: traceparentOf(span),
        tracestate: "rojo=1",
      })
    }
  })

  it("V26-TRACE-02 a call that is sent again is in the same trace, also where a parent was only active", async () => {
    const cut: Rule = { when: { method: "tools/call" }, times: 1, reply: [{ destroy: true }] }
    const { tracer, own, spans } = await sdk()
    await using peer = await startHttpPeer(withRules(modern, cut))
    await using client = await connected(peer.url, { telemetry: { tracer } })
    const work = own.startSpan("work")
    await context.with(trace.setSpan(context.active(), work), () =>
      client.callTool({ name: "echo" }, { replay: true }),
    )
    const calls = spans().filter(({ name }) => name === "tools/call echo")
    expect(calls.map((span) => span.parentSpanContext?.spanId)).toEqual([
      work.spanContext().spanId,
      work.spanContext().spanId,
    ])
    expect(calls.map(({ attributes }) => attributes["error.type"])).toEqual(["lost", undefined])
    expect(calls[1]?.links.map((link) => link.context.spanId)).toEqual([
      calls[0]?.spanContext().spanId,
    ])
  })

  it("tells no server of a provider that records nothing", async () => {
    const tracer = await Effect.runPromise(
      Effect.provideService(OtelTracer.make, OtelTracer.OtelTracer, trace.getTracer("nobody")),
    )
    await using peer = await startHttpPeer(modern)
    await using client = await connected(peer.url, { telemetry: { tracer } })
    await client.callTool({ name: "echo" })
    expect(traceOf(peer.requests("tools/call")[0])).toEqual({})
  })

  it("is active while a handler answers a question, so that what it calls belongs to the server's trace", async () => {
    const { tracer, own, named } = await sdk()
    const script = legacyServer({ ...offers, listens: true })
    await using peer = await startHttpPeer(script)
    await using client = await connected(peer.url, {
      telemetry: { tracer },
      handlers: {
        roots: async () => {
          own.startSpan("model").end()
          return []
        },
      },
    })
    await client.tools.list()
    await peer.next({ httpMethod: "GET" })
    const traceparent = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`
    peer.send(request(1, "roots/list", { _meta: { traceparent } }), { httpMethod: "GET" })
    await peer.until(({ kind }) => kind === "response")
    const served = named("roots/list")
    expect(served.kind).toBe(SpanKind.SERVER)
    expect(served.parentSpanContext?.spanId).toBe("b".repeat(16))
    expect(named("model").parentSpanContext?.spanId).toBe(served.spanContext().spanId)
  })
})

describe("the SDK of OpenTelemetry, through the door of effects", () => {
  it("V26-TRACE-01 finds the parent in the effect, and counts durations for its metrics", async () => {
    const { provider, named, spans } = await sdk()
    const metrics = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
    const reader = new PeriodicExportingMetricReader({
      exporter: metrics,
      exportIntervalMillis: 3_600_000,
    })
    const layer = Layer.merge(
      Layer.provide(OtelTracer.layer, Layer.succeed(OtelTracer.OtelTracerProvider, provider)),
      Layer.provide(
        OtelMetrics.layer(() => reader),
        Resource.layer({ serviceName: "host" }),
      ),
    )
    await using peer = await startHttpPeer(modern)
    const program = Effect.gen(function* () {
      const client = yield* Client.connect(http(peer.url), {
        verdicts: memoryVerdicts(),
        telemetry: {},
      })
      yield* Effect.withSpan(client.callTool({ name: "echo" }), "work")
      yield* Effect.flip(client.callTool({ name: "broken" }))
      yield* client.close
      yield* Effect.promise(() => reader.forceFlush())
    })
    await Effect.runPromise(Effect.provide(Effect.scoped(program), layer))

    expect(named("tools/call echo").parentSpanContext?.spanId).toBe(
      named("work").spanContext().spanId,
    )
    expect(traceOf(peer.requests("tools/call")[0])).toEqual({
      traceparent: traceparentOf(named("tools/call echo")),
    })
    expect(spans().map(({ name }) => name)).toContain("server/discover")

    const exported = metrics.getMetrics()[0]?.scopeMetrics.flatMap((scope) => scope.metrics) ?? []
    const found = (name: string) => exported.find(({ descriptor }) => descriptor.name === name)
    const operations = found("mcp.client.operation.duration")
    expect(operations?.descriptor).toMatchObject({ unit: "s", type: "HISTOGRAM" })
    const { port } = new URL(peer.url)
    const ofThisServer = (metric: typeof operations) =>
      metric?.dataPoints.filter(({ attributes }) => attributes["server.port"] === port)
    expect(ofThisServer(operations)).toMatchObject([
      { attributes: { "mcp.method.name": "server/discover" }, value: { count: 1 } },
      {
        attributes: { "mcp.method.name": "tools/call", "gen_ai.tool.name": "echo" },
        value: { count: 1 },
      },
      { attributes: { "gen_ai.tool.name": "broken", "error.type": "-32603" }, value: { count: 1 } },
    ])
    expect(ofThisServer(found("mcp.client.session.duration"))).toMatchObject([
      { attributes: { "mcp.protocol.version": "2026-07-28", "network.transport": "tcp" } },
    ])
    // What came through the door of promises is counted in the same place.
    expect(operations?.dataPoints.length).toBeGreaterThan(3)
  })
})
