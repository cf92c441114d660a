import { it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import { describe, expect } from "vitest"
import {
  fetchEngine,
  http,
  type HttpEngine,
  type HttpOptions,
  type SendOutcome,
} from "@entente/transport"
import { Exchange } from "../src/http/exchange.js"
import { RequestHeaders } from "../src/http/request-headers.js"
import { openHttpEngine as undici } from "../src/http/engine/undici-engine.js"
import { currentTimers } from "../src/timers.js"
import { Trace } from "@entente/trace"
import { openChannel, request, type Opened } from "./open-channel.js"
import {
  answerTo,
  event,
  eventStream,
  eventually,
  json,
  serve,
  type Handler,
} from "./http-server.js"
import { serveRaw } from "./raw-server.js"

const engines: ReadonlyArray<readonly [name: string, options: HttpOptions]> = [
  ["undici", {}],
  ["fetch", { fetch: (url, init) => globalThis.fetch(url, init) }],
]

const until = (holds: () => boolean) => Effect.promise(() => eventually(holds))

/** Lets whatever is under way come through. */
const aTurn = Effect.promise(() => new Promise<void>((resume) => setImmediate(resume)))

/** A server, a channel on the clock of the test, and one request on its way to the other. */
const underClock = (handler: Handler, options: HttpOptions) =>
  Effect.gen(function* () {
    const clock = yield* Clock.Clock
    const server = yield* Effect.acquireRelease(
      Effect.promise(() => serve(handler)),
      (started) => Effect.promise(() => started[Symbol.asyncDispose]()),
    )
    const opened = yield* Effect.acquireRelease(
      Effect.promise(() => openChannel(http(server.url, options), clock)),
      (channel) => Effect.promise(() => channel.close()),
    )
    return { server, opened }
  })

/** What became of a request so far. */
const sent = (opened: Opened, message = request(1), standing = false) => {
  const outcomes: Array<SendOutcome> = []
  opened.channel.send({ message, standing }, (outcome) => outcomes.push(outcome))
  return {
    outcomes,
    outcome: Effect.map(
      until(() => outcomes.length > 0),
      () => outcomes[0],
    ),
  }
}

/** Waits until the heads of so many answers were seen. */
const heads = ({ events }: Opened, count: number) =>
  until(() => events.filter((one) => "status" in one).length >= count)

/** The engine that such options lead to. */
const engineOf = ({ fetch }: HttpOptions) =>
  Effect.gen(function* () {
    const timers = yield* currentTimers
    const opened = fetch
      ? fetchEngine(fetch)
      : undici({ timers, connectTimeout: 10_000, proxy: false })
    yield* Effect.addFinalizer(() => Effect.promise(() => opened.close()))
    return opened
  })

const passed = (name: string, ms: number) => ({
  _tag: "Failed",
  error: {
    _tag: "Unreachable",
    code: "deadline-passed",
    deadline: { name, ms },
    message: expect.stringContaining(`within ${ms} ms`),
    hint: expect.stringContaining(`timeouts.${name}`),
  },
})

describe.each(engines)("deadlines with %s", { timeout: 30_000 }, (_, engine) => {
  it.effect("firstByte: an answer has to begin in time, and the exchange is left", () =>
    Effect.gen(function* () {
      let left = 0
      const handler: Handler = (_, response) => void response.on("close", () => left++)
      const { server, opened } = yield* underClock(handler, {
        ...engine,
        timeouts: { firstByte: 10_000 },
      })
      const { outcomes, outcome } = sent(opened)
      yield* until(() => server.arrived.length > 0)
      yield* TestClock.adjust("9 seconds")
      yield* aTurn
      expect(outcomes).toEqual([])
      yield* TestClock.adjust("1 second")
      expect(yield* outcome).toMatchObject({ ...passed("firstByte", 10_000), mayHaveArrived: true })
      yield* until(() => left > 0)
    }),
  )

  it.effect("firstByte: there is none by default", () =>
    Effect.gen(function* () {
      const waiting: Array<() => void> = []
      const handler: Handler = (arrived, response) =>
        void waiting.push(() => json(response, answerTo(arrived)))
      const { opened } = yield* underClock(handler, engine)
      const { outcome } = sent(opened)
      yield* until(() => waiting.length > 0)
      yield* TestClock.adjust("30 days")
      waiting[0]?.()
      expect(yield* outcome).toMatchObject({ _tag: "Ended", messages: 1 })
    }),
  )

  it.effect("idle: a body that is one message may be silent for a minute", () =>
    Effect.gen(function* () {
      const { opened } = yield* underClock((_, response) => {
        response.writeHead(200, { "content-type": "application/json" }).write('{"jsonrpc":')
      }, engine)
      const { outcomes, outcome } = sent(opened)
      yield* heads(opened, 1)
      yield* TestClock.adjust("59 seconds")
      yield* aTurn
      expect(outcomes).toEqual([])
      yield* TestClock.adjust("1 minute")
      expect(yield* outcome).toMatchObject({ ...passed("idle", 60_000), mayHaveArrived: true })
    }),
  )

  it.effect("idle: every byte begins it anew", () =>
    Effect.gen(function* () {
      const pieces = '{"jsonrpc":"2.0","id":1,"result":{}}'.match(/.{1,6}/g) ?? []
      let next = (): void => {}
      let heard = 0
      const inner = yield* engineOf(engine)
      const counting: HttpEngine = {
        ...inner,
        start: (one, answer) =>
          inner.start(one, {
            ...answer,
            chunk: (bytes) => {
              answer.chunk(bytes)
              heard += bytes.length
            },
          }),
      }
      const { opened } = yield* underClock(
        (_, response) => {
          response.writeHead(200, { "content-type": "application/json" }).flushHeaders()
          next = () => void response.write(pieces.shift())
        },
        { engine: counting, timeouts: { idle: 1_000 } },
      )
      const { outcomes, outcome } = sent(opened)
      yield* heads(opened, 1)
      while (pieces.length > 0) {
        const before = heard
        next()
        yield* until(() => heard > before)
        yield* TestClock.adjust("900 millis")
      }
      expect(outcomes).toEqual([])
      yield* TestClock.adjust("1 second")
      expect(yield* outcome).toMatchObject(passed("idle", 1_000))
    }),
  )

  it.effect(
    "V26-HTTP-13 idle: an event stream may be silent for days, unless somebody says otherwise",
    () =>
      Effect.gen(function* () {
        const streams: Array<() => void> = []
        const handler: Handler = (arrived, response) => {
          eventStream(response).write(": open\n\n")
          const last = arrived.method === "POST" ? event(answerTo(arrived)) : ""
          streams.push(() => response.end(last))
        }
        const { opened } = yield* underClock(handler, engine)
        const { outcome } = sent(opened)
        yield* heads(opened, 1)
        yield* TestClock.adjust("10 days")
        streams[0]?.()
        expect(yield* outcome).toMatchObject({ _tag: "Ended", messages: 1, streamed: true })

        const ends: Array<string> = []
        opened.channel.openStream?.(
          { headers: {} },
          { opened: () => {}, delivered: () => {}, ended: ({ _tag }) => ends.push(_tag) },
        )
        yield* heads(opened, 2)
        yield* TestClock.adjust("10 days")
        expect(ends).toEqual([])
        streams[1]?.()
        yield* until(() => ends.length > 0)

        const impatient = yield* underClock(handler, { ...engine, timeouts: { idle: 5_000 } })
        const second = sent(impatient.opened)
        yield* heads(impatient.opened, 1)
        yield* TestClock.adjust("10 seconds")
        expect(yield* second.outcome).toMatchObject(passed("idle", 5_000))
      }),
  )

  it.effect(
    "V26-HTTP-13 V26-SUB-17 idle and total: what is meant to stay open has neither, whatever is said",
    () =>
      Effect.gen(function* () {
        const streams: Array<() => void> = []
        const { opened } = yield* underClock(
          (arrived, response) => {
            eventStream(response).write(": open\n\n")
            streams.push(() => response.end(event(answerTo(arrived))))
          },
          { ...engine, timeouts: { idle: 5_000, total: 7_000 } },
        )
        const { outcomes, outcome } = sent(opened, request(1), true)
        yield* heads(opened, 1)
        yield* TestClock.adjust("10 days")
        expect(outcomes).toEqual([])
        streams[0]?.()
        expect(yield* outcome).toMatchObject({ _tag: "Ended", messages: 1, streamed: true })
      }),
  )

  it.effect("idle: the status of a body that nobody needs stands, however it ends", () =>
    Effect.gen(function* () {
      const { opened } = yield* underClock((_, response) => {
        response.writeHead(202, { "content-length": 10 }).write("so")
      }, engine)
      const { outcome } = sent(opened)
      yield* heads(opened, 1)
      yield* TestClock.adjust("2 minutes")
      expect(yield* outcome).toMatchObject({ _tag: "Ended", status: 202 })
    }),
  )

  it.effect("total: counts over a stream that never rests, and over redirects", () =>
    Effect.gen(function* () {
      const handler: Handler = (arrived, response) => {
        if (arrived.path === "/mcp") return response.writeHead(307, { location: "/b" }).end()
        return eventStream(response).write(": open\n\n")
      }
      const { server, opened } = yield* underClock(handler, {
        ...engine,
        timeouts: { total: 7_000, firstByte: 60_000 },
      })
      const { outcomes, outcome } = sent(opened)
      yield* heads(opened, 2)
      yield* TestClock.adjust("6 seconds")
      expect(outcomes).toEqual([])
      yield* TestClock.adjust("1 second")
      expect(yield* outcome).toMatchObject({ ...passed("total", 7_000), mayHaveArrived: true })
      expect(server.arrived).toHaveLength(2)
    }),
  )

  it.effect("total: nothing has arrived while a supplier of headers is waited for", () =>
    Effect.gen(function* () {
      const { server, opened } = yield* underClock(
        (arrived, response) => json(response, answerTo(arrived)),
        {
          ...engine,
          timeouts: { total: 1_000 },
          requestHeaders: () => new Promise(() => {}),
        },
      )
      const { outcome } = sent(opened)
      yield* TestClock.adjust("1 second")
      expect(yield* outcome).toMatchObject({ ...passed("total", 1_000), mayHaveArrived: false })
      expect(server.arrived).toEqual([])
    }),
  )

  it.effect("an exchange may have deadlines of its own", () =>
    Effect.gen(function* () {
      const { server } = yield* underClock((arrived, response) => {
        if (arrived.method === "GET") eventStream(response).flushHeaders()
      }, engine)
      const context = {
        target: "t",
        engine: yield* engineOf(engine),
        headers: new RequestHeaders({ target: "t", fixed: {}, suppliers: [] }),
        authorization: undefined,
        redirects: { upgradeToHttps: false },
        deadlines: { firstByte: Infinity, idle: 1_000, total: Infinity },
        maxMessageBytes: 1_024,
        timers: yield* currentTimers,
        trace: new Trace(),
        endpoint: new URL(server.url),
      }
      const told: Array<unknown> = []
      const start = (method: "GET" | "POST", exchange: number) =>
        new Exchange(
          context,
          { exchange, method, headers: {}, deadlines: { firstByte: 10_000, idle: Infinity } },
          {
            answered: (status) => {
              told.push(status)
              return { chunk: () => {}, end: () => {} }
            },
            rejected: () => {},
            failed: ({ message }) => told.push(message),
          },
        ).start()
      start("GET", 1)
      yield* until(() => told.length > 0)
      start("POST", 2)
      yield* TestClock.adjust("10 seconds")
      yield* until(() => told.length > 1)
      expect(told).toEqual([200, expect.stringContaining("begin to answer within 10000 ms")])
    }),
  )

  it.effect("does not wait for the end of a refusal that breaks off or never comes to one", () =>
    Effect.gen(function* () {
      const { opened } = yield* underClock((arrived, response) => {
        response.writeHead(503, { "content-length": 100 }).write("so")
        if (answerTo(arrived).id === 1) setImmediate(() => response.destroy())
      }, engine)
      const broken = yield* sent(opened).outcome
      expect(broken).toMatchObject({ _tag: "Rejected", rejection: { status: 503, text: "so" } })
      const endless = sent(opened, request(2))
      yield* heads(opened, 2)
      yield* TestClock.adjust("5 seconds")
      expect(yield* endless.outcome).toMatchObject({ _tag: "Rejected", rejection: { status: 503 } })
    }),
  )
})

describe("deadlines of a connection", { timeout: 30_000 }, () => {
  it.effect(
    "connect: a server that takes no TLS greeting is given up, and nothing has arrived",
    () =>
      Effect.gen(function* () {
        const clock = yield* Clock.Clock
        let left = 0
        const server = yield* Effect.acquireRelease(
          Effect.promise(() =>
            serveRaw(
              () => {},
              (socket) => void socket.on("close", () => left++),
            ),
          ),
          (started) => Effect.promise(() => started[Symbol.asyncDispose]()),
        )
        const opened = yield* Effect.acquireRelease(
          Effect.promise(() => openChannel(http(server.url.replace("http:", "https:")), clock)),
          (channel) => Effect.promise(() => channel.close()),
        )
        const { outcomes, outcome } = sent(opened)
        yield* until(() => server.sockets.length > 0)
        yield* TestClock.adjust("9 seconds")
        yield* aTurn
        expect(outcomes).toEqual([])
        yield* TestClock.adjust("1 second")
        expect(yield* outcome).toMatchObject({
          ...passed("connect", 10_000),
          mayHaveArrived: false,
        })
        yield* until(() => left > 0)
      }),
  )

  it.effect("firstByte: while it still connects nothing has arrived", () =>
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      const server = yield* Effect.acquireRelease(
        Effect.promise(() => serveRaw(() => {})),
        (started) => Effect.promise(() => started[Symbol.asyncDispose]()),
      )
      const url = server.url.replace("http:", "https:")
      const opened = yield* Effect.acquireRelease(
        Effect.promise(() => openChannel(http(url, { timeouts: { firstByte: 2_000 } }), clock)),
        (channel) => Effect.promise(() => channel.close()),
      )
      const { outcome } = sent(opened)
      yield* TestClock.adjust("2 seconds")
      expect(yield* outcome).toMatchObject({ ...passed("firstByte", 2_000), mayHaveArrived: false })
    }),
  )

  it.effect("an abort while it connects closes the connection at once", () =>
    Effect.gen(function* () {
      let left = 0
      const server = yield* Effect.acquireRelease(
        Effect.promise(() =>
          serveRaw(
            () => {},
            (socket) => void socket.on("close", () => left++),
          ),
        ),
        (started) => Effect.promise(() => started[Symbol.asyncDispose]()),
      )
      const opened = yield* Effect.acquireRelease(
        Effect.promise(() => openChannel(http(server.url.replace("http:", "https:")))),
        (channel) => Effect.promise(() => channel.close()),
      )
      const { abort } = opened.channel.send({ message: request(1) }, () => {})
      yield* until(() => server.sockets.length > 0)
      abort()
      yield* until(() => left > 0)
    }),
  )
})
