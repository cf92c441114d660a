import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { Client, memoryVerdicts, type ConnectOptions, type Listing } from "@entente/client"
import type { EntenteError } from "@entente/protocol"
import type { FaultRule, Transport } from "@entente/transport"

/** What a bad day left of a client's work. */
export interface Day {
  /** The tag of the error, where there was no connection at all. */
  readonly connected: string
  readonly lists: ReadonlyArray<{
    readonly status: string
    readonly items: number
    readonly reason: string | undefined
  }>
  readonly calls: ReadonlyArray<string>
  /** How often each call was settled. */
  readonly settlements: ReadonlyArray<number>
}

const calls = 8

/** A little of everything, with a chance that depends on the seed, so that most days are not all bad. */
export const rulesFor = (seed: number): ReadonlyArray<FaultRule> => {
  const share = [0, 0.02, 0.05, 0.15][seed % 4] ?? 0
  return [
    { fault: "latency", ms: 5, jitterMs: 200, probability: 0.5 },
    { fault: "loss", probability: share },
    { fault: "duplicate", probability: share },
    { fault: "truncate", probability: share },
    { fault: "reorder", probability: share, force: seed % 8 === 7 },
    { fault: "stall", ms: 3_000, probability: share / 2 },
    { fault: "stall", probability: share / 8 },
    { fault: "disconnect", probability: share / 4 },
  ]
}

const errorTag = (error: EntenteError): string => {
  if (!error.code || !error.message.includes(error.code))
    throw new Error("an error that says nothing")
  return error._tag
}

const lost = (error: EntenteError): Day => ({
  connected: errorTag(error),
  lists: [],
  calls: [],
  settlements: [],
})

/** Reads lists and calls tools; whatever happens, everything comes to an end and says how. */
export const workThrough = (
  transport: Transport,
  options: ConnectOptions = {},
): Effect.Effect<Day, never, Scope.Scope> =>
  Client.connect(transport, {
    verdicts: memoryVerdicts(),
    timeoutMs: 2_000,
    handshakeMs: 2_000,
    probeMs: 500,
    reconnect: { baseMs: 50, maxAttempts: 3 },
    ...options,
  }).pipe(
    Effect.matchEffect({ onSuccess: work, onFailure: (error) => Effect.succeed(lost(error)) }),
  )

const work = (client: Client.Client): Effect.Effect<Day> => {
  const settlements = Array.from({ length: calls }, () => 0)
  const call = (index: number): Effect.Effect<string> =>
    Effect.callback((resume) => {
      const params = { name: "a", arguments: { index } }
      client.connection.call("tools/call", params, {}, (outcome) => {
        settlements[index] = (settlements[index] ?? 0) + 1
        resume(
          Effect.succeed(outcome.ok ? JSON.stringify(outcome.result) : errorTag(outcome.error)),
        )
      })
    })
  const read = (list: { readonly list: () => Effect.Effect<Listing<unknown>, EntenteError> }) =>
    Effect.match(list.list(), {
      onSuccess: ({ status, items, reason }): Day["lists"][number] => ({
        status,
        items: items.length,
        reason: reason?.code,
      }),
      onFailure: (error) => ({ status: errorTag(error), items: 0, reason: error.code }),
    })
  const unbounded = { concurrency: "unbounded" } as const
  return Effect.gen(function* () {
    const reading = Effect.all([client.tools, client.prompts, client.tools].map(read), unbounded)
    const indices = Array.from({ length: calls }, (_, index) => index)
    const calling = Effect.forEach(indices, call, { concurrency: 4 })
    const [lists, outcomes] = yield* Effect.all([reading, calling] as const, unbounded)
    yield* client.close
    return { connected: "yes", lists, calls: outcomes, settlements }
  })
}

/** What has to hold on every day, however bad. */
export const complaints = (
  day: Day | "hangs",
  sizes: ReadonlyArray<number>,
): ReadonlyArray<string> => {
  if (day === "hangs") return ["it hangs"]
  const counts = day.settlements.map((count, call) =>
    count === 1 ? "" : `call ${call} was settled ${count} times`,
  )
  const lists = day.lists.map(({ status, items, reason }, list) => {
    if (status !== "complete")
      return reason === undefined ? `list ${list} is ${status} for no reason` : ""
    return items === sizes[list] ? "" : `list ${list} is complete with ${items} items`
  })
  const answers = day.calls.map((outcome, call) =>
    !outcome.startsWith("{") || outcome.includes(`\\"index\\":${call}`)
      ? ""
      : `call ${call} got the answer of another: ${outcome}`,
  )
  return [...counts, ...lists, ...answers].filter((complaint) => complaint !== "")
}

/** A turn of the event loop: what does not wait for the clock goes on. */
const turn = Effect.promise(() => new Promise<void>((resume) => setImmediate(resume)))

/** Moves the test clock until an effect has come to its end; says so where it never does. */
export const inTime = <A>(
  effect: Effect.Effect<A, never, Scope.Scope>,
  limitMs = 600_000,
): Effect.Effect<A | "hangs"> =>
  Effect.scoped(
    Effect.gen(function* () {
      const fiber = yield* Effect.forkScoped(effect)
      for (let passed = 0; passed < limitMs; passed += 250) {
        yield* turn
        yield* TestClock.adjust(250)
        yield* turn
        if (fiber.pollUnsafe() !== undefined) return yield* Fiber.join(fiber)
      }
      return "hangs" as const
    }),
  )
