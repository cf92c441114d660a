import {
  CapabilityMissing,
  RequestTimeout,
  SessionLost,
  explain,
  requestRow,
  rpcCode,
  unflaggedCapability,
  type EntenteError,
  type JsonObject,
} from "@entente/protocol"
import { askConsent } from "../question/ask-consent.js"
import type { Life } from "../life/life.js"
import type { CallExtras } from "./call-options.js"
import {
  deadlinesOfCall,
  optionsFault,
  requestOptions,
  tokenFault,
  withCallMeta,
} from "./request-options.js"
import { callerCancelled, replyError } from "./reply-error.js"
import type { Reply } from "../wire/reply.js"
import type { Handle } from "../wire/wire.js"
import type { Observation } from "../telemetry/observation.js"

export type CallOutcome = (
  | { readonly ok: true; readonly result: JsonObject }
  | { readonly ok: false; readonly error: EntenteError }
) & {
  /** When the call was made, for what goes on within its time. Absent where nothing was sent. */
  readonly startedAt?: number
}

/**
 * Ends a call from the caller's side; it settles as aborted before this returns. The reason is told to the
 * server, where era and channel have words for it (V25-CANC-07).
 */
export type Cancel = (reason?: string) => void

/**
 * One call, from the caller to its settlement: waits while the connection recovers, checks the
 * capability, sends, and where the answer was lost with its session sends again once, if that can do
 * no harm. On the straight path it is a map entry and two closures.
 */
export const call = (
  life: Life,
  method: string,
  params: JsonObject | undefined,
  options: CallExtras,
  done: (outcome: CallOutcome) => void,
): Cancel => new Call(life, method, params, options, done).start()

class Call {
  #handle: Handle | undefined
  #stopWaiting: (() => void) | undefined
  #resends = 0
  #consented = false
  #generation = 0
  /** What is told of the attempt under way, if anybody is told. */
  #observed: Observation | undefined
  /** Set where it had to wait for the connection: then its time in all is not that of one request. */
  #waited = false
  readonly #startedAt: number
  readonly #life: Life
  readonly #method: string
  readonly #params: JsonObject | undefined
  readonly #options: CallExtras
  readonly #done: (outcome: CallOutcome) => void

  constructor(
    life: Life,
    method: string,
    params: JsonObject | undefined,
    options: CallExtras,
    done: (outcome: CallOutcome) => void,
  ) {
    this.#life = life
    this.#startedAt = life.timers.now()
    this.#method = method
    this.#params = params
    this.#options = options
    this.#done = done
  }

  start(): Cancel {
    this.#observe()
    const fault = optionsFault(this.#method, this.#options, this.#life.target)
    if (fault === undefined) this.#wait()
    else this.#fail(fault)
    return (reason) => this.#cancel(reason)
  }

  /** Each attempt on its own; the first one now, because here the span is known that the caller runs in. */
  #observe(): void {
    this.#observed = this.#life.telemetry?.begin(this.#method, this.#params, this.#options)
  }

  #again(): void {
    this.#observe()
    this.#wait()
  }

  #wait(): void {
    let decided = false
    const stop = this.#life.whenReady((failure) => {
      decided = true
      this.#endWait()
      if (failure === undefined) this.#send()
      else this.#fail(failure)
    })
    // What is decided already is told at once: then there is nothing to wait for.
    if (decided) return
    this.#waited = true
    const { timers } = this.#life
    const ms = this.#patience
    const timer = ms === Infinity ? undefined : timers.set(() => this.#tooLate(ms), ms)
    this.#stopWaiting = () => {
      stop()
      if (timer !== undefined) timers.clear(timer)
    }
  }

  #endWait(): void {
    this.#stopWaiting?.()
    this.#stopWaiting = undefined
  }

  /** Milliseconds to wait for the connection. */
  get #patience(): number {
    const { timeoutMs } = deadlinesOfCall(this.#life.deadlines, this.#options)
    return Math.min(timeoutMs, this.#left)
  }

  /** Milliseconds that are left of its time in all. */
  get #left(): number {
    const { totalMs } = deadlinesOfCall(this.#life.deadlines, this.#options)
    return Math.max(0, totalMs - (this.#life.timers.now() - this.#startedAt))
  }

  #tooLate(ms: number): void {
    this.#endWait()
    const what = `${this.#method} waited ${ms} ms for a connection that is not ready.`
    const fields = explain("timeout", "request", this.#life.target, what)
    this.#fail(new RequestTimeout({ ...fields, method: this.#method, timeoutMs: ms }))
  }

  /** Ends the call before anything was sent. */
  #fail(error: EntenteError): void {
    this.#observed?.failed(error)
    this.#done({ ok: false, error })
  }

  #send(): void {
    const life = this.#life
    const missing = life.missing(this.#method)
    if (missing !== undefined) return this.#refuse(missing)
    const fault = tokenFault(this.#method, this.#options, life)
    if (fault !== undefined) return this.#fail(fault)
    const observed = this.#observed
    const resent = this.#waited || this.#resends > 0
    this.#generation = life.sessions.generation
    this.#handle = life.wire.request(
      this.#method,
      withCallMeta(this.#params, this.#options, observed?.trace),
      requestOptions(life, this.#method, this.#options, resent ? this.#left : undefined, observed),
      (reply) => this.#settle(reply),
    )
  }

  #refuse(capability: string, cause?: EntenteError): void {
    const { agreement, target } = this.#life
    const flagless = unflaggedCapability(this.#method, agreement.revision) !== undefined
    const why = flagless ? "turned out not to offer" : "did not declare"
    const what = `${this.#method} needs the capability "${capability}", which the server ${why}.`
    const fields = explain("capability-missing", "request", target, what)
    const error = new CapabilityMissing({
      ...fields,
      method: this.#method,
      capability,
      ...(cause === undefined ? {} : { cause }),
    })
    this.#fail(error)
  }

  #settle(reply: Reply): void {
    if (reply._tag === "Result") {
      this.#life.sessions.answered(this.#generation)
      return this.#done({ ok: true, result: reply.result, startedAt: this.#startedAt })
    }
    const remedy = this.#remedy(reply)
    if (remedy === "wait") {
      this.#resends++
      return this.#again()
    }
    if (reply._tag === "Failure") {
      this.#life.sessions.answered(this.#generation)
      const { code } = reply.error
      const unknown = code === rpcCode.methodNotFound ? this.#life.unknown(this.#method) : undefined
      if (unknown !== undefined) return this.#refuse(unknown, remedy)
      if (this.#askConsent(reply, remedy)) return
    }
    this.#done({ ok: false, error: remedy, startedAt: this.#startedAt })
  }

  /** Pages are to be opened first; then the request is made again, once, under a new id (V25-ELI-13). */
  #askConsent({ error }: FailureReply, refusal: EntenteError): boolean {
    if (this.#consented || error.code !== rpcCode.urlElicitationRequired) return false
    this.#consented = true
    let over = false
    const stop = askConsent(this.#life, error, (given) => {
      if (over) return
      over = true
      this.#stopWaiting = undefined
      if (given) this.#again()
      else this.#done({ ok: false, error: refusal })
    })
    if (stop === undefined) return false
    if (!over) {
      this.#stopWaiting = () => {
        over = true
        stop()
      }
    }
    return true
  }

  /** Either the reason to wait for the connection and send again, or the error to end with. */
  #remedy(reply: Exclude<Reply, { readonly _tag: "Result" }>): "wait" | EntenteError {
    const error = replyError(reply, {
      method: this.#method,
      id: this.#handle?.id ?? 0,
      target: this.#life.target,
    })
    if (this.#life.ended) return error
    if (isUnsupportedVersion(reply)) {
      // Nothing was executed, so that even a call with effects may go out again (V26-VER-06).
      return this.#life.versionRefused(reply.error.data, this.#resends, error) ?? "wait"
    }
    const session = this.#sessionSign(reply)
    if (session !== undefined) return this.#sessionGone(session, error)
    const neverArrived = reply._tag === "Failed" && !reply.mayHaveArrived
    if (neverArrived && error._tag === "Unreachable") this.#life.unreachable(error)
    else if (reply._tag !== "Lost") return error
    return this.#resends === 0 && (neverArrived || this.#mayReplay()) ? "wait" : error
  }

  #sessionGone(sign: "missing" | "shaped400", error: EntenteError): "wait" | EntenteError {
    const renewing = this.#life.sessions.gone(sign, this.#generation, error)
    if (!renewing || this.#resends > 0) return error
    if (sign === "shaped400") {
      this.#life.notes.add({ code: "session-shaped-400", detail: error.message })
    }
    if (this.#mayReplay()) return "wait"
    const what = `The session ended before ${this.#method} was answered; it was not sent again.`
    return new SessionLost({
      ...explain("session-lost", "request", this.#life.target, what),
      method: this.#method,
      cause: error,
    })
  }

  /** Whether a reply says that the session it was sent in is gone (V25-HTTP-31, V25-HTTP-32, C020). */
  #sessionSign(reply: Reply): "missing" | "shaped400" | undefined {
    if (this.#generation === 0) return undefined
    const status = statusOf(reply)
    // A server that names the method as unknown has read the request: the session is alive.
    if (status === 404) return codeOf(reply) === rpcCode.methodNotFound ? undefined : "missing"
    if (status !== 400 || reply._tag !== "Failure") return undefined
    return reply.idLess === true && /session/i.test(reply.error.message) ? "shaped400" : undefined
  }

  #mayReplay(): boolean {
    return this.#options.replay ?? requestRow(this.#method)?.replaySafe ?? false
  }

  #cancel(reason = "cancelled by the caller"): void {
    if (this.#stopWaiting === undefined) return this.#handle?.abort(reason)
    this.#endWait()
    this.#fail(callerCancelled(this.#method, this.#life.target))
  }
}

type FailureReply = Extract<Reply, { readonly _tag: "Failure" }>

const isUnsupportedVersion = (reply: Reply): reply is FailureReply =>
  reply._tag === "Failure" && reply.error.code === rpcCode.unsupportedVersion

const statusOf = (reply: Reply): number | undefined =>
  reply._tag === "Failure" || reply._tag === "Lost"
    ? reply.status
    : reply._tag === "Rejected"
      ? reply.rejection.status
      : undefined

const codeOf = (reply: Reply): number | undefined =>
  reply._tag === "Failure" ? reply.error.code : undefined
