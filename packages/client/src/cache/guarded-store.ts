import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { plainText } from "@entente/protocol"
import { redactText } from "@entente/trace"
import type { Life } from "../life/life.js"
import { isPromiseLike, settle } from "../question/ask-handler.js"
import type { Answering } from "../question/handlers.js"
import type { ResultStore, StoredResult } from "./result-store.js"

/** Milliseconds that a store may take. */
export const patienceMs = 1_000

/** Milliseconds that a store which took too long is left alone. */
const restMs = 30_000

/** As much as may wait to be written: a server decides how often it says that something has changed. */
const maxWaiting = 1_000

/** What is asked of a store. */
type Errand = "get" | "set" | "delete"

/**
 * A store that can do no harm: what it throws, fails with, or never answers becomes a note. What is written
 * is written in order, beside the calls; what is read waits for what was written before it.
 */
export class GuardedStore {
  #restsUntil = -Infinity
  #writing: Fiber.Fiber<void> | undefined
  #waiting = 0
  /** What is about to be deleted, with nothing set since that was asked for. */
  readonly #deleting = new Set<string>()
  readonly #store: ResultStore
  readonly #life: Life

  constructor(store: ResultStore, life: Life) {
    this.#store = store
    this.#life = life
  }

  /** What the store has under a key, unchecked; undefined also where it has failed. */
  get(key: string): Effect.Effect<unknown> {
    return Effect.suspend(() => {
      const reading = this.#guarded("get", () => this.#store.get(key))
      if (this.#writing === undefined) return reading
      return Effect.flatMap(this.#bounded("get", Effect.as(this.settled, true)), (isWritten) =>
        isWritten === true ? reading : Effect.void,
      )
    })
  }

  set(key: string, result: StoredResult): void {
    this.#deleting.clear()
    this.#write("set", () => this.#store.set(key, result))
  }

  delete(prefix: string): void {
    if (this.#deleting.has(prefix)) return
    this.#deleting.add(prefix)
    this.#write(
      "delete",
      () => this.#store.delete(prefix),
      () => this.#deleting.delete(prefix),
    )
  }

  /** Waits until everything that was to be written is, or has failed. */
  get settled(): Effect.Effect<void> {
    return Effect.suspend(() =>
      this.#writing === undefined ? Effect.void : Effect.asVoid(Fiber.await(this.#writing)),
    )
  }

  /** `begun` is called when its turn has come, or will never come, whether the store is asked or not. */
  #write(errand: Errand, run: () => Answering<unknown>, begun: () => void = () => {}): void {
    if (this.#waiting >= maxWaiting) {
      begun()
      return this.#failed(errand, `${maxWaiting} others are waiting to be written`)
    }
    this.#waiting++
    const before = this.#writing
    const writing = Effect.asVoid(Effect.andThen(Effect.sync(begun), this.#guarded(errand, run)))
    const fiber = this.#life.background(
      before === undefined ? writing : Effect.andThen(Fiber.await(before), writing),
    )
    this.#writing = fiber
    fiber.addObserver(() => {
      this.#waiting--
      if (this.#writing === fiber) this.#writing = undefined
    })
  }

  #guarded(errand: Errand, run: () => Answering<unknown>): Effect.Effect<unknown> {
    return Effect.suspend(() => {
      if (this.#life.timers.now() < this.#restsUntil) return Effect.void
      const given = Effect.suspend((): Effect.Effect<unknown, unknown> => {
        const answer = run()
        if (!Effect.isEffect(answer) && !isPromiseLike(answer)) return Effect.succeed(answer)
        return this.#bounded(errand, settle(answer))
      })
      return Effect.catchCause(given, (cause) =>
        Effect.sync(() => this.#failed(errand, reasonIn(Cause.squash(cause)))),
      )
    })
  }

  #bounded<A, E>(errand: Errand, work: Effect.Effect<A, E>): Effect.Effect<A | void, E> {
    return Effect.timeoutOrElse(work, {
      duration: patienceMs,
      orElse: () => Effect.sync(() => this.#overdue(errand)),
    })
  }

  #overdue(errand: Errand): void {
    this.#restsUntil = this.#life.timers.now() + restMs
    this.#failed(errand, `no answer within ${patienceMs} ms, it is left alone for ${restMs} ms`)
  }

  #failed(errand: Errand, reason: string): void {
    this.#life.notes.add({ code: "result-store-failed", detail: `${errand}: ${reason}` })
  }
}

/** What a store says may hold addresses with passwords, or what it was to keep. */
const reasonIn = (reason: unknown): string => {
  const said = reason instanceof Error ? `${reason.name}: ${reason.message}` : typeof reason
  return plainText(redactText(said))
}
