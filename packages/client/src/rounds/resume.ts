import * as Result from "effect/Result"
import {
  InputResponses,
  InvalidInput,
  explain,
  validate,
  type JsonObject,
  type PausedRequest,
} from "@entente/protocol"
import type { CallOptions } from "../call/call-options.js"
import { Pause, type MultiRoundMethod } from "./pause.js"

/** Options of going on with a request that was paused. */
export interface ResumeOptions<Method extends MultiRoundMethod = "tools/call"> extends CallOptions {
  /** What was paused, so that the result has its type; `tools/call` by default. Another pause is refused. */
  readonly method?: Method
}

/** A retry, ready to be sent. */
export interface Retry {
  readonly method: MultiRoundMethod
  readonly params: JsonObject
  /** How often the request will then have been sent again. */
  readonly rounds: number
}

/**
 * Makes the retry that goes on with a pause. Answers may be missing, which the server asks for again
 * (V26-MRTR-15); one that belongs to no question, or has no shape of an answer, is refused here.
 */
export const retryOf = (
  paused: PausedRequest | string,
  responses: InputResponses,
  { method: expected = "tools/call" }: { readonly method?: MultiRoundMethod },
  target: string,
): Result.Result<Retry, InvalidInput> => {
  const refuse = (what: string) =>
    Result.fail(new InvalidInput(explain("invalid-input", "input", target, what)))
  const text = typeof paused === "string" ? paused : paused.serialize()
  return Result.flatMap(Pause.read(text, target), (pause) => {
    const { method, inputRequests, rounds } = pause
    if (method !== expected) {
      return refuse(`The pause belongs to ${method}: name it as the method of resume.`)
    }
    const stray = Object.keys(responses).find((key) => !Object.hasOwn(inputRequests, key))
    if (stray !== undefined) return refuse(`There is no question ${JSON.stringify(stray)}.`)
    const read = validate(InputResponses, responses)
    if (!read.ok) return refuse(`The answer at ${read.pointer} is none: ${read.reason}.`)
    return Result.succeed({ method, params: pause.withAnswers(responses), rounds: rounds + 1 })
  })
}
