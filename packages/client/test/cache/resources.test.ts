import { describe, expect } from "vitest"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import {
  Client,
  connect as connectPromise,
  memoryVerdicts,
  type ConnectOptions,
} from "@entente/client"
import type { JsonObject } from "@entente/protocol"
import {
  legacyServer,
  memoryPeer,
  modernServer,
  withRules,
  type MemoryPeer,
  type Rule,
  type Step,
} from "@entente/testkit"
import { passUntil, until } from "../field/scripted-http.js"
import { isOpen, offersAll, onListen, subscription } from "../subscription/modern-peers.js"
import { complete, detailOf, fresh, memoryResults, openStore } from "./kept.js"

const contents = (uri: string, text: string, rest: JsonObject = {}): ReadonlyArray<Step> => [
  { result: { ...fresh, contents: [{ uri, text }], ...rest } },
]

/** What a resource has in it from now on. */
const text = (uri: string, said: string, rest: JsonObject = {}): Rule => ({
  when: { method: "resources/read", params: { uri } },
  reply: contents(uri, said, rest),
})

const server = (...rules: ReadonlyArray<Rule>) =>
  memoryPeer(withRules(modernServer({ resources: [], capabilities: offersAll }), ...rules))

const connect = (peer: MemoryPeer, options: ConnectOptions = {}) =>
  Client.connect(peer.transport, { verdicts: memoryVerdicts(), ...options })

const read = (client: Client.Client, uri: string, options = {}) =>
  Effect.map(client.readResource({ uri }, options), ({ contents: [first] }) =>
    first !== undefined && "text" in first ? first.text : undefined,
  )

const reads = (peer: MemoryPeer) =>
  peer.requests("resources/read").map(({ message }) => message.params?.["uri"])

describe("resources that are kept", () => {
  it.effect(
    "V26-CACHE-02 V26-CACHE-01 are not read again before their time is over, unless somebody insists",
    () =>
      Effect.gen(function* () {
        const peer = server(text("note://a", "one", { ttlMs: 5_000 }))
        const client = yield* connect(peer)
        expect(yield* read(client, "note://a")).toBe("one")
        peer.add(text("note://a", "two", { ttlMs: 5_000 }))
        yield* TestClock.adjust(4_999)
        expect(yield* read(client, "note://a")).toBe("one")
        expect(yield* read(client, "note://a", { refresh: true })).toBe("two")
        yield* TestClock.adjust(4_999)
        expect(yield* read(client, "note://a")).toBe("two")
        expect(reads(peer)).toHaveLength(2)
        yield* TestClock.adjust(1)
        yield* read(client, "note://a")
        expect(reads(peer)).toHaveLength(3)
      }),
  )

  it.effect(
    "V26-CACHE-06 are no answer to another URI, and none to a request with more in it",
    () =>
      Effect.gen(function* () {
        const uris = ["note://a", "note://A", "note://a/", "note://a#", "__proto__", ""]
        const peer = server(...uris.map((uri) => text(uri, `text of ${uri}`)))
        const client = yield* connect(peer)
        for (let reading = 0; reading < 2; reading++) {
          for (const uri of uris) expect(yield* read(client, uri)).toBe(`text of ${uri}`)
        }
        expect(reads(peer)).toEqual(uris)
        const more = { uri: "note://a", "com.example/page": 2 }
        yield* client.readResource(more)
        yield* client.readResource(more)
        expect(reads(peer)).toHaveLength(uris.length + 2)
      }),
  )

  it.effect.each([{ requestState: "s" }, { inputResponses: {} }])(
    "V26-CACHE-07 V26-MRTR-20 a result of a request with %j is neither kept nor given for it",
    (own) =>
      Effect.gen(function* () {
        const peer = server(text("note://a", "one"))
        const store = openStore()
        const client = yield* connect(peer, { cache: { store } })
        const params = { uri: "note://a", ...own }
        yield* client.readResource(params)
        expect([...store.entries]).toEqual([])
        yield* read(client, "note://a")
        yield* client.readResource(params)
        expect(reads(peer)).toHaveLength(3)
      }),
  )

  it.effect(
    "V26-CACHE-07 V26-MRTR-20 a result that came after a question is not kept, and a question never",
    () =>
      Effect.gen(function* () {
        const asks: Rule = {
          when: { method: "resources/read", params: { requestState: { $present: false } } },
          reply: [{ result: { ...fresh, resultType: "input_required", requestState: "s" } }],
        }
        const peer = server(asks, text("note://a", "one"))
        const store = openStore()
        const client = yield* connect(peer, { cache: { store } })
        expect(yield* read(client, "note://a")).toBe("one")
        expect(yield* read(client, "note://a")).toBe("one")
        expect(reads(peer)).toHaveLength(4)
        expect([...store.entries]).toEqual([])
      }),
  )

  it.effect("V26-MRTR-20 nor is one that a pause was resumed for", () =>
    Effect.gen(function* () {
      const asks: Rule = {
        when: { method: "resources/read", params: { requestState: { $present: false } } },
        reply: [
          {
            result: {
              ...complete,
              resultType: "input_required",
              requestState: "s",
              inputRequests: { r: { method: "roots/list", params: {} } },
            },
          },
        ],
      }
      const peer = server(asks, text("note://a", "one"))
      const store = openStore()
      const client = yield* connect(peer, { cache: { store }, handlers: { roots: [] } })
      const paused = yield* Effect.flip(read(client, "note://a", { input: "manual" }))
      if (paused._tag !== "InputRequired") throw paused
      yield* client.resume(paused.pause, { r: { roots: [] } }, { method: "resources/read" })
      expect([...store.entries]).toEqual([])
    }),
  )

  it.effect("what cannot be read again is an error, whatever was kept of it", () =>
    Effect.gen(function* () {
      const peer = server(text("note://a", "one", { ttlMs: 1_000 }))
      const client = yield* connect(peer)
      yield* read(client, "note://a")
      yield* TestClock.adjust(1_000)
      peer.add({
        when: { method: "resources/read" },
        reply: [{ error: { code: -32603, message: "out of order" } }],
      })
      expect(yield* Effect.flip(read(client, "note://a"))).toMatchObject({ _tag: "PeerError" })
    }),
  )

  it.effect("V26-DUAL-06 a legacy server's are read each time", () =>
    Effect.gen(function* () {
      const peer = memoryPeer(withRules(legacyServer({ resources: [] }), text("note://a", "one")))
      const client = yield* connect(peer)
      yield* read(client, "note://a")
      yield* read(client, "note://a")
      expect(reads(peer)).toHaveLength(2)
    }),
  )

  it.effect("V26-CACHE-08 V26-SEC-14 are shared like pages: the public ones", () =>
    Effect.gen(function* () {
      const peer = server(
        text("note://a", "one"),
        text("note://b", "mine", { cacheScope: "private" }),
      )
      const store = memoryResults()
      for (const authorization of ["one", "other"]) {
        const client = yield* connect(peer, { cache: { store, authorization } })
        yield* read(client, "note://a")
        yield* read(client, "note://b")
      }
      expect(reads(peer)).toEqual(["note://a", "note://b", "note://b"])
    }),
  )

  it.effect("one that is too long, or too deep to be written, is not kept, and said to be", () =>
    Effect.gen(function* () {
      const deep = JSON.parse(`${"[".repeat(20_000)}${"]".repeat(20_000)}`) as unknown
      const peer = server(text("note://long", "x".repeat(5 * 1024 * 1024)), text("note://a", "one"))
      const store = openStore()
      const client = yield* connect(peer, {
        cache: { store, authorization: "one" },
        middleware: {
          request: async ({ params }, next) => {
            const result = await next()
            return params?.["uri"] === "note://a" ? { ...result, deep } : result
          },
        },
      })
      for (const uri of ["note://long", "note://a"]) {
        yield* read(client, uri)
        expect(detailOf(client, "result-not-kept")).toContain("too long, or nested too deeply")
      }
      expect([...store.entries]).toEqual([])
    }),
  )

  it("through the Promise door they are kept too, and aborting works", async () => {
    const peer = server(text("note://a", "one"), {
      when: { method: "resources/read", params: { uri: "note://b" } },
      reply: [{ silence: true }],
    })
    await using client = await connectPromise(peer.transport, { verdicts: memoryVerdicts() })
    const first = await client.readResource({ uri: "note://a" })
    expect(await client.readResource({ uri: "note://a" })).toEqual(first)
    await client.readResource({ uri: "note://a" }, { refresh: true })
    expect(reads(peer)).toHaveLength(2)
    const abort = new AbortController()
    const reading = client.readResource({ uri: "note://b" }, { signal: abort.signal })
    abort.abort()
    await expect(reading).rejects.toMatchObject({ _tag: "RequestAborted" })
    await expect(client.readResource({ uri: 5 } as never)).rejects.toMatchObject({
      code: "invalid-input",
    })
  })
})

describe("resources that change", () => {
  const updated = (uri: string) => onListen("notifications/resources/updated", { uri })

  const listening = (peer: MemoryPeer, uri: string, options: ConnectOptions = {}) =>
    Effect.gen(function* () {
      const client = yield* connect(peer, options)
      const heard: Array<string> = []
      yield* Effect.callback<void>((resume) => {
        client.resources.subscriptions.subscribe(
          uri,
          ({ uri: about }) => heard.push(about),
          () => resume(Effect.void),
        )
      })
      return { client, heard }
    })

  it.effect.each([
    ["itself", "note://a/b", true],
    ["a part of it", "note://a/b/c", true],
    ["another one", "note://a/b2", false],
  ] as const)(
    "V26-CACHE-10 a notice about %s is one about what was read: %s %s",
    ([_which, about, concerns]) =>
      Effect.gen(function* () {
        const peer = server(text("note://a/b", "one"), text("note://a/b2", "other"))
        const store = openStore()
        const { client, heard } = yield* listening(peer, "note://a", { cache: { store } })
        yield* read(client, "note://a/b")
        peer.send(updated(about), subscription)
        yield* until(() => heard.length === 1)
        expect([...store.entries]).toHaveLength(concerns ? 0 : 1)
        yield* read(client, "note://a/b")
        yield* read(client, "note://a/b")
        expect(reads(peer)).toHaveLength(concerns ? 2 : 1)
      }),
  )

  it.effect("V26-CACHE-10 a notice about a whole is one about its parts", () =>
    Effect.gen(function* () {
      const peer = server(text("note://a/b", "one"))
      const { client, heard } = yield* listening(peer, "note://a")
      yield* read(client, "note://a/b")
      peer.send(updated("note://a"), subscription)
      yield* until(() => heard.length === 1)
      yield* read(client, "note://a/b")
      expect(reads(peer)).toHaveLength(2)
    }),
  )

  it.effect(
    "V26-CACHE-10 a response that was begun before the notice is not kept, one about something else is",
    () =>
      Effect.gen(function* () {
        const silent = (uri: string): Rule => ({
          when: { method: "resources/read", params: { uri } },
          reply: [{ silence: true }],
          times: 1,
        })
        const uris = ["note://a", "note://b"]
        const peer = server(...uris.map(silent), ...uris.map((uri) => text(uri, "new")))
        const { client, heard } = yield* listening(peer, "note://a")
        const [both] = yield* Effect.all(
          [
            Effect.all(
              uris.map((uri) => read(client, uri)),
              { concurrency: 2 },
            ),
            Effect.gen(function* () {
              yield* until(() => reads(peer).length === 2)
              peer.send(updated("note://a"), subscription)
              yield* until(() => heard.length === 1)
              for (const uri of uris) {
                peer.play(contents(uri, "old"), { method: "resources/read", params: { uri } })
              }
            }),
          ],
          { concurrency: 2 },
        )
        expect(both).toEqual(["old", "old"])
        expect(yield* read(client, "note://a")).toBe("new")
        expect(yield* read(client, "note://b")).toBe("old")
      }),
  )

  it.effect("V26-CACHE-10 a change of the list is one of all of them", () =>
    Effect.gen(function* () {
      const peer = server(text("note://a", "one"))
      const store = openStore()
      const client = yield* connect(peer, { cache: { store } })
      yield* isOpen(client)
      yield* read(client, "note://a")
      let told = 0
      client.on("notifications/resources/list_changed", () => told++)
      peer.send(onListen("notifications/resources/list_changed"), subscription)
      yield* until(() => told === 1)
      expect([...store.entries]).toEqual([])
      yield* read(client, "note://a")
      expect(reads(peer)).toHaveLength(2)
    }),
  )

  it.effect("V26-CACHE-10 after a lost connection they are read again", () =>
    Effect.gen(function* () {
      const peer = server(text("note://a", "one"))
      const store = openStore()
      const client = yield* connect(peer, { cache: { store } })
      yield* read(client, "note://a")
      peer.play([{ destroy: true }])
      yield* until(() => client.state !== "ready")
      yield* passUntil(() => client.state === "ready")
      yield* read(client, "note://a")
      expect(reads(peer)).toHaveLength(2)
      // That this client was away says nothing to others.
      expect(store.errands).not.toContain("delete")
    }),
  )

  it.effect(
    "V26-CACHE-10 whoever is told that something may have been missed gets it from the server",
    () =>
      Effect.gen(function* () {
        const peer = server(text("note://a", "one"))
        const { client, heard } = yield* listening(peer, "note://a")
        yield* read(client, "note://a")
        // The stream ends without a word; what happens until the next one opens is not heard.
        peer.play([{ result: complete }], subscription)
        yield* until(() => client.listening !== "open")
        const passing = Effect.gen(function* () {
          while (heard.length === 0) {
            yield* TestClock.adjust(100)
            yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
          }
        })
        yield* passing
        yield* read(client, "note://a")
        expect(reads(peer)).toHaveLength(2)
      }),
  )

  it.effect(
    "thousands of notices about thousands of resources are held in bounded memory, and none is forgotten",
    () =>
      Effect.gen(function* () {
        const uris = Array.from({ length: 1_500 }, (_, index) => `note://${index}`)
        const peer = server(...uris.slice(0, 3).map((uri) => text(uri, "one")))
        const client = yield* connect(peer)
        for (const uri of uris.slice(0, 3)) yield* read(client, uri)
        const results = client.connection.results.of("resources/read")
        for (const uri of uris) results.discard(uri)
        results.discard("note://0/" + "x".repeat(10_000))
        for (const uri of uris.slice(0, 3)) yield* read(client, uri)
        expect(reads(peer)).toHaveLength(6)
      }),
  )
})
