import { diagnose, examine, type ExamineOptions } from "@entente/doctor"
import {
  legacyServer,
  notification,
  tool,
  withRules,
  type Script,
  type Step,
} from "@entente/testkit"
import { startHttpPeer, startStdioPeer } from "@entente/testkit/node"
import { CurrentTrace, Trace, type TraceEvent } from "@entente/trace"
import { http, record } from "@entente/transport"
import { stdio } from "@entente/transport/stdio"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { handMade } from "./hand-made.js"
import { ClumsyClient } from "./variants/clumsy-client.js"

const tools = ["a", "b", "c", "d", "e", "f", "g", "h"].map((name) => tool(name))

const overStdio = async (script: Script, options: ExamineOptions = {}) => {
  await using peer = await startStdioPeer(script)
  const { command, args } = peer
  return await examine({ transport: () => stdio({ command, args }) }, options)
}

const overHttp = async (script: Script) => {
  await using peer = await startHttpPeer(script)
  const { url } = peer
  return await examine({ transport: () => http(url) })
}

const listing = (...reply: ReadonlyArray<Step>): Script =>
  withRules(legacyServer({ tools }), { when: { kind: "request", method: "tools/list" }, reply })

describe("C054: a server that does not echo the id", () => {
  const zero = { jsonrpc: "2.0", id: 0 }
  const capabilities = { tools: {} }
  const serverInfo = { name: "zero", version: "1" }
  const initialized = { protocolVersion: "2025-11-25", capabilities, serverInfo }
  /** Every request is answered with id 0. */
  const answers: ReadonlyArray<readonly [method: string, result: object]> = [
    ["initialize", initialized],
    ["tools/list", { tools }],
  ]
  const zeroServer = (answered: "json" | "sse"): Script => ({
    rules: answers.map(([method, result]) => ({
      when: { kind: "request", method },
      reply:
        answered === "json"
          ? [{ message: { ...zero, result } }]
          : [{ event: { message: { ...zero, result } } }],
    })),
    unmatched: [{ message: { ...zero, error: { code: -32601, message: "Method not found" } } }],
  })

  it.each(["json", "sse"] as const)(
    "C054: is caught at initialize, by the answer in its own exchange, as %s",
    async (answered) => {
      const { diagnosis } = await overHttp(zeroServer(answered))
      const [first] = diagnosis.hypotheses
      expect(first).toMatchObject({ code: "response-id-not-echoed", family: 2 })
      expect(first?.evidence.map(({ marked }) => marked)).toContain('"id":0')
      expect(diagnosis.verdict).toBe("failed")
      expect(diagnosis.stages.find(({ stage }) => stage === "negotiate")?.status).toBe("failed")
    },
  )

  it("C054: is caught at initialize over stdio, where the answer waits for its deadline", async () => {
    const { diagnosis } = await overStdio(zeroServer("json"), { timeoutMs: 3_000 })
    expect(diagnosis.hypotheses[0]).toMatchObject({ code: "response-id-not-echoed" })
    expect(diagnosis.hypotheses[0]?.title).toContain("with the id 0 instead of the id")
  })

  it("C054: is named where initialize worked because its id happened to be 0", () => {
    const trace = handMade([
      ["out", { id: 0, method: "initialize", params: { protocolVersion: "2025-11-25" } }],
      ["in", { id: 0, result: initialized }],
      ["out", { method: "notifications/initialized" }],
      ["out", { id: 1, method: "tools/list" }],
      ["in", { id: 0, result: { tools } }],
    ])
    const [first] = diagnose(trace).hypotheses
    expect(first).toMatchObject({
      code: "response-id-not-echoed",
      title: "The server answers tools/list with the id 0 instead of the id 1",
      evidence: [
        { frame: 3, marked: '"id":1' },
        { frame: 4, marked: '"id":0' },
      ],
    })
  })
})

describe("C065: a server that dies at a notification", () => {
  it("C065: the exit is connected with notifications/cancelled, with its code and the last lines of stderr", async () => {
    const script = withRules(listing({ silence: true }), {
      when: { kind: "notification", method: "notifications/cancelled" },
      reply: [
        { stderr: "Traceback (most recent call last):\n  File server.py\nValidationError: 1\n" },
        { exit: 1 },
      ],
    })
    await using peer = await startStdioPeer(script)
    const events: Array<TraceEvent> = []
    const trace = new Trace()
    const ended = new Promise<void>((resolve) => {
      trace.subscribe((event) => {
        events.push(event)
        if (event.type === "channel" && event.event === "closed") resolve()
      })
    })
    const { command, args } = peer
    const transport = record(stdio({ command, args }), trace)
    // The process tells of its life itself, the recording of the rest.
    const told = { ...transport, open: Effect.provideService(transport.open, CurrentTrace, trace) }
    {
      await using client = await ClumsyClient.open(told)
      const clientInfo = { name: "clumsy", version: "1" }
      const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo }
      await client.say({ id: 1, method: "initialize", params })
      await client.say({ method: "notifications/initialized" })
      void client.say({ id: 2, method: "tools/list" })
      await client.say({ method: "notifications/cancelled", params: { requestId: 2 } })
      await ended
    }
    const [first] = diagnose(events).hypotheses
    expect(first).toMatchObject({ code: "server-crashed-after", family: 2 })
    expect(first?.title).toContain("(exit code 1) after notifications/cancelled was sent")
    expect(first?.evidence.map(({ marked }) => marked)).toEqual([
      '"method":"notifications/cancelled"',
      "Traceback (most recent call last):",
      "File server.py",
      "ValidationError: 1",
      "exit code 1",
    ])
  })
})

describe("C067: a message cut at exactly 65,536 bytes", () => {
  const begun = '{"jsonrpc":"2.0","id":3,"result":{"tools":[{"name":"'
  const cut: Step = { raw: [begun, { repeat: "x", times: 65_536 - begun.length }] }

  it.each([
    ["the end of the process", [cut, { exit: 0 }]],
    ["silence", [cut, { silence: true }]],
  ] as const)("C067: is told with its size and its beginning, before %s", async (_, reply) => {
    const { diagnosis } = await overStdio(listing(...reply), {
      timeoutMs: 700,
      handshakeMs: 10_000,
    })
    const [first] = diagnosis.hypotheses
    expect(first).toMatchObject({ code: "answer-truncated", family: 2 })
    expect(first?.title).toContain("65,536 bytes, which is the size of a pipe")
    const shown = first?.evidence.find(({ marked }) => marked === "65536 bytes")
    expect(shown?.excerpt).toContain("tools")
    expect(first?.evidence[0]?.excerpt).toContain('"id":3') // the request that waits
  })
})

it("C098: a page equal to the one before, with the cursor just used, means that the cursor is ignored", async () => {
  const { diagnosis } = await overStdio(listing({ result: { tools, nextCursor: "8" } }))
  const [first, ...others] = diagnosis.hypotheses
  expect(first).toMatchObject({ code: "cursor-ignored", family: 2 })
  expect(first?.title).toMatch(
    /the cursor is ignored by the server, or dropped by something between/,
  )
  expect(others.map(({ code }) => code)).not.toContain("tool-names-repeated")
  expect(others.map(({ code }) => code)).not.toContain("pages-overlap")
  expect(diagnosis.counts).toEqual({ raw: 16, accepted: 8, exposed: 8 })
  expect(diagnosis.verdict).toBe("degraded")
})

describe("C104: a stream that is buffered on its way", () => {
  const url = "https://example.com/mcp"
  const stream = { "content-type": "text/event-stream" }
  const progress = (done: number) =>
    notification("notifications/progress", { progressToken: 1, progress: done })
  const call = { id: 5, method: "tools/call", params: { name: "a" } }
  const answer = { id: 5, result: { content: [] } }
  const made = (
    headers: Readonly<Record<string, string>>,
    times: readonly [number, number, number],
  ) =>
    handMade([
      ["out", call, { at: 0, exchange: 3, url }],
      { at: 20, exchange: 3, url, status: 200, headers: { ...stream, ...headers } },
      ["in", progress(1), { at: times[0], exchange: 3 }],
      ["in", progress(2), { at: times[1], exchange: 3 }],
      ["in", answer, { at: times[2], exchange: 3 }],
    ])

  it.each([
    [{ via: "1.1 proxy", server: "nginx" }, ["via: 1.1 proxy", "server: nginx"]],
    [{ "content-encoding": "gzip" }, ["content-encoding: gzip"]],
  ] as const)(
    "C104: three events that came at once after 30 s are told, with %o",
    (headers, marks) => {
      const [first] = diagnose(made(headers, [30_000, 30_001, 30_001])).hypotheses
      expect(first).toMatchObject({ code: "stream-buffered", family: 2 })
      expect(first?.title).toContain("was open for 30 s, then 3 events came at once")
      expect(first?.title).toContain("no x-accel-buffering")
      const marked = first?.evidence.map((one) => one.marked)
      for (const mark of marks) expect(marked).toContain(mark)
    },
  )

  it("C104: events that came one after the other are no sign of a buffer", () => {
    const { hypotheses } = diagnose(made({ via: "1.1 proxy" }, [10_000, 20_000, 30_000]))
    expect(hypotheses.map(({ code }) => code)).not.toContain("stream-buffered")
  })
})
