import { describe, expect } from "vitest"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { legacyServer, memoryPeer, modernServer, pages, tool, withRules } from "@entente/testkit"
import { httpPeer } from "@entente/testkit/node"
import {
  faulty,
  faultyEngine,
  fetchEngine,
  http,
  type Fault,
  type FaultKind,
} from "@entente/transport"
import { complaints, inTime, rulesFor, workThrough } from "./bad-day.js"

const offers = { tools: [tool("a")], prompts: [{ name: "p" }] }
const cacheable = { resultType: "complete", ttlMs: 0, cacheScope: "private" }
const inTwoPages = (more = {}) =>
  pages("tools/list", [
    { ...more, tools: [tool("a")], nextCursor: "2" },
    { ...more, tools: [tool("b")] },
  ])
const servers = {
  legacy: withRules(legacyServer({ ...offers, sessionIds: ["S1", "S2"] }), ...inTwoPages()),
  modern: withRules(modernServer(offers), ...inTwoPages(cacheable)),
}
/** What the lists of a day hold: tools, prompts, tools. */
const sizes = [2, 1, 2]
const everyKind: ReadonlyArray<FaultKind["fault"]> = [
  "disconnect",
  "duplicate",
  "latency",
  "loss",
  "reorder",
  "stall",
  "truncate",
]

const eras = ["legacy", "modern"] as const

describe("a real client over a faulty transport", () => {
  const seeds = 120
  it.effect.each(eras)(
    `settles everything once, with a result or a typed error, on ${seeds} bad days (%s)`,
    (era) =>
      Effect.gen(function* () {
        const found: Array<string> = []
        const kinds = new Set<string>()
        let whole = 0
        for (let seed = 0; seed < seeds; seed++) {
          const transport = faulty(memoryPeer(servers[era]).transport, {
            seed,
            rules: rulesFor(seed),
            onFault: ({ fault }) => kinds.add(fault),
          })
          const day = yield* inTime(workThrough(transport))
          for (const complaint of complaints(day, sizes)) found.push(`seed ${seed}: ${complaint}`)
          const lists = day === "hangs" ? [] : day.lists
          if (lists.length > 0 && lists.every(({ status }) => status === "complete")) whole++
        }
        expect(found).toEqual([])
        expect([...kinds].toSorted()).toEqual(everyKind)
        expect(whole).toBeGreaterThan(seeds / 4)
      }),
    240_000,
  )

  it.effect("meets the same faults, and comes to the same end, with the same seed", () =>
    Effect.gen(function* () {
      const day = (seed: number) =>
        Effect.gen(function* () {
          const faults: Array<Fault> = []
          const transport = faulty(memoryPeer(servers.legacy).transport, {
            seed,
            rules: rulesFor(seed),
            onFault: (fault) => faults.push(fault),
          })
          return { day: yield* inTime(workThrough(transport)), faults }
        })
      for (const seed of [1, 2, 5, 6]) {
        const first = yield* day(seed)
        expect(first.faults.length).toBeGreaterThan(5)
        expect(yield* day(seed)).toEqual(first)
      }
      expect((yield* day(1)).faults).not.toEqual((yield* day(2)).faults)
    }),
  )
})

const limits = {
  timeoutMs: 500,
  handshakeMs: 500,
  reconnect: { baseMs: 5, maxAttempts: 2 },
  lists: { deadlineMs: 5_000 },
} as const

/** Far more than any day takes: what is not over by then hangs. */
const patience = { duration: "60 seconds", orElse: () => Effect.succeed("hangs" as const) } as const

describe("a real client over faulty HTTP", () => {
  const seeds = Array.from({ length: 24 }, (_, seed) => seed)

  it.live.each(eras)(
    "settles everything once while messages go wrong (%s)",
    (era) =>
      Effect.gen(function* () {
        const found = yield* Effect.forEach(
          seeds,
          (seed) =>
            Effect.gen(function* () {
              const peer = yield* httpPeer({ ...servers[era], answers: seed % 2 ? "sse" : "json" })
              const transport = faulty(http(peer.url), { seed, rules: rulesFor(seed) })
              const day = yield* Effect.timeoutOrElse(workThrough(transport, limits), patience)
              return complaints(day, sizes).map((complaint) => `seed ${seed}: ${complaint}`)
            }).pipe(Effect.scoped),
          { concurrency: 10 },
        )
        expect(found.flat()).toEqual([])
      }),
    240_000,
  )

  it.live.each(eras)(
    "settles everything once while bytes are cut anew, late, lost and broken off (%s)",
    (era) =>
      Effect.gen(function* () {
        const kinds = new Set<string>()
        const found = yield* Effect.forEach(
          seeds,
          (seed) =>
            Effect.gen(function* () {
              const peer = yield* httpPeer({ ...servers[era], answers: seed % 2 ? "sse" : "json" })
              const share = [0, 0.05, 0.1, 0.2][seed % 4] ?? 0
              const engine = yield* faultyEngine(
                fetchEngine((url, init) => fetch(url, init)),
                {
                  seed,
                  maxPiece: 1 + (seed % 20),
                  truncate: share,
                  disconnect: share,
                  stall: share / 2,
                  within: 200,
                  onFault: ({ fault }) => kinds.add(fault),
                  ...(seed % 3 === 0 ? { latency: { ms: 0, jitterMs: 3 } } : {}),
                },
              )
              const transport = http(peer.url, { engine })
              // Where bytes are only cut anew, or late, nothing may fail, however long it takes.
              const calm = share === 0
              const day = yield* Effect.timeoutOrElse(
                workThrough(transport, calm ? { timeoutMs: 60_000, handshakeMs: 60_000 } : limits),
                patience,
              )
              const failed =
                calm && day !== "hangs" && day.calls.some((call) => !call.startsWith("{"))
              return [
                ...complaints(day, sizes),
                ...(failed ? [`a call failed: ${day.calls.join()}`] : []),
              ].map((complaint) => `seed ${seed}: ${complaint}`)
            }).pipe(Effect.scoped),
          { concurrency: 10 },
        )
        expect(found.flat()).toEqual([])
        expect([...kinds].toSorted()).toEqual([
          "disconnect",
          "latency",
          "recut",
          "stall",
          "truncate",
        ])
      }),
    240_000,
  )
})

describe("notifications/initialized that is never accepted", () => {
  const rules = [{ fault: "stall", when: { method: "notifications/initialized" } }] as const

  it.effect("V25-LIFE-10 ends the handshake with a timeout on a pipe that is blocked", () =>
    Effect.gen(function* () {
      const transport = faulty(memoryPeer(servers.legacy).transport, { seed: 1, rules })
      expect(yield* inTime(workThrough(transport))).toMatchObject({ connected: "HandshakeFailed" })
    }),
  )

  it.live("V25-LIFE-10 ends the handshake with a timeout where HTTP never answers it", () =>
    Effect.gen(function* () {
      const silence = {
        when: { method: "notifications/initialized" },
        reply: [{ silence: true }],
      } as const
      const peer = yield* httpPeer(withRules(servers.legacy, silence))
      const day = yield* workThrough(http(peer.url), { ...limits, handshakeMs: 200 })
      expect(day).toMatchObject({ connected: "HandshakeFailed" })
    }),
  )
})
