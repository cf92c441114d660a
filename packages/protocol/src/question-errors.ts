import * as Data from "effect/Data"
import type { ErrorFields } from "./error-fields.js"
import type { InputRequests } from "./schema/input-required.js"

/**
 * Why a question of the server was not answered: nobody is there who could; not in this way (a mode, or
 * tools); it is broken; a person said no; its handler failed, or gave what may not be sent; too many at once.
 */
export type QuestionRefusal =
  | "unsupported"
  | "undeclared"
  | "invalid-question"
  | "refused"
  | "handler-failed"
  | "invalid-answer"
  | "too-many"

/**
 * The server asked something in the middle of a request and got no answer. `message` and `cause` are for
 * this side alone; a legacy server is told `rpcCode` and `rpcMessage`, a modern one nothing (V26-MRTR-14).
 */
export class QuestionRefused extends Data.TaggedError("QuestionRefused")<
  ErrorFields<"question-refused"> & {
    /** What the server asked for, for example `elicitation/create`. */
    readonly method: string
    readonly kind: QuestionRefusal
    readonly rpcCode: number
    /** Without anything that a handler said. */
    readonly rpcMessage: string
    /** A JSON pointer into the question, or into the answer for `invalid-answer`. */
    readonly pointer?: string
  }
> {}

/**
 * A request in the middle of which a modern server asked for input, held until somebody has it. What the
 * server wants back with the answers is inside and shows only in `serialize`: whoever has it can go on with
 * the request (V26-SEC-12).
 */
export interface PausedRequest {
  readonly method: string
  /** What the server asks, under keys of its choosing; untrusted. */
  readonly inputRequests: InputRequests
  /** How often the request has been sent again so far. */
  readonly rounds: number
  /** Everything that is needed to go on, as JSON text for another time or process; a secret. */
  readonly serialize: () => string
}

/** The server asked for input that no handler is there to give, or that the caller gives by hand (C034). */
export class InputRequired extends Data.TaggedError("InputRequired")<
  ErrorFields<"input-required"> & {
    readonly method: string
    /** The keys of what is asked. */
    readonly keys: ReadonlyArray<string>
    readonly pause: PausedRequest
  }
> {}

/** The server asked again and again, or for too long (V26-MRTR-16, C035). */
export class TooManyRounds extends Data.TaggedError("TooManyRounds")<
  ErrorFields<"too-many-rounds"> & {
    readonly method: string
    /** How often the request was sent again. */
    readonly rounds: number
  }
> {}
