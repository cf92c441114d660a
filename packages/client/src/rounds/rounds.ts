import * as Effect from "effect/Effect"
import {
  InputRequired,
  InputRequiredResult,
  TooManyRounds,
  elicitationModes,
  explain,
  validate,
  type EntenteError,
  type InputRequest,
  type InputResponses,
  type JsonObject,
} from "@entente/protocol"
import { invalidResult, resultTypeOf } from "../call/result-type.js"
import type { Turn } from "../call/turn.js"
import { Pause, retryParams, type MultiRoundMethod } from "./pause.js"

/** Pauses between rounds that ask for nothing, in milliseconds: the first is sent at once (V26-MRTR-04). */
const idle = { firstMs: 250, mostMs: 10_000 }

/**
 * Sends a request again, with what the server wants to know, until it answers with something else
 * (V26-MRTR-03 … V26-MRTR-10). Every round is a request of its own: a fresh id, a fresh progress token, the
 * same metadata and headers. Interrupting it between two rounds sends nothing more (V26-CANC-09).
 */
export const rounds = (turn: Turn): Effect.Effect<JsonObject, EntenteError> =>
  Effect.gen(function* () {
    const { connection, method, params = {}, options } = turn
    const { max, deadlineMs } = connection.life.rounds
    const startedAt = connection.life.timers.now()
    let { result } = turn
    let waits = 0
    for (let round = options.rounds ?? 0; ; round++) {
      const asked = validate(InputRequiredResult, result)
      if (!asked.ok) return yield* invalidResult(connection, method, asked)
      const { inputRequests = {}, requestState } = asked.value
      const elapsedMs = connection.life.timers.now() - startedAt
      if (round >= max || elapsedMs >= deadlineMs) return yield* tooMany(turn, round, elapsedMs)
      const questions = Object.entries(inputRequests)
      const pause = (): Pause =>
        new Pause({
          target: connection.target,
          // `resultTypeOf` lets no other method through.
          method: method as MultiRoundMethod,
          params: retryParams(params, undefined, undefined),
          inputRequests,
          ...(requestState === undefined ? {} : { requestState }),
          rounds: round,
        })
      const unanswerable = questions.filter(([, question]) => !isAnswered(turn, question))
      if (questions.length > 0 && (options.input === "manual" || unanswerable.length > 0)) {
        return yield* inputRequired(turn, questions, pause())
      }
      let responses: InputResponses | undefined
      if (questions.length > 0) {
        responses = yield* Effect.timeoutOrElse(answer(turn, questions), {
          duration: deadlineMs - elapsedMs,
          orElse: () => Effect.fail(tooMany(turn, round, deadlineMs)),
        })
        waits = 0
      } else if (waits++ > 0) {
        yield* Effect.sleep(Math.min(idle.mostMs, idle.firstMs * 2 ** (waits - 2)))
      }
      const retry = retryParams(params, responses, requestState)
      result = yield* connection.request(method, retry, options)
      const type = resultTypeOf(connection, method, options, result)
      if (!type.ok) return yield* invalidResult(connection, method, type)
      if (type.value !== "input_required") return result
    }
  })

/** Whether a handler is there for a question, and was declared for this request (V26-MRTR-12). */
const isAnswered = ({ connection, options }: Turn, question: InputRequest): boolean => {
  const own = connection.life.clientCapabilities
  const { capabilities = own } = options
  return declares(own, question) && declares(capabilities, question)
}

const declares = (capabilities: JsonObject, question: InputRequest): boolean => {
  switch (question.method) {
    case "roots/list":
      return capabilities["roots"] !== undefined
    case "sampling/createMessage":
      return capabilities["sampling"] !== undefined
    case "elicitation/create":
      return elicitationModes(capabilities).includes(question.params.mode ?? "form")
  }
}

/** Asks everything at once, under the server's own keys; one refusal gives the whole request up (T-12). */
const answer = (
  { connection, options }: Turn,
  questions: ReadonlyArray<readonly [string, InputRequest]>,
): Effect.Effect<InputResponses, EntenteError> => {
  const { agreement, questions: registry } = connection.life
  const { era, revision } = agreement
  const { capabilities } = options
  const circumstances = { era, revision, ...(capabilities === undefined ? {} : { capabilities }) }
  return Effect.map(
    Effect.forEach(
      questions,
      ([key, question]) =>
        Effect.map(
          registry.answer(question, circumstances),
          (response) => [key, response] as const,
        ),
      { concurrency: "unbounded" },
    ),
    // Keys are the server's: `fromEntries` makes even `__proto__` a member like any other.
    (entries) => Object.fromEntries(entries),
  )
}

const inputRequired = (
  { connection, method }: Turn,
  questions: ReadonlyArray<readonly [string, InputRequest]>,
  pause: Pause,
): InputRequired => {
  const keys = questions.map(([key]) => key)
  const kinds = [...new Set(questions.map(([, question]) => question.method))].join(", ")
  const what = `${method} needs input before it can be answered: ${kinds}.`
  const fields = explain("input-required", "request", connection.target, what)
  return new InputRequired({ ...fields, method, keys, pause })
}

const tooMany = ({ connection, method }: Turn, round: number, elapsedMs: number): TooManyRounds => {
  const what = `${method} was sent again ${round} times in ${elapsedMs} ms, and the server still asks.`
  const fields = explain("too-many-rounds", "request", connection.target, what)
  return new TooManyRounds({ ...fields, method, rounds: round })
}
