import { describe, expect } from "vitest"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import { Client, connect, memoryVerdicts, type ResultStore } from "@entente/client"
import { memoryPeer, modernServer, tool, withRules } from "@entente/testkit"
import { passUntil } from "../field/scripted-http.js"
import { detailOf, fresh, openStore } from "./kept.js"

const uri = "note://a"
const script = withRules(
  modernServer({ tools: [tool("a")], resources: [], ttlMs: 60_000, cacheScope: "public" }),
  {
    when: { method: "resources/read" },
    reply: [{ result: { ...fresh, contents: [{ uri, text: "one" }] } }],
  },
)

const using = (store: ResultStore) =>
  Effect.gen(function* () {
    const peer = memoryPeer(script)
    const client = yield* Client.connect(peer.transport, {
      verdicts: memoryVerdicts(),
      cache: { store, server: "the server" },
    })
    const ask = Effect.gen(function* () {
      const { items } = yield* client.tools.list()
      const { contents } = yield* client.readResource({ uri })
      return [items.length, contents.length]
    })
    const asked = () => [peer.requests("tools/list").length, peer.requests("resources/read").length]
    return { client, ask, asked }
  })

const password = "redis://user:hunter2hunter2@example.com"
const failing: ReadonlyArray<readonly [string, () => unknown]> = [
  [
    "throws",
    () => {
      throw new Error(`no way to ${password}`)
    },
  ],
  [
    "throws what is no error",
    () => {
      throw { secret: "hunter2hunter2" }
    },
  ],
  ["rejects", () => Promise.reject(new Error(`no way to ${password}`))],
  ["fails", () => Effect.fail(new Error(`no way to ${password}`))],
  ["dies", () => Effect.die("broken")],
  ["is interrupted by itself", () => Effect.interrupt],
]

/** A store of which every method does the same. */
const all = (run: () => unknown): ResultStore => ({
  reach: "anywhere",
  get: run as ResultStore["get"], // what it gives is broken on purpose
  set: run,
  delete: run,
})

describe("a store that does not work", () => {
  it("does not keep anybody from giving up", async () => {
    const peer = memoryPeer(script)
    await using client = await connect(peer.transport, {
      verdicts: memoryVerdicts(),
      cache: { store: all(() => new Promise(() => {})), server: "the server" },
    })
    const abort = new AbortController()
    const reading = client.readResource({ uri }, { signal: abort.signal })
    abort.abort()
    await expect(reading).rejects.toMatchObject({ _tag: "RequestAborted" })
    expect(peer.requests("resources/read")).toEqual([])
    // Not even those who have not begun with it.
    expect(client.notes.map(({ code }) => code)).not.toContain("result-store-failed")
  })

  it.effect.each(failing)("that %s costs a note, and the server is asked", ([_how, run]) =>
    Effect.gen(function* () {
      const { client, ask, asked } = yield* using(all(run))
      expect(yield* ask).toEqual([1, 1])
      expect(yield* ask).toEqual([1, 1])
      client.connection.life.notified.tell({
        jsonrpc: "2.0",
        method: "notifications/tools/list_changed",
      })
      expect(yield* ask).toEqual([1, 1])
      expect(asked()).toEqual([3, 3])
      const note = client.notes.find(({ code }) => code === "result-store-failed")
      expect(note?.count).toBeGreaterThanOrEqual(6)
      expect(JSON.stringify(client.notes)).not.toContain("hunter2")
    }),
  )

  it.effect.each([
    ["a promise", () => new Promise(() => {})],
    ["an effect", () => Effect.never],
  ] as const)(
    "that never answers (%s) is waited for once, for a second, and then left alone for a while",
    ([_what, run]) =>
      Effect.gen(function* () {
        let errands = 0
        const { client, ask, asked } = yield* using(all(() => (errands++, run())))
        const answers: Array<ReadonlyArray<number>> = []
        client.connection.life.fork(Effect.map(ask, (answer) => answers.push(answer)))
        yield* TestClock.adjust(999)
        expect(asked()).toEqual([0, 0])
        yield* TestClock.adjust(1)
        yield* passUntil(() => answers.length === 1, "1 millis")
        expect(errands).toBe(1)
        expect(detailOf(client, "result-store-failed")).toContain("within 1000 ms")
        expect(yield* ask).toEqual([1, 1])
        expect(errands).toBe(1)
        for (let times = 0; times < 3; times++) {
          client.connection.life.notified.tell({
            jsonrpc: "2.0",
            method: "notifications/tools/list_changed",
          })
          yield* ask
        }
        expect(errands).toBe(1)
        // After half a minute it gets another chance.
        yield* TestClock.adjust("31 seconds")
        client.connection.life.fork(Effect.map(ask, (answer) => answers.push(answer)))
        yield* passUntil(() => answers.length === 2)
        expect(errands).toBe(2)
      }),
  )

  it.effect(
    "that is slow to write holds up no answer, and what is read waits for what was written",
    () =>
      Effect.gen(function* () {
        const store = openStore("anywhere")
        const { client, ask, asked } = yield* using({
          ...store,
          set: (key, result) =>
            Effect.delay(
              Effect.sync(() => store.set(key, result)),
              500,
            ),
        })
        yield* client.tools.list()
        expect(store.errands).not.toContain("set")
        const answers: Array<unknown> = []
        client.connection.life.fork(Effect.map(ask, (answer) => answers.push(answer)))
        yield* passUntil(() => answers.length === 1)
        // The list was there by then.
        expect(asked()).toEqual([1, 1])
        expect(client.notes.map(({ code }) => code)).not.toContain("result-store-failed")
        yield* TestClock.adjust(500)
      }),
  )

  it.effect("that takes ever longer to write does not make a walk last for ever", () =>
    Effect.gen(function* () {
      const store = openStore("anywhere")
      const { client, ask, asked } = yield* using({
        ...store,
        set: (key, result) =>
          Effect.delay(
            Effect.sync(() => store.set(key, result)),
            999,
          ),
      })
      for (let times = 0; times < 20; times++) yield* client.tools.list({ refresh: true })
      let answered = 0
      client.connection.life.fork(Effect.map(ask, () => answered++))
      yield* TestClock.adjust(1_000)
      yield* passUntil(() => answered === 1, "1 millis")
      expect(asked()).toEqual([21, 1])
      expect(detailOf(client, "result-store-failed")).toContain("get")
    }),
  )

  it.effect(
    "does not keep a connection from being closed, nor lose what could still be written",
    () =>
      Effect.gen(function* () {
        const store = openStore("anywhere")
        const delayed = (ms: number): ResultStore => ({
          ...store,
          set: (key, result) =>
            Effect.delay(
              Effect.sync(() => store.set(key, result)),
              ms,
            ),
        })
        for (const [ms, kept] of [
          [900, 1],
          [5_000, 0],
        ] as const) {
          store.entries.clear()
          let closed = false
          const run = Effect.scoped(
            Effect.gen(function* () {
              const { client } = yield* using(delayed(ms))
              yield* client.tools.list()
            }),
          )
          yield* Effect.forkChild(Effect.map(run, () => void (closed = true)))
          yield* passUntil(() => closed)
          expect(store.entries.size).toBe(kept)
        }
      }),
  )
})

describe("what comes out of a store", () => {
  const edited = (edit: (entry: Record<string, unknown>) => unknown) => (text: string) =>
    JSON.stringify(edit(JSON.parse(text) as Record<string, unknown>))
  const result = (change: (said: Record<string, unknown>) => object) =>
    edited((entry) => ({ ...entry, result: change(entry["result"] as Record<string, unknown>) }))
  const nested = `${"[".repeat(100_000)}${"]".repeat(100_000)}`

  const damage: ReadonlyArray<readonly [string, (text: string) => unknown]> = [
    ["nothing but an empty text", () => ""],
    ["cut off", (text) => text.slice(0, -20)],
    ["doubled", (text) => text + text],
    ["no JSON", () => "\u0000\uffff"],
    ["no object", () => "[]"],
    ["null", () => "null"],
    ["too long", (text) => text + " ".repeat(5 * 1024 * 1024)],
    ["nested without end", () => nested],
    ["no text", () => 5],
    ["an object", (text) => ({ text })],
    ["a member of its own prototype", (text) => `{"__proto__":${text}}`],
    ["of a later version", edited((entry) => ({ ...entry, version: 2 }))],
    [
      "of another key",
      edited((entry) => ({ ...entry, key: String(entry["key"]).replace(/.$/, "x") })),
    ],
    ["received at no time", edited((entry) => ({ ...entry, receivedAt: "now" }))],
    ["received before all time", edited((entry) => ({ ...entry, receivedAt: -1 }))],
    ["fresh for longer than was said", edited((entry) => ({ ...entry, ttlMs: 60_001 }))],
    ["fresh for no number", edited((entry) => ({ ...entry, ttlMs: null }))],
    ["private", edited((entry) => ({ ...entry, scope: "private" }))],
    ["of an unknown scope", edited((entry) => ({ ...entry, scope: "all" }))],
    ["without a result", edited((entry) => ({ ...entry, result: undefined }))],
    ["with a private result", result((said) => ({ ...said, cacheScope: "private" }))],
    ["with a result that was not to be kept", result((said) => ({ ...said, ttlMs: undefined }))],
    ["with a broken result", result((said) => ({ ...said, tools: 5, contents: 5 }))],
  ]

  it.effect.each(damage)(
    "is dropped where it is %s, with a note, and the server asked",
    ([_what, change]) =>
      Effect.gen(function* () {
        const store = openStore("anywhere")
        let damaged = true
        const { client, ask, asked } = yield* using({
          ...store,
          get: (key) => {
            const text = store.get(key) as string | undefined // it is a synchronous one
            return (text === undefined || !damaged ? text : change(text)) as string | undefined // broken on purpose
          },
        })
        yield* ask
        expect(yield* ask).toEqual([1, 1])
        expect(asked()).toEqual([2, 2])
        const note = client.notes.find(({ code }) => code === "kept-result-dropped")
        expect(note?.count).toBe(2)
        expect(store.errands).toContain("delete")
        damaged = false
        yield* ask
        expect(asked()).toEqual([2, 2])
      }),
  )

  it.effect("V26-CACHE-02 V26-CACHE-03 is no fresher for having come in the future", () =>
    Effect.gen(function* () {
      const store = openStore("anywhere")
      const { ask, asked } = yield* using({
        ...store,
        get: (key) => {
          const text = store.get(key) as string | undefined // it is a synchronous one
          return text && edited((entry) => ({ ...entry, receivedAt: 60_000 }))(text)
        },
      })
      yield* ask
      yield* ask
      expect(asked()).toEqual([2, 2])
    }),
  )

  it.effect(
    "with members called __proto__ and values nested 100,000 deep is what the server sent",
    () =>
      Effect.gen(function* () {
        const store = openStore("anywhere")
        const { client, ask, asked } = yield* using({
          ...store,
          get: (key) => {
            const text = store.get(key) as string | undefined // it is a synchronous one
            return text?.replace(
              '"resultType"',
              `"__proto__":{"polluted":true},"deep":${nested},"resultType"`,
            )
          },
        })
        yield* ask
        const read = yield* client.readResource({ uri })
        expect(Object.hasOwn(read, "__proto__")).toBe(true)
        expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
        yield* client.tools.list()
        expect(asked()).toEqual([1, 1])
        expect(client.notes.map(({ code }) => code)).not.toContain("kept-result-dropped")
      }),
  )

  it.effect("V26-SEC-14 is believed no further than the result in it, whatever else it is", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(fc.anything(), async (anything) => {
          const store = openStore("anywhere")
          const peer = memoryPeer(script)
          const run = Effect.scoped(
            Effect.gen(function* () {
              const client = yield* Client.connect(peer.transport, {
                verdicts: memoryVerdicts(),
                mode: "modern",
                cache: { store: { ...store, get: () => anything as string }, server: "the server" }, // on purpose
              })
              return (yield* client.tools.list()).items.length
            }),
          )
          expect(await Effect.runPromise(run)).toBe(1)
          expect(peer.requests("tools/list")).toHaveLength(1)
        }),
        { numRuns: 50 },
      ),
    ),
  )
})
