import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import {
  isJsonObject,
  type JsonObject,
  type JsonRpcMessage,
  type TransportError,
} from "@entente/protocol"
import { makeDresser, type Dresser } from "@entente/session"
import type { Channel, SendOutcome, Transport } from "@entente/transport"

type Headers = Readonly<Record<string, string>>

/** What came back for a question of the doctor. */
export type Heard =
  | { readonly _tag: "Result"; readonly result: JsonObject; readonly headers: Headers }
  | {
      readonly _tag: "Refused"
      readonly code: number | undefined
      readonly status: number | undefined
    }
  /** Nothing, in the time that it had. */
  | { readonly _tag: "Silent" }

/** Milliseconds that the end of a session may take. */
const longestFarewellMs = 2_000

const silent: Heard = { _tag: "Silent" }

const codeIn = (value: unknown): number | undefined => {
  const error = isJsonObject(value) ? value["error"] : undefined
  const code = isJsonObject(error) ? error["code"] : undefined
  return typeof code === "number" ? code : undefined
}

/** Before anything is agreed on, a message goes as it is. */
const plain = makeDresser({ era: "legacy", revision: undefined, versionHeader: false, http: true })

/**
 * A conversation that the doctor has itself, without a client between: it asks also what no client may ask,
 * takes what no client would take, and judges nothing. Everything in it is in the trace of its transport.
 */
export class Visit {
  readonly #channel: Channel
  readonly #timeoutMs: number
  readonly #waiting = new Map<number, (heard: Heard) => void>()
  #id = 0
  /** What goes with every message; a handshake changes it. */
  dress: Dresser = plain
  /** Headers besides. */
  extraHeaders: Headers = {}
  /** Whether the server has given out a session here, which goes back to it at the end. */
  holdsSession = false

  private constructor(channel: Channel, timeoutMs: number) {
    this.#channel = channel
    this.#timeoutMs = timeoutMs
    channel.listen({
      message: (value, { headers = {} }) => {
        for (const message of Array.isArray(value) ? value : [value])
          this.#received(message, headers)
      },
      note: () => {},
      unreadable: () => {},
      closed: () => {
        for (const settle of this.#waiting.values()) settle(silent)
      },
    })
  }

  static readonly open = (
    transport: Transport,
    timeoutMs: number,
  ): Effect.Effect<Visit, TransportError, Scope.Scope> =>
    Effect.gen(function* () {
      const visit = new Visit(yield* transport.open, timeoutMs)
      yield* Effect.addFinalizer(() => visit.#endSession)
      return visit
    })

  /** Whether messages travel over HTTP. */
  get http(): boolean {
    return this.#channel.exchanges === "per-request"
  }

  /** What comes of it is in the trace; a server that does not answer is not waited for (V25-HTTP-34). */
  get #endSession(): Effect.Effect<void> {
    const { endSession } = this.#channel
    if (!this.holdsSession || endSession === undefined) return Effect.void
    const { headers } = this.dress({ jsonrpc: "2.0", method: "notifications/cancelled" })
    return Effect.interruptible(endSession({ ...headers, ...this.extraHeaders })).pipe(
      Effect.timeoutOption(Math.min(this.#timeoutMs, longestFarewellMs)),
      Effect.ignore,
    )
  }

  #received(message: unknown, headers: Headers): void {
    if (!isJsonObject(message)) return
    const { id, result } = message
    const settle = typeof id === "number" ? this.#waiting.get(id) : undefined
    if (isJsonObject(result)) settle?.({ _tag: "Result", result, headers })
    else if ("error" in message)
      settle?.({ _tag: "Refused", code: codeIn(message), status: undefined })
  }

  /**
   * Asks, and waits for what comes of it.
   *
   * @param patienceMs milliseconds instead of those that every answer has
   */
  ask(
    method: string,
    params?: JsonObject,
    patienceMs: number = this.#timeoutMs,
  ): Effect.Effect<Heard> {
    const id = ++this.#id
    const asking = Effect.gen({ self: this }, function* () {
      const answered = yield* Deferred.make<Heard>()
      const settle = (heard: Heard): void => {
        Deferred.doneUnsafe(answered, Effect.succeed(heard))
      }
      this.#waiting.set(id, settle)
      const sent = this.#send(
        { jsonrpc: "2.0", id, method, ...(params === undefined ? {} : { params }) },
        (outcome) => {
          // Everything that came in the exchange was received before its end.
          if (outcome._tag === "Written") return
          settle(outcome._tag === "Rejected" ? refusal(outcome) : silent)
        },
      )
      return yield* Deferred.await(answered).pipe(
        Effect.timeoutOrElse({
          duration: patienceMs,
          // A server over HTTP learns that nobody waits any more; an answer that came is left to end by itself.
          orElse: () =>
            Effect.sync(() => {
              sent.abort()
              return silent
            }),
        }),
        Effect.ensuring(Effect.sync(() => this.#waiting.delete(id))),
      )
    })
    return asking
  }

  /** Says something that has no answer; done when it was taken. */
  tell(method: string): Effect.Effect<void> {
    return Effect.callback<void>((resume) => {
      this.#send({ jsonrpc: "2.0", method }, () => resume(Effect.void))
    }).pipe(Effect.timeoutOrElse({ duration: this.#timeoutMs, orElse: () => Effect.void }))
  }

  #send(message: JsonRpcMessage, settled: (outcome: SendOutcome) => void) {
    const { message: dressed, headers } = this.dress(message)
    return this.#channel.send(
      { message: dressed, headers, extraHeaders: this.extraHeaders },
      settled,
    )
  }
}

const refusal = ({ rejection }: SendOutcome & { readonly _tag: "Rejected" }): Heard => ({
  _tag: "Refused",
  code: codeIn(rejection.json),
  status: rejection.status,
})
