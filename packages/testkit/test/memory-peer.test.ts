import { it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import { memoryPeer, notification, withRules, type Script, type Step } from "../src/index.js"
import { call, openMemory } from "./raw-clients.js"

const replying = (...reply: ReadonlyArray<Step>): Script => ({
  rules: [{ when: { method: "x" }, reply }],
})

const ask = (script: Script, params?: { readonly [name: string]: unknown }) =>
  Effect.gen(function* () {
    const client = yield* openMemory(memoryPeer(script))
    yield* Effect.promise(() => client.send(call(5, "x", params)))
    return yield* Effect.promise(() => client.inbox.take())
  })

describe("steps over memory", () => {
  it.effect("result answers with the id of the request", () =>
    Effect.gen(function* () {
      expect(yield* ask(replying({ result: { a: 1 } }))).toEqual({
        jsonrpc: "2.0",
        id: 5,
        result: { a: 1 },
      })
    }),
  )

  it.effect("error answers with the id of the request", () =>
    Effect.gen(function* () {
      expect(yield* ask(replying({ error: { code: -1, message: "no" } }))).toEqual({
        jsonrpc: "2.0",
        id: 5,
        error: { code: -1, message: "no" },
      })
    }),
  )

  it.effect("C053 C055 an id can be text, or null", () =>
    Effect.gen(function* () {
      expect(yield* ask(replying({ result: {}, id: { $text: "/id" } }))).toMatchObject({ id: "5" })
      expect(yield* ask(replying({ error: {}, id: null }))).toMatchObject({ id: null })
    }),
  )

  it.effect("message is sent word for word, with what the request said", () =>
    Effect.gen(function* () {
      const token = { $from: "/params/_meta/progressToken" }
      const message = notification("notifications/progress", { progressToken: token, progress: 1 })
      const seen = yield* ask(replying({ message }), { _meta: { progressToken: 0 } })
      expect(seen).toEqual({
        jsonrpc: "2.0",
        method: "notifications/progress",
        params: { progressToken: 0, progress: 1 },
      })
    }),
  )

  it.effect("what a placeholder does not find is left out, as on a wire", () =>
    Effect.gen(function* () {
      const result = { a: { $from: "/params/a" }, b: 1 }
      expect(yield* ask(replying({ result }))).toStrictEqual({
        jsonrpc: "2.0",
        id: 5,
        result: { b: 1 },
      })
    }),
  )

  it.effect("delay waits on the clock of the client", () =>
    Effect.gen(function* () {
      const peer = memoryPeer(replying({ delay: 9_000 }, { result: {} }))
      const client = yield* openMemory(peer)
      yield* Effect.promise(() => client.send(call(1, "x")))
      yield* TestClock.adjust("8999 millis")
      expect(client.inbox.size).toBe(0)
      yield* TestClock.adjust("1 millis")
      expect(yield* Effect.promise(() => client.inbox.take())).toMatchObject({ id: 1 })
      expect(peer.received.map(({ at }) => at)).toEqual([0, 0])
    }),
  )

  it.effect("a delay ends when the client leaves, and so does its reply", () =>
    Effect.gen(function* () {
      const asleep = yield* Deferred.make<void>()
      const woken = yield* Deferred.make<void>()
      const clock: Clock.Clock = {
        ...(yield* Clock.Clock),
        sleep: () =>
          Effect.andThen(Deferred.succeed(asleep, undefined), Effect.never).pipe(
            Effect.onInterrupt(() => Deferred.succeed(woken, undefined)),
          ),
      }
      const scope = yield* Scope.make()
      const client = yield* openMemory(memoryPeer(replying({ delay: 1 }, { result: {} }))).pipe(
        Effect.provideService(Clock.Clock, clock),
        Scope.provide(scope),
      )
      yield* Effect.promise(() => client.send(call(1, "x")))
      yield* Deferred.await(asleep)
      yield* Scope.close(scope, Exit.void)
      yield* Deferred.await(woken)
      expect(client.inbox.size).toBe(0)
    }),
  )

  it.effect("silence never answers, and other requests go on", () =>
    Effect.gen(function* () {
      const script = replying({ silence: true }, { result: {} })
      const client = yield* openMemory(memoryPeer(script))
      yield* Effect.promise(() => client.send(call(1, "x")))
      yield* Effect.promise(() => client.send(call(2, "y")))
      expect(yield* Effect.promise(() => client.inbox.take())).toMatchObject({ id: 2 })
    }),
  )

  it.effect("destroy cuts the channel", () =>
    Effect.gen(function* () {
      const client = yield* openMemory(memoryPeer(replying({ destroy: true })))
      yield* Effect.promise(() => client.send(call(1, "x")))
      expect(yield* Effect.promise(() => client.closed.take())).toMatchObject({
        _tag: "Unreachable",
      })
      expect(yield* Effect.promise(() => client.send(call(2, "x")))).toMatchObject({
        _tag: "Failed",
        mayHaveArrived: false,
      })
    }),
  )

  it.effect("C058 what a peer says on opening waits for the receiver", () =>
    Effect.gen(function* () {
      const hello = notification("window/logMessage")
      const peer = memoryPeer({ rules: [{ when: { kind: "open" }, reply: [{ message: hello }] }] })
      const channel = yield* peer.transport.open
      yield* Effect.yieldNow
      const seen: Array<unknown> = []
      channel.listen({
        message: (value) => seen.push(value),
        note: () => {},
        unreadable: () => {},
        closed: () => {},
      })
      expect(seen).toEqual([hello])
    }),
  )
})

describe("rules", () => {
  const answered = (script: Script, methods: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      const client = yield* openMemory(memoryPeer(script))
      const answers: Array<unknown> = []
      for (const [id, method] of methods.entries()) {
        yield* Effect.promise(() => client.send(call(id, method)))
        const answer = yield* Effect.promise(() => client.inbox.take())
        answers.push((answer as { readonly result?: unknown }).result)
      }
      return answers
    })
  const rule = (result: string, rest = {}) => ({
    when: { method: "x" },
    reply: [{ result }],
    ...rest,
  })

  it.effect("are asked in order, and the first wins", () =>
    Effect.gen(function* () {
      expect(yield* answered({ rules: [rule("a"), rule("b")] }, ["x", "x"])).toEqual(["a", "a"])
    }),
  )

  it.effect("are spent after their times", () =>
    Effect.gen(function* () {
      const script = { rules: [rule("a", { times: 2 }), rule("b")] }
      expect(yield* answered(script, ["x", "x", "x"])).toEqual(["a", "a", "b"])
    }),
  )

  it.effect("can be for the n-th occurrence, whatever rule took the others", () =>
    Effect.gen(function* () {
      const script = {
        rules: [
          rule("first", { times: 1 }),
          rule("third", { when: { method: "x", nth: 3 } }),
          rule("b"),
        ],
      }
      const seen = yield* answered(script, ["x", "x", "x", "x"])
      expect(seen).toEqual(["first", "b", "third", "b"])
    }),
  )

  it.effect("that match nothing leave the default, or what the script says", () =>
    Effect.gen(function* () {
      expect(yield* ask({ rules: [] })).toMatchObject({ id: 5, error: { code: -32601 } })
      expect(yield* ask({ rules: [], unmatched: [{ result: { any: 1 } }] })).toMatchObject({
        result: { any: 1 },
      })
    }),
  )

  it.effect("withRules go before those of the server", () =>
    Effect.gen(function* () {
      const script = withRules(replying({ result: "honest" }), rule("hostile", { times: 1 }))
      expect(yield* answered(script, ["x", "x"])).toEqual(["hostile", "honest"])
    }),
  )

  it.effect("can be added and replaced while the peer runs", () =>
    Effect.gen(function* () {
      const peer = memoryPeer(replying({ result: "old" }))
      const client = yield* openMemory(peer)
      const result = (id: number) =>
        Effect.promise(async () => {
          await client.send(call(id, "x"))
          return client.inbox.take()
        })
      peer.add(rule("added", { times: 1 }))
      expect(yield* result(1)).toMatchObject({ result: "added" })
      expect(yield* result(2)).toMatchObject({ result: "old" })
      peer.replace([rule("new")])
      expect(yield* result(3)).toMatchObject({ result: "new" })
    }),
  )
})

describe("scripts", () => {
  it("with a step that memory cannot play are refused, by name", () => {
    expect(() => memoryPeer(replying({ result: {} }, { exit: 1 }))).toThrow(
      'rules[0].reply[1] is "exit", which cannot be played over memory.',
    )
    expect(() => memoryPeer({ rules: [], unmatched: [{ comment: "" }] })).toThrow("unmatched[0]")
  })

  it("with something that is no step are refused", () => {
    const unknown = { answer: {} } as unknown as Step // as it might come from a file
    expect(() => memoryPeer(replying(unknown))).toThrow("must have exactly one of result, error,")
    const twice = { result: {}, delay: 1 } as Step
    expect(() => memoryPeer(replying(twice))).toThrow("rules[0].reply[0]")
  })

  it("may hold rules for other media", () => {
    const http: Step = { http: { status: 404 } }
    const rules = [
      { when: { httpMethod: "GET" }, reply: [http] },
      { when: { headers: { "mcp-session-id": null } }, reply: [http] },
      { when: { kind: "end" as const }, reply: [{ exit: 1 }] },
    ]
    expect(memoryPeer({ rules }).received).toEqual([])
  })
})

describe("the journal", () => {
  it.effect("keeps everything in order, with methods and requests at hand", () =>
    Effect.gen(function* () {
      const peer = memoryPeer(replying({ result: {} }))
      const client = yield* openMemory(peer)
      yield* Effect.promise(() => client.send(call(1, "x", { n: 1 })))
      yield* Effect.promise(() => client.send({ jsonrpc: "2.0", method: "n" }))
      yield* Effect.promise(() => client.send({ jsonrpc: "2.0", id: "s", result: {} }))
      expect(peer.received.map(({ kind }) => kind)).toEqual([
        "open",
        "request",
        "notification",
        "response",
      ])
      expect(peer.methods()).toEqual(["x", "n"])
      expect(peer.requests("x").map(({ message }) => message.params)).toEqual([{ n: 1 }])
      expect(peer.requests("n")).toEqual([])
    }),
  )

  it.effect("next walks through arrivals, past and future; until looks at all of them", () =>
    Effect.gen(function* () {
      const peer = memoryPeer(replying({ silence: true }))
      const client = yield* openMemory(peer)
      yield* Effect.promise(() => client.send(call(1, "x")))
      const first = yield* Effect.promise(() => peer.next("x"))
      const later = [peer.next("x"), peer.next({ kind: "request", method: "x" })]
      yield* Effect.promise(() => client.send(call(2, "x")))
      yield* Effect.promise(() => client.send(call(3, "x")))
      const rest = yield* Effect.promise(() => Promise.all(later))
      expect([first, ...rest].map(({ message }) => message)).toMatchObject([
        { id: 1 },
        { id: 2 },
        { id: 3 },
      ])
      const again = yield* Effect.promise(() => peer.until(({ kind }) => kind === "request"))
      expect(again).toBe(first)
    }),
  )

  it.effect("notes a client that leaves, and tells it nothing more", () =>
    Effect.gen(function* () {
      const peer = memoryPeer({ rules: [] })
      const scope = yield* Scope.make()
      const client = yield* Scope.provide(openMemory(peer), scope)
      expect(peer.disconnects()).toBe(0)
      peer.send(notification("n"))
      yield* Scope.close(scope, Exit.void)
      expect(peer.disconnects()).toBe(1)
      expect(yield* Effect.promise(() => client.send(call(1, "x")))).toMatchObject({
        _tag: "Failed",
      })
      expect(client.inbox.size).toBe(0)
    }),
  )
})

describe("live control over memory", () => {
  it.effect("send reaches every open channel", () =>
    Effect.gen(function* () {
      const peer = memoryPeer({ rules: [] })
      const clients = [yield* openMemory(peer), yield* openMemory(peer)]
      const message = notification("notifications/tools/list_changed")
      peer.send(message)
      for (const { inbox } of clients) {
        expect(yield* Effect.promise(() => inbox.take())).toEqual(message)
      }
    }),
  )

  it.effect("play answers a request that was met with silence", () =>
    Effect.gen(function* () {
      const peer = memoryPeer(replying({ silence: true }))
      const client = yield* openMemory(peer)
      yield* Effect.promise(() => client.send(call(8, "x")))
      yield* Effect.promise(() => client.send(call(9, "x")))
      peer.play([{ result: { late: true } }], { method: "x" })
      expect(yield* Effect.promise(() => client.inbox.take())).toMatchObject({ id: 9 })
    }),
  )

  it("send without anything open is an error", () => {
    const peer = memoryPeer({ rules: [] })
    expect(() => peer.send(notification("n"))).toThrow("Nothing is open where this could go.")
  })

  it.effect("close cuts what is open and refuses more, restart accepts again", () =>
    Effect.gen(function* () {
      const peer = memoryPeer(replying({ result: {} }))
      const client = yield* openMemory(peer)
      yield* Effect.promise(() => peer.close())
      expect(yield* Effect.promise(() => client.closed.take())).toMatchObject({
        code: "unreachable",
      })
      expect(peer.disconnects()).toBe(0)
      expect(yield* Effect.flip(peer.transport.open)).toMatchObject({ _tag: "Unreachable" })
      yield* Effect.promise(() => peer.restart())
      const again = yield* openMemory(peer)
      yield* Effect.promise(() => again.send(call(1, "x")))
      expect(yield* Effect.promise(() => again.inbox.take())).toMatchObject({ id: 1 })
    }),
  )
})
