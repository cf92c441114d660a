import { describe, expect } from "vitest"
import { it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { explain, HttpRejected, ProcessExited, Unreachable } from "@entente/protocol"
import { encodeEvent, traceHeader, type TraceEvent } from "@entente/trace"
import {
  record,
  replay,
  type Channel,
  type HttpRejection,
  type Receiver,
  type ReplayOptions,
  type SendOutcome,
  type Transport,
} from "@entente/transport"
import { Recorder, request } from "../open-channel.js"

const answer = (id: unknown, result: object = {}) => ({ jsonrpc: "2.0", id, result })

/** A channel that is played by the test, recorded. */
const recording = (exchanges: Channel["exchanges"], kind = "memory") => {
  const events: Array<TraceEvent> = []
  const settles: Array<(outcome: SendOutcome) => void> = []
  let receiver: Receiver = new Recorder()
  const transport: Transport = {
    kind,
    target: "the place",
    key: "the place",
    open: Effect.sync(() => ({
      exchanges,
      listen: (listener) => {
        receiver = listener
      },
      send: (_, settled) => {
        settles.push(settled)
        if (exchanges === "shared") settled({ _tag: "Written" })
        return { exchange: exchanges === "shared" ? 0 : settles.length, abort: () => {} }
      },
      ...(exchanges === "per-request" ? { endSession: () => Effect.succeed(204) } : {}),
    })),
  }
  return {
    events,
    server: () => receiver,
    settle: (send: number, outcome: SendOutcome) => settles[send - 1]?.(outcome),
    open: Effect.gen(function* () {
      const channel = yield* record(transport, (event) => events.push(event)).open
      channel.listen(new Recorder())
      return channel
    }),
  }
}

const send = (channel: Channel, id: number, method?: string, params?: object) =>
  channel.send({ message: request(id, method, params) }, () => {})

/** Opens a replay with somebody who listens. */
const playing = (source: Parameters<typeof replay>[0], options?: ReplayOptions) =>
  playingOn(replay(source, options))

const playingOn = (transport: Transport) =>
  Effect.gen(function* () {
    const heard = new Recorder()
    const outcomes: Array<SendOutcome> = []
    const channel = yield* transport.open
    channel.listen(heard)
    return {
      channel,
      heard,
      outcomes,
      send: (id: number, method?: string, params?: object) =>
        channel.send({ message: request(id, method, params) }, (outcome) => outcomes.push(outcome)),
    }
  })

/** Everything that does not wait for the clock has happened. */
const turns = Effect.promise(async () => {
  for (let turn = 0; turn < 100; turn++) await new Promise((resume) => setImmediate(resume))
})

const file = (events: ReadonlyArray<TraceEvent>) =>
  [traceHeader, ...events.map(encodeEvent), ""].join("\n")

describe("time in a replay", () => {
  /** A request, its answer 250 ms later, a notification 5 s after that. */
  const withGaps = Effect.gen(function* () {
    const { events, open, server } = recording("shared")
    const channel = yield* open
    yield* TestClock.adjust(1_000)
    send(channel, 1)
    yield* TestClock.adjust(250)
    server().message(answer(1), { exchange: 0 })
    yield* TestClock.adjust(5_000)
    server().message({ jsonrpc: "2.0", method: "notifications/x" }, { exchange: 0 })
    return events
  })

  for (const [speed, factor] of [
    [1, 1],
    [10, 10],
    [0.5, 0.5],
  ] as const) {
    it.effect(`keeps the gaps that were recorded, at ${speed}×`, () =>
      Effect.gen(function* () {
        const { heard, send: say } = yield* playing(yield* withGaps, { speed })
        say(1)
        yield* TestClock.adjust(250 / factor - 1)
        yield* turns
        expect(heard.messages).toHaveLength(0)
        yield* TestClock.adjust(1)
        expect(heard.messages).toHaveLength(1)
        yield* TestClock.adjust(5_000 / factor - 1)
        expect(heard.messages).toHaveLength(1)
        yield* TestClock.adjust(1)
        expect(heard.messages).toHaveLength(2)
      }),
    )
  }

  it.effect("takes none at instant speed", () =>
    Effect.gen(function* () {
      const events = yield* withGaps
      const before = yield* Clock.currentTimeMillis
      const { heard, send: say } = yield* playing(events)
      yield* turns
      expect(heard.messages).toHaveLength(0)
      say(1)
      yield* turns
      expect(heard.messages).toHaveLength(2)
      expect(yield* Clock.currentTimeMillis).toBe(before)
    }),
  )

  it("takes a speed above zero", () => {
    const opened = { type: "channel", channel: 1, event: "opened", transport: "memory" } as const
    const event: TraceEvent = { ...opened, target: "x", exchanges: "shared", seq: 0, at: 0 }
    for (const speed of [0, -1, Number.NaN]) {
      expect(() => replay([event], { speed })).toThrow(
        expect.objectContaining({ code: "invalid-input" }),
      )
    }
  })
})

describe("names in a replay", () => {
  it.effect("are those of the client that is there", () =>
    Effect.gen(function* () {
      const { events, open, server } = recording("shared")
      const channel = yield* open
      send(channel, 7, "tools/call", { name: "a", _meta: { progressToken: "t7" } })
      send(channel, 8, "subscriptions/listen")
      const inbound = (message: object) =>
        server().message({ jsonrpc: "2.0", ...message }, { exchange: 0 })
      inbound({ method: "notifications/progress", params: { progressToken: "t7", progress: 1 } })
      const key = "io.modelcontextprotocol/subscriptionId"
      inbound({ method: "notifications/x", params: { _meta: { [key]: 8, other: 1 } } })
      inbound({ id: 1, method: "sampling/createMessage", params: {} })
      inbound({ method: "notifications/cancelled", params: { requestId: 1 } })
      inbound({ method: "notifications/cancelled", params: { requestId: 8 } })
      server().message(answer("7"), { exchange: 0 })
      server().message([answer(7), answer(4_711)], { exchange: 0 })
      const { heard, send: say } = yield* playing(events)
      say(101, "tools/call", { name: "a", _meta: { progressToken: "mine" } })
      say(102, "subscriptions/listen")
      yield* turns
      expect(heard.messages).toMatchObject([
        { params: { progressToken: "mine", progress: 1 } },
        { params: { _meta: { [key]: 102, other: 1 } } },
        { id: 1, method: "sampling/createMessage" },
        { params: { requestId: 1 } },
        { params: { requestId: 102 } },
        { id: "101" },
        [{ id: 101 }, { id: 4_711 }],
      ])
    }),
  )

  it.effect("messages find their own among several of one method, whatever their order", () =>
    Effect.gen(function* () {
      const { events, open, server } = recording("shared")
      const channel = yield* open
      for (const id of [1, 2, 3]) send(channel, id, "tools/call", { name: `tool ${id}` })
      for (const id of [3, 1, 2]) server().message(answer(id, { of: id }), { exchange: 0 })
      const { heard, send: say } = yield* playing(events)
      say(11, "tools/call", { name: "tool 2" })
      say(12, "tools/call", { name: "something else" })
      say(13, "tools/call", { name: "tool 3" })
      yield* turns
      expect(heard.messages).toEqual([
        answer(13, { of: 3 }),
        answer(12, { of: 1 }),
        answer(11, { of: 2 }),
      ])
    }),
  )
})

const rejection: HttpRejection = {
  status: 404,
  headers: { "retry-after": "3" },
  text: '{"jsonrpc":"2.0","id":2}',
  json: { jsonrpc: "2.0", id: 2, error: { code: -32601, message: "no" } },
}
const cut = new Unreachable({
  ...explain("unreachable", "request", "the place", "It was cut."),
  cause: new Error("ECONNRESET"),
})

describe("exchanges in a replay", () => {
  it.effect("come to the ends that were recorded", () =>
    Effect.gen(function* () {
      const { events, open, server, settle } = recording("per-request", "streamable-http")
      const channel = yield* open
      for (const id of [1, 2, 3]) send(channel, id)
      const headers = { "content-type": "text/event-stream", "mcp-session-id": "S-1" }
      server().message({ jsonrpc: "2.0", method: "notifications/x" }, { exchange: 1, headers })
      server().message(answer(1), { exchange: 1, headers })
      settle(2, { _tag: "Rejected", rejection })
      settle(3, { _tag: "Failed", error: cut, mayHaveArrived: true })
      settle(1, { _tag: "Ended", status: 200, messages: 2, streamed: true })
      expect(yield* channel.endSession!({})).toBe(204)
      const transport = replay(file(events))
      expect(transport).toMatchObject({ kind: "streamable-http", target: "the place" })
      const { channel: replayed, heard, outcomes, send: say } = yield* playingOn(transport)
      expect(replayed.exchanges).toBe("per-request")
      expect([21, 22, 23].map((id) => say(id).exchange)).toEqual([1, 2, 3])
      yield* turns
      expect(heard.origins).toEqual(
        [1, 2].map(() => ({
          exchange: 1,
          headers: { ...headers, "mcp-session-id": "redacted-1" },
        })),
      )
      const json = { ...(rejection.json as object), id: 22 }
      expect(outcomes).toEqual([
        { _tag: "Rejected", rejection: { ...rejection, json } },
        { _tag: "Failed", error: cut, mayHaveArrived: true },
        { _tag: "Ended", status: 200, messages: 2, streamed: true },
      ])
      expect(outcomes[1]).toMatchObject({ error: { cause: { message: "ECONNRESET" } } })
      expect(yield* replayed.endSession!({})).toBe(204)
      expect(yield* Effect.flip(replayed.endSession!({}))).toMatchObject({ came: "DELETE" })
    }),
  )

  it.effect("are over when the client closes them", () =>
    Effect.gen(function* () {
      const { events, open, server, settle } = recording("per-request")
      const channel = yield* open
      send(channel, 1)
      send(channel, 2)
      yield* TestClock.adjust(100)
      for (const id of [1, 2]) server().message(answer(id), { exchange: id })
      settle(1, { _tag: "Ended", status: 200, messages: 1, streamed: true })
      const { heard, outcomes, send: say } = yield* playing(events, { speed: 1 })
      const sent = say(1)
      say(2)
      sent.abort()
      yield* TestClock.adjust(200)
      expect(outcomes).toEqual([{ _tag: "Aborted" }])
      expect(heard.messages).toEqual([answer(2)])
    }),
  )
})

describe("ends in a replay", () => {
  const exited = new ProcessExited({
    ...explain("process-exited", "request", "the place", "It ended."),
    process: { command: "x", exitCode: 3, signal: undefined, stderr: "boom" },
  })

  it.effect("the channel ends as it did, and the next opening is the next one", () =>
    Effect.gen(function* () {
      const { events, open, server } = recording("shared", "stdio")
      const first = yield* open
      send(first, 1)
      server().closed(exited)
      const transport = replay(events)
      const { heard, outcomes, send: say } = yield* playingOn(transport)
      say(1)
      yield* turns
      expect(heard.ends).toEqual([exited])
      expect(heard.ends[0]).toBeInstanceOf(ProcessExited)
      expect(outcomes).toEqual([{ _tag: "Written" }])
      say(2)
      yield* turns
      expect(outcomes[1]).toMatchObject({ _tag: "Failed", mayHaveArrived: false, error: exited })
      expect(yield* Effect.flip(transport.open)).toMatchObject({
        _tag: "ReplayDiverged",
        came: "opening 2, of stdio",
        expected: "the end of the recording",
      })
    }),
  )

  it.effect("an opening that failed fails again, and the one after it does not", () =>
    Effect.gen(function* () {
      const events: Array<TraceEvent> = []
      const refused = new HttpRejected({
        ...explain("http-status", "open", "the place", "No."),
        status: 418,
        body: "teapot",
      })
      let openings = 0
      const { channel } = {
        channel: {
          exchanges: "shared",
          listen: () => {},
          send: () => ({ exchange: 0, abort: () => {} }),
        } as Channel,
      }
      const transport = record(
        {
          kind: "memory",
          target: "the place",
          key: "the place",
          open: Effect.suspend(() =>
            openings++ === 0 ? Effect.fail(refused) : Effect.succeed(channel),
          ),
        },
        (event) => events.push(event),
      )
      yield* Effect.flip(transport.open)
      yield* transport.open
      const replayed = replay(events)
      expect(yield* Effect.flip(replayed.open)).toEqual(refused)
      expect((yield* replayed.open).exchanges).toBe("shared")
    }),
  )
})

describe("a client that goes another way", () => {
  const conversation = Effect.gen(function* () {
    const { events, open, server } = recording("shared")
    const channel = yield* open
    for (const [id, method] of [
      [1, "initialize"],
      [2, "tools/list"],
      [3, "prompts/list"],
    ] as const) {
      send(channel, id, method)
      server().message(answer(id, { of: method }), { exchange: 0 })
    }
    return events
  })

  it.effect("hears what was expected, what came, and where", () =>
    Effect.gen(function* () {
      const { outcomes, send: say, heard } = yield* playing(yield* conversation)
      say(1, "initialize")
      yield* turns
      say(2, "resources/list")
      yield* turns
      expect(outcomes[1]).toMatchObject({
        _tag: "Failed",
        error: {
          _tag: "ReplayDiverged",
          code: "replay-diverged",
          expected: "tools/list",
          came: "resources/list",
          position: 4,
          message: expect.stringContaining(
            "tools/list next (event 4), but the client came with resources/list",
          ),
        },
      })
      say(3, "tools/list")
      yield* turns
      expect(heard.messages).toEqual([
        answer(1, { of: "initialize" }),
        answer(3, { of: "tools/list" }),
      ])
    }),
  )

  it.effect("hears of the end of the recording", () =>
    Effect.gen(function* () {
      const { outcomes, send: say } = yield* playing(yield* conversation)
      for (const method of ["initialize", "tools/list", "prompts/list", "ping"]) say(1, method)
      yield* turns
      expect(outcomes.find(({ _tag }) => _tag === "Failed")).toMatchObject({
        error: { expected: "the end of the recording", came: "ping", position: 9 },
      })
    }),
  )

  it.effect("is noted where nobody hears the failure", () =>
    Effect.gen(function* () {
      const { channel, heard } = yield* playing(yield* conversation)
      channel.send({ message: { jsonrpc: "2.0", method: "notifications/x" } }, () => {})
      yield* turns
      expect(heard.notes).toMatchObject([
        { code: "replay-diverged", detail: expect.stringContaining("notifications/x") },
      ])
    }),
  )

  it.effect(
    "is waited for with patience, then what it left out is left out, and told when it comes late",
    () =>
      Effect.gen(function* () {
        const { heard, send: say } = yield* playing(yield* conversation, { patienceMs: 200 })
        say(1, "initialize")
        yield* turns
        say(2, "prompts/list")
        yield* turns
        yield* TestClock.adjust(199)
        expect(heard.messages).toHaveLength(1)
        yield* TestClock.adjust(1)
        yield* turns
        expect(heard.messages).toHaveLength(2)
        say(3, "tools/list")
        yield* turns
        expect(heard.messages).toEqual([
          answer(1, { of: "initialize" }),
          answer(2, { of: "prompts/list" }),
          answer(3, { of: "tools/list" }),
        ])
      }),
  )

  it.effect("hears that no answer was recorded, as late as it was given up then", () =>
    Effect.gen(function* () {
      const { events, open, settle } = recording("per-request")
      const channel = yield* open
      send(channel, 1)
      yield* TestClock.adjust(700)
      settle(1, { _tag: "Aborted" })
      const { outcomes, send: say } = yield* playing(events, { patienceMs: 100 })
      say(1)
      yield* TestClock.adjust(799)
      expect(outcomes).toEqual([])
      yield* TestClock.adjust(1)
      expect(outcomes).toMatchObject([
        {
          _tag: "Failed",
          error: { came: "waiting for tools/list", message: expect.stringContaining("700 ms") },
        },
      ])
    }),
  )

  it.effect("hears it on a shared channel too, where the recording breaks off", () =>
    Effect.gen(function* () {
      const { events, open } = recording("shared")
      send(yield* open, 1)
      const { outcomes, send: say } = yield* playing(events, { patienceMs: 100 })
      say(1)
      yield* TestClock.adjust(100)
      expect(outcomes).toMatchObject([{ _tag: "Failed", error: { _tag: "ReplayDiverged" } }])
    }),
  )

  it.effect("settles everything when its scope closes", () =>
    Effect.gen(function* () {
      const { events, open } = recording("per-request")
      send(yield* open, 1)
      const scope = yield* Scope.make()
      const { outcomes, send: say } = yield* playing(events).pipe(Scope.provide(scope))
      say(1)
      yield* Scope.close(scope, Exit.void)
      expect(outcomes).toEqual([{ _tag: "Aborted" }])
    }),
  )
})

describe("what is replayed", () => {
  it.effect("a file that breaks off is played as far as it goes, with a note", () =>
    Effect.gen(function* () {
      const { events, open, server } = recording("shared")
      send(yield* open, 1)
      server().message(answer(1), { exchange: 0 })
      server().message(answer(2), { exchange: 0 })
      const text = file(events)
      const { heard, send: say } = yield* playing(text.slice(0, text.trimEnd().length - 10))
      say(1)
      yield* turns
      expect(heard.messages).toEqual([answer(1)])
      expect(heard.notes).toMatchObject([
        { code: "recording-damaged", detail: expect.stringMatching(/^line \d+, truncated/) },
      ])
    }),
  )

  it.effect("the last recording of a file that was appended to", () =>
    Effect.gen(function* () {
      const texts: Array<string> = []
      for (const name of ["old", "new"]) {
        const { events, open, server } = recording("shared")
        send(yield* open, 1)
        server().message(answer(1, { name }), { exchange: 0 })
        texts.push(file(events))
      }
      const { heard, send: say } = yield* playing(texts.join(""))
      say(1)
      yield* turns
      expect(heard.messages).toEqual([answer(1, { name: "new" })])
    }),
  )

  it.effect("what was edited out of shape breaks off, and breaks nothing", () =>
    Effect.gen(function* () {
      const { events, open, settle } = recording("per-request")
      const channel = yield* open
      for (const id of [1, 2, 3]) send(channel, id)
      settle(1, { _tag: "Rejected", rejection })
      settle(2, { _tag: "Failed", error: cut, mayHaveArrived: true })
      settle(3, { _tag: "Ended", status: 200, messages: 0, streamed: false })
      const edited = file(events)
        .replace('"rejection":', '"other":')
        .replace('"_tag":"Unreachable"', '"_tag":"Unheard"')
        .replace('"_tag":"Ended"', '"_tag":"Over"')
      const { outcomes, send: say } = yield* playing(edited)
      for (const id of [1, 2, 3]) say(id)
      yield* turns
      const broken = {
        _tag: "Failed",
        error: { message: expect.stringContaining("does not know") },
      }
      expect(outcomes).toMatchObject([broken, broken, broken])
    }),
  )

  it("a trace without a recording is refused", () => {
    const frame = { seq: 0, at: 0, type: "frame", direction: "in", message: {} } as const
    for (const source of ["", [frame], file([frame])]) {
      expect(() => replay(source)).toThrow(
        expect.objectContaining({
          code: "invalid-input",
          message: expect.stringContaining("record()"),
        }),
      )
    }
  })
})
