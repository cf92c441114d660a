import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import {
  RequestAborted,
  explain,
  isJsonObject,
  rpcCode,
  type JsonRpcRequest,
} from "@entente/protocol"
import type { Fork } from "@entente/session"
import type { NoteBook } from "../wire/note-book.js"
import type { ServerAnswer } from "../wire/server-request.js"
import type { Asked } from "../question/asked.js"
import { around, type LayerKind } from "./layers.js"
import type { Middleware } from "./middleware.js"
import { CurrentStop, type Stop } from "./stop-reason.js"

/** What the layers around questions need of a connection. */
export interface QuestionSurroundings {
  readonly target: string
  readonly fork: Fork
  readonly notes: NoteBook
  readonly isModern: () => boolean
}

/**
 * Puts layers around what answers a legacy server. A question comes from the wire, so that the last layer,
 * which is next to it, sees it first.
 */
export const aroundQuestions = (
  middleware: ReadonlyArray<Middleware>,
  { target, fork, notes, isModern }: QuestionSurroundings,
  asked: Asked,
): Asked => {
  const layers = middleware.flatMap(({ question }) => question ?? []).toReversed()
  if (layers.length === 0) return asked
  const kind: LayerKind<JsonRpcRequest, ServerAnswer> = {
    target,
    fork,
    // Its answer goes by this id, whatever a layer makes of the rest.
    replace: ({ id }, to) => ({ ...to, id }),
    isAnswer: isServerAnswer,
    failed: ({ method }) =>
      Effect.sync(() => {
        notes.add({ code: "middleware-failed", detail: method })
        return { error: { code: rpcCode.internalError, message: "Internal error" } }
      }),
    late: ({ method }) => takenBack(method, target),
  }
  const send = around(layers, (request) => questionEffect(asked, request, target), kind)
  return (request, respond, within = (work) => work) => {
    // A modern server may not ask: what it gets is decided without anybody's help (V26-ENV-06).
    if (isModern()) return asked(request, respond)
    const stop: Stop = { reason: undefined }
    const fiber = fork(Effect.provideService(within(send(request)), CurrentStop, stop))
    fiber.addObserver((exit) => {
      // A failure is a question that was taken back: nobody waits for its answer (V25-CANC-05).
      if (Exit.isSuccess(exit)) respond(exit.value)
    })
    return (why) => {
      stop.reason = why
      fiber.interruptUnsafe()
    }
  }
}

const questionEffect = (
  asked: Asked,
  request: JsonRpcRequest,
  target: string,
): Effect.Effect<ServerAnswer, RequestAborted> =>
  Effect.contextWith((context: Context.Context<never>) =>
    Effect.callback((resume) => {
      const stop = asked(
        request,
        (answer) =>
          resume(
            answer === undefined
              ? Effect.fail(takenBack(request.method, target))
              : Effect.succeed(answer),
          ),
        // The work goes on where the layers have led to: below their spans.
        (work) => Effect.provideContext(work, context),
      )
      return Effect.sync(() => stop?.(Context.get(context, CurrentStop).reason))
    }),
  )

const isServerAnswer = (given: unknown): boolean => {
  if (!isJsonObject(given)) return false
  const { result, error } = given
  return isJsonObject(result) || (isJsonObject(error) && Number.isInteger(error["code"]))
}

const takenBack = (method: string, target: string): RequestAborted =>
  new RequestAborted({
    ...explain("aborted", "request", target, `${method} of the server needs no answer any more.`),
    method,
  })
