import { redacted } from "./redaction-policy.js"

const form = /^‹redacted \d{1,6}›$/

/** How many secrets are told apart at a time; beyond, the one seen longest ago is forgotten. */
const mostKept = 10_000

/**
 * Numbers secrets, so that equal ones stay equal where a reader has to follow them: a session id, a
 * cursor, the state of a request. The number says nothing of the secret but which it is; for credentials
 * plain redaction is right, which hides even that.
 */
export class StandIns {
  readonly #numbers = new Map<string, number>()
  #next = 1

  /** What stands for a secret: `‹redacted 3›`. */
  of(secret: string): string {
    const number = this.#numbers.get(secret) ?? this.#next++
    // Set again, so that what is in use is the youngest.
    this.#numbers.delete(secret)
    this.#numbers.set(secret, number)
    if (this.#numbers.size > mostKept) {
      const [oldest] = this.#numbers.keys()
      if (oldest !== undefined) this.#numbers.delete(oldest)
    }
    return number > 999_999 ? redacted : `‹redacted ${number}›`
  }
}

/** Whether a text is a stand-in, and nothing else. Redaction leaves it as it is. */
export const isStandIn = (text: string): boolean => form.test(text)
