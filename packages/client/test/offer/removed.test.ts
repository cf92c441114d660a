import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import type { EntenteError } from "@entente/client"
import type { NoLongerOffered } from "@entente/protocol"
import type { Rule } from "@entente/testkit"
import { noted, reasonOf } from "../field/connected.js"
import { answered, everywhere, kinds, listed, lists, meet, refused } from "./changing-lists.js"

const kindsOf = Object.keys(kinds) as Array<keyof typeof kinds>
const rows = everywhere.flatMap(([era, way]) => kindsOf.map((kind) => [kind, era, way] as const))

describe.for(rows)("a %s that a %s server does not know, over %s", ([kind, era, way]) => {
  const { list, lists: method, calls, params, item, result } = kinds[kind]
  const key = kind === "resource" ? "uri" : "name"
  const keys = (items: ReadonlyArray<object>) =>
    items.map((one) => (one as { readonly [member: string]: unknown })[key])
  /** A client that has read the list, and has called. */
  const open = (...rules: ReadonlyArray<Rule>) =>
    Effect.map(
      Effect.tap(meet(era, way)(rules), ({ effects }) => effects[list].list()),
      ({ peer, effects, promises }) => ({
        peer,
        effects,
        promises,
        call: (name: string, options = {}) =>
          kind === "tool"
            ? effects.callTool({ name }, options)
            : kind === "prompt"
              ? effects.getPrompt({ name }, options)
              : effects.readResource({ uri: name }, options),
        promise: (name: string): Promise<unknown> =>
          kind === "tool"
            ? promises.callTool({ name })
            : kind === "prompt"
              ? promises.getPrompt({ name })
              : promises.readResource({ uri: name }),
        walks: () => peer.requests(method).length,
        callsMade: () => peer.requests(calls).length,
      }),
    )
  const failure = (call: Effect.Effect<unknown, EntenteError>) => Effect.flip(call)

  it.effect("V26-CACHE-05 and does not list any more: the call says what was removed", () =>
    Effect.gen(function* () {
      const { call, promise, walks, callsMade, effects, promises } = yield* open(
        ...lists(method, listed(kind, "x:a", "x:b"), listed(kind, "x:b")),
        refused(kind, -32602, "who?"),
      )
      const gone = {
        _tag: "NoLongerOffered",
        code: "no-longer-offered",
        stage: "request",
        method: calls,
        kind,
        name: "x:a",
        cause: { _tag: "PeerError", rpcCode: -32602, rpcMessage: "who?" },
      }
      const error = yield* failure(call("x:a"))
      expect(error).toMatchObject(gone)
      expect(error.message).toContain(
        `The ${kind} "x:a" was removed: the server's list of ${list}, read again, does not have it any more.`,
      )
      expect((error as NoLongerOffered).result).toBeUndefined()
      expect(walks()).toBe(2)
      expect(keys(effects[list].last?.items ?? [])).toEqual(["x:b"])
      // Whoever goes on with it hears the same, at no further cost, through either door.
      expect(yield* failure(call("x:a"))).toMatchObject(gone)
      expect(yield* Effect.promise(() => reasonOf(promise("x:a")))).toMatchObject(gone)
      expect(walks()).toBe(2)
      expect(callsMade()).toBe(3)
      expect(promises.notes).toEqual([])
    }),
  )

  it.effect.each([
    [-32601, "Method not found"],
    [0, `Unknown ${kind}: x:a`],
    [-32603, `${kind} 'x:a' not found`],
    ...(kind === "resource" ? ([[-32002, "no"]] as const) : []),
  ] as const)(
    "V26-CACHE-05 V26-ERR-01 is looked for again after the error %i %s",
    ([code, words]) =>
      Effect.gen(function* () {
        const { call, walks } = yield* open(
          ...lists(method, listed(kind, "x:a"), listed(kind)),
          refused(kind, code, words),
        )
        const cause = { rpcCode: code, rpcMessage: words }
        expect(yield* failure(call("x:a"))).toMatchObject({ code: "no-longer-offered", cause })
        expect(walks()).toBe(2)
      }),
  )

  it.effect.each([
    [-32603, "disk full"],
    [-32000, "Server error"],
    [7, "no"],
    [-32603, `the ${kind} x:abc was not found`],
  ] as const)("V26-ERR-01 costs no reading after the error %i %s", ([code, words]) =>
    Effect.gen(function* () {
      const { call, walks } = yield* open(
        ...lists(method, listed(kind, "x:a"), listed(kind)),
        refused(kind, code, words),
      )
      expect(yield* failure(call("x:a"))).toMatchObject({ _tag: "PeerError", rpcCode: code })
      expect(walks()).toBe(1)
    }),
  )

  it.effect(
    "V26-ERR-03 but lists as before: the server's error stands, and costs one reading",
    () =>
      Effect.gen(function* () {
        const { call, promise, walks, callsMade } = yield* open(
          ...lists(method, listed(kind, "x:a", "x:b")),
          refused(kind, -32602, "n must be a number"),
        )
        const wrong = { _tag: "PeerError", rpcCode: -32602 }
        for (let turn = 1; turn <= 5; turn++) {
          expect(yield* failure(call("x:a"))).toMatchObject(wrong)
          expect(yield* Effect.promise(() => reasonOf(promise("x:a")))).toMatchObject(wrong)
          expect(walks()).toBe(2)
          expect(callsMade()).toBe(2 * turn)
        }
        expect(yield* failure(call("x:b"))).toMatchObject(wrong)
        expect(walks()).toBe(3)
      }),
  )

  it.effect("V26-CACHE-05 is looked for once more where a code is followed by plain words", () =>
    Effect.gen(function* () {
      const { call, walks } = yield* open(
        ...lists(method, listed(kind, "x:a"), listed(kind, "x:a"), listed(kind)),
        refused(kind, -32602, "n must be a number", 1),
        refused(kind, -32602, `Unknown ${kind}: x:a`),
      )
      expect(yield* failure(call("x:a"))).toMatchObject({ _tag: "PeerError" })
      expect(walks()).toBe(2)
      expect(yield* failure(call("x:a"))).toMatchObject({ code: "no-longer-offered" })
      expect(walks()).toBe(3)
    }),
  )

  it.effect(
    "V26-CACHE-05 but describes in another way is called once more, if that is harmless",
    () =>
      Effect.gen(function* () {
        const described = { [list]: [{ ...item("x:a"), description: "new" }] }
        const changing = [
          ...lists(method, listed(kind, "x:a"), described),
          refused(kind, -32602, "no", 1),
          answered(kind),
        ]
        const { call, walks, callsMade, effects } = yield* open(...changing)
        if (kind === "tool") {
          expect(yield* failure(call("x:a"))).toMatchObject({ _tag: "PeerError" })
          expect(callsMade()).toBe(1)
          const careful = yield* open(...changing)
          yield* careful.call("x:a", { replay: true })
          expect(careful.callsMade()).toBe(2)
        } else {
          expect(yield* call("x:a")).toMatchObject(result)
          expect(callsMade()).toBe(2)
          expect(effects.notes).toEqual([
            { code: "call-repeated", count: 1, detail: `${calls} x:a` },
          ])
          const never = yield* open(...changing)
          expect(yield* failure(never.call("x:a", { replay: false }))).toMatchObject({
            _tag: "PeerError",
          })
          expect(never.callsMade()).toBe(1)
        }
        expect(walks()).toBe(2)
      }),
  )

  it.effect("V26-CACHE-05 is called once more and not twice, whatever comes of it", () =>
    Effect.gen(function* () {
      const { call, walks, callsMade } = yield* open(
        ...lists(method, listed(kind, "x:a"), {
          [list]: [{ ...item("x:a"), description: "new" }],
        }),
        refused(kind, -32602),
      )
      expect(yield* failure(call("x:a", { replay: true }))).toMatchObject({ _tag: "PeerError" })
      expect(callsMade()).toBe(2)
      expect(walks()).toBe(2)
    }),
  )

  it.effect("that was never listed costs no reading", () =>
    Effect.gen(function* () {
      const { call, walks } = yield* open(
        ...lists(method, listed(kind, "x:b")),
        refused(kind, -32602, `${kind} x:a not found`),
      )
      expect(yield* failure(call("x:a"))).toMatchObject({ _tag: "PeerError" })
      expect(walks()).toBe(1)
      const unread = yield* meet(era, way)([refused(kind, -32602)])
      const refusal = unread.effects.request(calls, params("x:a"))
      expect(yield* failure(refusal)).toMatchObject({ _tag: "PeerError" })
      expect(unread.peer.requests(method)).toEqual([])
    }),
  )

  it.effect("V26-CACHE-05 many calls that fail at once are looked after by one reading", () =>
    Effect.gen(function* () {
      const { call, walks } = yield* open(
        ...lists(method, listed(kind, "x:a", "x:b", "x:c"), listed(kind, "x:c")),
        refused(kind, -32602),
      )
      const calls20 = Array.from({ length: 20 }, (_, index) =>
        failure(call(`x:${"ab"[index % 2]}`)),
      )
      const errors = yield* Effect.all(calls20, { concurrency: "unbounded" })
      expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(["no-longer-offered"]))
      expect(walks()).toBe(2)
    }),
  )

  it.effect(
    "V26-CACHE-05 is known to be removed too where another call has had the list read",
    () =>
      Effect.gen(function* () {
        const { call, walks } = yield* open(
          ...lists(method, listed(kind, "x:a", "x:b", "x:c"), listed(kind, "x:c")),
          refused(kind, -32602),
        )
        yield* failure(call("x:a"))
        const late = { code: "no-longer-offered", name: "x:b" }
        expect(yield* failure(call("x:b"))).toMatchObject(late)
        expect(walks()).toBe(2)
      }),
  )

  it.effect(
    "V26-CACHE-05 stands as refused where the list can't be read; the old list serves on",
    () =>
      Effect.gen(function* () {
        const { peer, call, walks, effects, promises } = yield* open(
          ...lists(method, listed(kind, "x:a")),
          refused(kind, -32602),
        )
        peer.add({
          when: { method },
          reply:
            way === "http"
              ? [{ http: { status: 500 } }]
              : [{ error: { code: -32603, message: "later" } }],
        })
        for (let turn = 0; turn < 3; turn++) {
          expect(yield* failure(call("x:a"))).toMatchObject({ _tag: "PeerError", rpcCode: -32602 })
        }
        expect(walks()).toBe(2)
        expect(noted(promises)).toEqual(["list-not-read-again"])
        expect(keys(effects[list].last?.items ?? [])).toEqual(["x:a"])
      }),
  )

  it.effect(
    "stands as refused where the list was not read to its end, and does not have it so far",
    () =>
      Effect.gen(function* () {
        const { call, promises } = yield* open(
          ...lists(method, listed(kind, "x:a"), { ...listed(kind, "x:b"), nextCursor: "again" }),
          refused(kind, -32602),
        )
        expect(yield* failure(call("x:a"))).toMatchObject({ _tag: "PeerError" })
        expect(noted(promises)).toContain("list-not-read-again")
      }),
  )

  it.effect("V26-CACHE-10 is looked for whenever the list was called out of date since", () =>
    Effect.gen(function* () {
      const { peer, call, walks, callsMade, effects } = yield* open(
        ...lists(method, listed(kind, "x:a")),
        refused(kind, -32602),
      )
      yield* failure(call("x:a"))
      expect([walks(), callsMade()]).toEqual([2, 1])
      effects[list].markChanged()
      yield* failure(call("x:a"))
      // What it is depends on a list that was out of date: that is worth another try.
      const tries = kind === "tool" ? 1 : 2
      expect([walks(), callsMade()]).toEqual([3, 1 + tries])
      yield* failure(call("x:a"))
      expect(walks()).toBe(3)
      expect(peer.requests(method)).toHaveLength(3)
    }),
  )
})
