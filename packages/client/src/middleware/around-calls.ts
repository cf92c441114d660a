import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import {
  ConnectionClosed,
  MiddlewareFailed,
  explain,
  isEntenteError,
  isJsonObject,
  type EntenteError,
  type JsonObject,
} from "@entente/protocol"
import type { CallOutcome, Cancel } from "../call/call.js"
import { callEffect } from "../call/call-effect.js"
import type { CallExtras, CallOptions } from "../call/call-options.js"
import { callerCancelled } from "../call/reply-error.js"
import type { Life } from "../life/life.js"
import { inSpan } from "../telemetry/in-span.js"
import { around, type LayerKind } from "./layers.js"
import type { OutgoingRequest } from "./middleware.js"
import { CurrentStop, type Stop } from "./stop-reason.js"

/** A way for calls: the straight one, or one that goes through layers first. */
export type CallThrough = (
  method: string,
  params: JsonObject | undefined,
  options: CallExtras,
  done: (outcome: CallOutcome) => void,
) => Cancel

/** A request with what this package itself has added to it, which layers do not see. */
interface Outgoing extends OutgoingRequest {
  readonly options: CallExtras
}

/** The way of calls through the layers around requests; undefined where there is none. */
export const aroundCalls = (life: Life, straight: CallThrough): CallThrough | undefined => {
  const layers = life.middleware.flatMap(({ request }) => request ?? [])
  if (layers.length === 0) return undefined
  const { target, fork, telemetry } = life
  const kind: LayerKind<OutgoingRequest, JsonObject> = {
    target,
    fork,
    replace: keepExtras,
    isAnswer: isJsonObject,
    failed: ({ method }, reason) => Effect.fail(failure(method, reason, target)),
    late: ({ method }) => callerCancelled(method, target),
  }
  const send = around(
    layers,
    ({ method, params, options }) =>
      Effect.flatMap(CurrentStop, (stop) =>
        inSpan(telemetry, options, (spanned) =>
          callEffect(
            (done) => straight(method, params, spanned, done),
            () => stop.reason,
          ),
        ),
      ),
    kind,
  )
  return (method, params, options, done) => {
    const startedAt = life.timers.now()
    let settled = false
    const settle = (outcome: CallOutcome): void => {
      if (settled) return
      settled = true
      stopWaiting()
      done({ ...outcome, startedAt })
    }
    let stopWaiting = (): void => {}
    const stop: Stop = { reason: undefined }
    const sending = Effect.provideService(send({ method, params, options }), CurrentStop, stop)
    const fiber = fork(telemetry?.inside(sending, options.thread?.parent) ?? sending)
    const end = (error: EntenteError): void => {
      settle({ ok: false, error })
      fiber.interruptUnsafe()
    }
    // Where the layers have answered already there is no end to wait for.
    fiber.addObserver((exit) => settle(outcomeOf(exit, method, target)))
    if (!settled) stopWaiting = life.whenEnded(end)
    return (reason) => {
      stop.reason = reason
      end(callerCancelled(method, target))
    }
  }
}

/** What this package adds to the options of a call, and layers do not know of. */
const extras: { readonly [Key in Exclude<keyof CallExtras, keyof CallOptions>]: true } = {
  mirrored: true,
  rounds: true,
  conversed: true,
  progressOutlives: true,
  cancellable: true,
  keepTask: true,
  thread: true,
}

/** A layer may give options of its own making; what it cannot know of goes on with them. */
const keepExtras = ({ options: from }: Outgoing, to: OutgoingRequest): Outgoing => {
  const kept = Object.entries(from).filter(([key]) => Object.hasOwn(extras, key))
  return { ...to, options: { ...to.options, ...Object.fromEntries(kept) } }
}

/** The error that a call ends with where a layer failed: one of Entente passes, anything else is wrapped. */
const failure = (method: string, reason: unknown, target: string): EntenteError => {
  if (isEntenteError(reason)) return reason
  const what = `Middleware around ${method} failed.`
  const fields = explain("middleware-failed", "request", target, what)
  return new MiddlewareFailed({ ...fields, method, cause: reason })
}

const outcomeOf = (
  exit: Exit.Exit<JsonObject, EntenteError>,
  method: string,
  target: string,
): CallOutcome => {
  if (Exit.isSuccess(exit)) return { ok: true, result: exit.value }
  const error = Cause.findError(exit.cause)
  if (Result.isSuccess(error)) return { ok: false, error: error.success }
  // Neither the caller nor a layer ended it: the scope of the connection is closing.
  const what = `The connection was closed in the middle of ${method}.`
  const fields = explain("closed", "request", target, what)
  return { ok: false, error: new ConnectionClosed(fields) }
}
