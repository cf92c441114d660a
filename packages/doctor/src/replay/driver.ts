import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { Client } from "@entente/client"
import { isJsonObject, type EntenteError } from "@entente/protocol"
import type { TraceEvent } from "@entente/trace"
import type { Alignment } from "./alignment.js"
import { Deliveries } from "./deliveries.js"
import { idText } from "./recorded-message.js"
import type { Deed, RecordedRun, Send } from "./recorded-run.js"
import { repeat } from "./repeat.js"
import type { ReplayClock } from "./replay-clock.js"
import type { Timeline } from "./timeline.js"

/** What the driver needs of the replay it drives. */
export interface DriverContext {
  readonly run: RecordedRun
  readonly alignment: Alignment
  readonly clock: ReplayClock
  readonly timeline: Timeline
  /** The connection being made; it fails with what the handshake ended in. */
  readonly connecting: Fiber.Fiber<Client.Client, EntenteError>
  /** Milliseconds of the recording's time to wait for what a connection does by itself. */
  readonly patienceMs: number
  /** Hears of what did not happen again. */
  readonly missing: (send: Send, why: string) => void
}

/** Short waits for something that comes at once, or not at all. */
const shortMs = 2_000

/** States of a connection that it does not leave by itself within a moment. */
const settledStates: ReadonlySet<string> = new Set(["ready", "closing", "closed", "failed"])

/** The first moments of a wait, in which nothing but the work of this moment is waited for. */
const moments = 4

/**
 * Does what the recorded client's owner did, in the same order and at the same times: what the client that runs
 * has not sent by itself when it is due. It waits for everything with patience, and goes on without it.
 */
export class Driver {
  readonly #context: DriverContext
  readonly #deliveries: Deliveries
  /** What was begun, by the place of the message that it sends first, and the latest of each method. */
  readonly #begun = new Map<number, Fiber.Fiber<unknown, EntenteError>>()
  readonly #latest = new Map<string, Fiber.Fiber<unknown, EntenteError>>()

  constructor(context: DriverContext) {
    this.#context = context
    this.#deliveries = new Deliveries(context.run, context.alignment)
  }

  /** Ends when everything was done or given up, and the recording is over. */
  get drive(): Effect.Effect<void> {
    const { run } = this.#context
    return Effect.gen({ self: this }, function* () {
      for (const deed of run.deeds) yield* this.#do(deed)
      yield* this.#context.timeline.due(run.events.length - 1)
      yield* this.#untilSaid
    })
  }

  /** Waits for what the server may still say: something left out makes the rest late. */
  get #untilSaid(): Effect.Effect<void> {
    const { run, alignment, clock } = this.#context
    const requests = new Map([...run.answers].map(([request, answer]) => [answer, request]))
    const isToCome = ([place, event]: readonly [number, TraceEvent]): boolean => {
      if (event.type !== "frame" || event.direction === "out") return false
      const request = requests.get(place)
      return request === undefined || alignment.has(request)
    }
    return Effect.gen(function* () {
      const end = clock.currentTimeMillisUnsafe() + run.longestGapMs + shortMs
      while (alignment.missing.some(isToCome) && clock.currentTimeMillisUnsafe() < end) {
        yield* clock.pause(Math.max(100, (end - clock.currentTimeMillisUnsafe()) / 20))
      }
    })
  }

  /** Waits for what the recording has before a message. What patience did not bring is not waited for again. */
  #untilHeard(send: Send): Effect.Effect<void> {
    const { run, clock } = this.#context
    return Effect.gen({ self: this }, function* () {
      const isOwed = (): boolean =>
        !this.#happened(send) && this.#deliveries.isOwedBefore(send.index)
      if (!isOwed()) return
      // Longer than the replay waits before it leaves out what holds up the rest.
      const end = clock.currentTimeMillisUnsafe() + run.longestGapMs + shortMs
      for (;;) {
        yield* clock.pause(0)
        if (!isOwed()) return
        // Nothing can happen before the next moment that somebody waits for, and a longer pause would make us late.
        const next = clock.nextMoment
        if (next === undefined || next > end) return this.#deliveries.giveUpBefore(send.index)
        yield* clock.pause(next - clock.currentTimeMillisUnsafe())
      }
    })
  }

  #do(deed: Deed): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      if (deed.kind === "giveUp") return yield* this.#giveUp(deed.index, deed.of)
      yield* this.#context.timeline.due(deed.index)
      if (this.#happened(deed)) return this.#adopt(deed)
      // What was said before may be why it was sent: an answer that is late makes the next page late.
      yield* this.#untilHeard(deed)
      if (this.#happened(deed)) return this.#adopt(deed)
      if (deed.method === "notifications/cancelled") yield* this.#cancel(deed)
      const again = repeat(deed)
      // A connection on its way sends again by itself what it owes.
      if (again !== undefined) yield* this.#untilReady(deed)
      if (this.#happened(deed)) return this.#adopt(deed)
      const why =
        again === undefined
          ? yield* this.#waitFor(deed, this.#patienceFor(deed))
          : yield* this.#begin(deed, again)
      if (!this.#happened(deed)) this.#context.missing(deed, why ?? "our client did not send it")
      else if (again === undefined) this.#adopt(deed)
    })
  }

  #happened({ index }: Deed): boolean {
    return this.#context.alignment.has(index)
  }

  /** A reopened connection takes its time by chance; anything else comes at once. */
  #patienceFor({ method }: Send): number {
    const isOpening = method === "initialize" || method === "subscriptions/listen"
    return isOpening ? this.#context.patienceMs : shortMs
  }

  /** Waits until the connection is there, or has sent the message already. */
  #untilReady(send: Send): Effect.Effect<void> {
    const { clock, connecting, patienceMs } = this.#context
    const isSettled = (): boolean => {
      const exit = connecting.pollUnsafe()
      if (exit === undefined) return false
      return exit._tag === "Failure" || settledStates.has(exit.value.state)
    }
    return Effect.gen({ self: this }, function* () {
      const end = clock.currentTimeMillisUnsafe() + patienceMs
      for (let turn = 0; !isSettled() && !this.#happened(send); turn++) {
        if (clock.currentTimeMillisUnsafe() >= end) return
        yield* clock.pause(turn < moments ? 0 : 100)
      }
      // What waited for the connection goes first.
      yield* clock.pause(0)
    })
  }

  /** Begins something in place of the owner, and waits until its message is on its way. */
  #begin(
    send: Send,
    again: NonNullable<ReturnType<typeof repeat>>,
  ): Effect.Effect<string | undefined> {
    const { connecting } = this.#context
    return Effect.gen({ self: this }, function* () {
      const doing = Effect.flatMap(Fiber.join(connecting), again)
      const fiber = yield* Effect.forkChild(doing, { startImmediately: true })
      this.#begun.set(send.index, fiber)
      this.#latest.set(send.method ?? "", fiber)
      return yield* this.#waitFor(send, this.#context.patienceMs, fiber)
    })
  }

  /** Waits for a message; gives the reason where it will not come. */
  #waitFor(
    send: Send,
    patienceMs: number,
    fiber?: Fiber.Fiber<unknown, EntenteError>,
  ): Effect.Effect<string | undefined> {
    const { clock, connecting } = this.#context
    return Effect.gen({ self: this }, function* () {
      const end = clock.currentTimeMillisUnsafe() + patienceMs
      for (let turn = 0; ; turn++) {
        yield* clock.pause(turn < moments ? 0 : Math.min(100, patienceMs))
        if (this.#happened(send)) return undefined
        const failure = failureOf(fiber) ?? failureOf(connecting)
        if (failure !== undefined) return failure
        if (fiber?.pollUnsafe() !== undefined) return undefined
        if (clock.currentTimeMillisUnsafe() >= end) return undefined
      }
    })
  }

  /** A message that came by itself belongs to what was begun last with the same method. */
  #adopt({ index, method }: Send): void {
    const fiber = this.#latest.get(method ?? "")
    if (fiber !== undefined && !this.#begun.has(index)) this.#begun.set(index, fiber)
  }

  /** The recorded client took a request back: its owner gave it up. */
  #cancel({ params, index }: Send): Effect.Effect<void> {
    const { run } = this.#context
    const named = idText(params?.["requestId"])
    const of = run.sends.findLast(({ index: place, id }) => place < index && id === named)
    return of === undefined || named === undefined ? Effect.void : this.#interrupt(of.index)
  }

  #giveUp(index: number, of: number): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      if (!this.#begun.has(of)) return
      yield* this.#context.timeline.due(index)
      if (!this.#context.alignment.has(index)) yield* this.#interrupt(of)
    })
  }

  #interrupt(place: number): Effect.Effect<void> {
    return Effect.sync(() => this.#begun.get(place)?.interruptUnsafe())
  }
}

/** Why nothing was sent: an error, or what a listing says of a list that was not read. */
const failureOf = (fiber: Fiber.Fiber<unknown, EntenteError> | undefined): string | undefined => {
  const exit = fiber?.pollUnsafe()
  if (exit === undefined) return undefined
  if (exit._tag === "Success") {
    const reason = isJsonObject(exit.value) ? exit.value["reason"] : undefined
    const message = isJsonObject(reason) ? reason["message"] : undefined
    return typeof message === "string" ? message : undefined
  }
  const fail = exit.cause.reasons.find((reason) => reason._tag === "Fail")
  return fail === undefined ? "it was given up" : fail.error.message
}
