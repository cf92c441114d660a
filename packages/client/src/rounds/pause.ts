import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import {
  AnyObject,
  InputRequests,
  InvalidInput,
  explain,
  validate,
  type InputResponses,
  type JsonObject,
  type PausedRequest,
} from "@entente/protocol"

const multiRoundMethods = ["tools/call", "prompts/get", "resources/read"] as const

/** Methods that a modern server may answer with a question (V26-MRTR-01). */
export type MultiRoundMethod = (typeof multiRoundMethods)[number]

/** A pause as it is stored. */
const Stored = Schema.Struct({
  pause: Schema.Literal(1),
  target: Schema.String,
  method: Schema.Literals(multiRoundMethods),
  params: AnyObject,
  inputRequests: InputRequests,
  requestState: Schema.optionalKey(Schema.String),
  rounds: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)),
})
type Stored = typeof Stored.Type

/** A request that waits for answers; see `PausedRequest`. */
export class Pause implements PausedRequest {
  readonly #stored: Stored

  constructor(stored: Omit<Stored, "pause">) {
    this.#stored = { pause: 1, ...stored }
  }

  /** Reads what `serialize` has written; a pause of another server is refused (V26-MRTR-11). */
  static read(text: string, target: string): Result.Result<Pause, InvalidInput> {
    const refuse = (what: string) =>
      Result.fail(new InvalidInput(explain("invalid-input", "input", target, what)))
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      return refuse("The pause is not JSON.")
    }
    const read = validate(Stored, value)
    if (!read.ok)
      return refuse(`The text is no pause: ${read.reason} at ${read.pointer || "its root"}.`)
    return read.value.target === target
      ? Result.succeed(new Pause(read.value))
      : refuse("The pause belongs to a request to another server.")
  }

  get method(): MultiRoundMethod {
    return this.#stored.method
  }

  get target(): string {
    return this.#stored.target
  }

  get inputRequests(): InputRequests {
    return this.#stored.inputRequests
  }

  get rounds(): number {
    return this.#stored.rounds
  }

  readonly serialize = (): string => JSON.stringify(this.#stored)

  /** What may be shown of it. */
  toJSON(): JsonObject {
    return { method: this.method, keys: Object.keys(this.inputRequests), rounds: this.rounds }
  }

  /** The params that go on with the request: the original ones, and what belongs to the latest question. */
  withAnswers(responses: InputResponses): JsonObject {
    const { params, requestState } = this.#stored
    return retryParams(params, responses, requestState)
  }
}

/**
 * The params of the next round: the original ones unchanged, the answers to the latest question and no
 * earlier one (V26-MRTR-09, V26-MRTR-10), and its state, exactly as it came or not at all (V26-MRTR-05,
 * V26-MRTR-07).
 */
export const retryParams = (
  { inputResponses: _answered, requestState: _former, ...original }: JsonObject,
  inputResponses: InputResponses | undefined,
  requestState: string | undefined,
): JsonObject => ({
  ...original,
  ...(inputResponses === undefined ? {} : { inputResponses }),
  ...(requestState === undefined ? {} : { requestState }),
})
