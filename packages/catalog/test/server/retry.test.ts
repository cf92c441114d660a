import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import { Catalog, defaultRetry } from "@entente/catalog"
import { memoryVerdicts } from "@entente/client"
import { legacyServer, memoryPeer, tool, type MemoryPeer } from "@entente/testkit"
import {
  AuthorizationRequired,
  InvalidInput,
  SpawnFailed,
  VersionMismatch,
  explain,
  type EntenteError,
} from "@entente/protocol"
import type { Transport } from "@entente/transport"
import { pauseBefore, waitsForSomebody } from "../../src/server/retry-policy.js"

/** A transport that tells when it was opened, in milliseconds of the clock of the test. */
const timed = (transport: Transport, opens: Array<number>): Transport => ({
  ...transport,
  open: Effect.andThen(
    Effect.map(
      Effect.clockWith((clock) => clock.currentTimeMillis),
      (now) => opens.push(now),
    ),
    transport.open,
  ),
})

/** No jitter: every pause is as long as it can be. */
const steady = Effect.provideService(Random.Random, {
  nextDoubleUnsafe: () => 0,
  nextIntUnsafe: () => 0,
})

const peerOf = (): MemoryPeer => memoryPeer(legacyServer({ tools: [tool("echo")] }))
const connect = { verdicts: memoryVerdicts(), reconnect: "never" } as const

const made = (peer: MemoryPeer, opens: Array<number>) =>
  Catalog.make({ one: { transport: timed(peer.transport, opens), connect } })

/** Lets everything happen that needs no time. */
const turn = TestClock.adjust(0).pipe(Effect.andThen(Effect.yieldNow), Effect.repeat({ times: 50 }))

const stateOf = (catalog: Catalog.Catalog) => catalog.server("one")?.status

describe("a server that is away", () => {
  it.effect("is tried again after pauses that grow to a limit, for as long as it takes", () =>
    Effect.gen(function* () {
      const peer = peerOf()
      yield* Effect.promise(() => peer.close())
      const opens: Array<number> = []
      const catalog = yield* made(peer, opens)
      yield* catalog.settled
      expect(stateOf(catalog)).toMatchObject({ state: "waiting", retryAt: 1_000, failures: 1 })
      yield* TestClock.adjust("20 minutes")
      const pauses = opens.slice(1).map((at, index) => (at - (opens[index] ?? 0)) / 1_000)
      expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300])
      expect(stateOf(catalog)).toMatchObject({
        state: "waiting",
        failures: 12,
        trouble: { code: "unreachable" },
      })
      yield* Effect.promise(() => peer.restart())
      yield* TestClock.adjust("5 minutes")
      yield* turn
      expect(stateOf(catalog)).toMatchObject({ state: "live", trouble: undefined })
      expect(catalog.tools.tools.map(({ id }) => id)).toEqual(["one__echo"])
    }).pipe(steady),
  )

  it.effect("is tried at once where somebody asks for it", () =>
    Effect.gen(function* () {
      const peer = peerOf()
      yield* Effect.promise(() => peer.close())
      const opens: Array<number> = []
      const catalog = yield* made(peer, opens)
      yield* catalog.settled
      yield* TestClock.adjust(400)
      yield* Effect.promise(() => peer.restart())
      yield* catalog.retry("one")
      yield* turn
      expect(opens).toEqual([0, 400])
      expect(stateOf(catalog)).toMatchObject({ state: "live" })
      yield* catalog.retry("one")
      expect(yield* Effect.flip(catalog.retry("two"))).toMatchObject({
        code: "invalid-input",
        message: expect.stringContaining('no server "two"'),
      })
    }).pipe(steady),
  )

  it.effect("that comes and goes is tried less and less often, until it stays", () =>
    Effect.gen(function* () {
      const peer = peerOf()
      const opens: Array<number> = []
      const catalog = yield* made(peer, opens)
      const lose = Effect.gen(function* () {
        yield* turn
        expect(stateOf(catalog)?.state).toBe("live")
        peer.play([{ destroy: true }])
        yield* turn
        return stateOf(catalog)
      })
      expect(yield* lose).toMatchObject({ state: "waiting", failures: 1 })
      yield* TestClock.adjust(1_000)
      expect(yield* lose).toMatchObject({ state: "waiting", failures: 2 })
      yield* TestClock.adjust(2_000)
      yield* turn
      yield* TestClock.adjust(defaultRetry.steadyMs)
      expect(yield* lose).toMatchObject({ state: "waiting", failures: 1 })
      expect(opens).toEqual([0, 1_000, 3_000])
      expect(catalog.tools).toMatchObject({ stale: ["one"], tools: [{ id: "one__echo" }] })
    }).pipe(steady),
  )
})

const failures: ReadonlyArray<EntenteError> = [
  new InvalidInput(explain("invalid-input", "input", "one", "No.")),
  new SpawnFailed(explain("command-not-found", "open", "one", "No.")),
  new AuthorizationRequired({
    ...explain("authorization-required", "negotiate", "one", "No."),
    status: 401,
    challenges: [],
  }),
  new VersionMismatch({
    ...explain("no-common-version", "negotiate", "one", "No."),
    offered: [],
    supported: [],
  }),
]

describe("a server that somebody has to do something about", () => {
  it.effect.each(failures)("is not tried again by itself: $code", (failure) =>
    Effect.gen(function* () {
      const peer = peerOf()
      let repaired = false
      const opens: Array<number> = []
      const transport = timed(
        {
          ...peer.transport,
          open: Effect.suspend(() =>
            // What negotiation finds is told by the transport here, which makes no difference to a catalog.
            repaired ? peer.transport.open : Effect.fail(failure as never),
          ),
        },
        opens,
      )
      const catalog = yield* Catalog.make({ one: { transport, connect } })
      yield* catalog.settled
      expect(stateOf(catalog)).toMatchObject({ state: "failed", trouble: { code: failure.code } })
      yield* TestClock.adjust("1 day")
      expect(opens).toEqual([0])
      repaired = true
      yield* catalog.retry("one")
      yield* turn
      expect(stateOf(catalog)).toMatchObject({ state: "live", trouble: undefined })
    }),
  )
})

describe("the pauses", () => {
  it.effect("are spread over the second half of their length", () =>
    Effect.sync(() => {
      expect(pauseBefore(1, defaultRetry, 0)).toBe(1_000)
      expect(pauseBefore(1, defaultRetry, 0.5)).toBe(750)
      expect(pauseBefore(5_000, defaultRetry, 0)).toBe(300_000)
      expect(waitsForSomebody("unreachable")).toBe(false)
    }),
  )
})
