import {
  Exchange,
  type BodyReader,
  type ExchangeContext,
  type ExchangeRequest,
} from "../http/exchange.js"
import type { HttpRejection, SendOutcome } from "../transport.js"

export interface MessagePostOwner {
  /** Gives another context to try the message in, where a refusal says that it went to a wrong place. */
  readonly elsewhere: (rejection: HttpRejection) => ExchangeContext | undefined
  /** The message was acknowledged in this context; called before `settled`. */
  readonly arrived: (context: ExchangeContext) => void
  /** Called exactly once. */
  readonly settled: (outcome: SendOutcome) => void
  /** Nothing of the exchange is left. */
  readonly over: () => void
}

/** How much of an acknowledgement is read, so that its connection can be used again. */
const acknowledgementBytes = 1024

/**
 * One message on its way to the address that the stream has named. The answer only acknowledges it,
 * with any 2xx; what its body says means nothing (V25-SSE-02).
 */
export class MessagePost {
  readonly #request: ExchangeRequest
  readonly #owner: MessagePostOwner
  #exchange: Exchange | undefined
  #settled = false

  constructor(request: ExchangeRequest, owner: MessagePostOwner) {
    this.#request = request
    this.#owner = owner
  }

  /** Sends the message. The owner hears nothing before this returns. */
  start(context: ExchangeContext): void {
    const exchange = new Exchange(context, this.#request, {
      answered: () => this.#acknowledged(context),
      rejected: (rejection) => {
        const other = this.#owner.elsewhere(rejection)
        if (other !== undefined) return this.start(other)
        this.#finish({ _tag: "Rejected", rejection })
      },
      failed: (error, mayHaveArrived) => this.#finish({ _tag: "Failed", error, mayHaveArrived }),
    })
    this.#exchange = exchange
    exchange.start()
  }

  /** Ends the exchange, with this outcome if there is none yet. */
  close(outcome: SendOutcome): void {
    this.#exchange?.close()
    this.#finish(outcome)
  }

  /** See `Sent.overtakable`. */
  get overtakable(): number {
    return this.#exchange?.overtakable ?? Infinity
  }

  #acknowledged(context: ExchangeContext): BodyReader {
    let left = acknowledgementBytes
    const end = (): void => this.#owner.over()
    this.#owner.arrived(context)
    this.#settle({ _tag: "Written" })
    const chunk = (bytes: Uint8Array): void => {
      left -= bytes.length
      if (left >= 0) return
      this.#exchange?.close()
      end()
    }
    return { chunk, end, broken: end }
  }

  #finish(outcome: SendOutcome): void {
    this.#settle(outcome)
    this.#owner.over()
  }

  #settle(outcome: SendOutcome): void {
    if (this.#settled) return
    this.#settled = true
    this.#owner.settled(outcome)
  }
}
