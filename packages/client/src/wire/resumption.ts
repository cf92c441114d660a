import { reopenDelay, defaultSubscription, type ResumeHeaders } from "@entente/session"
import type { Channel, Sent, StreamEnd, StreamPosition, Timer, Timers } from "@entente/transport"
import type { EntenteError, InvalidInput, TransportError } from "@entente/protocol"
import { rejectionError } from "@entente/transport"
import type { Reply } from "./reply.js"

export interface ResumptionOptions {
  readonly openStream: NonNullable<Channel["openStream"]>
  readonly target: string
  readonly timers: Timers
  /** From 0 up to 1, like `Math.random`. */
  readonly random: () => number
  readonly resume: ResumeHeaders
  readonly extraHeaders: Readonly<Record<string, string>> | undefined
  /** The exchange whose answer is to be brought home. */
  readonly exchange: number
  readonly position: StreamPosition
  /** Why the stream broke off, unless it ended cleanly. */
  readonly cause: TransportError | InvalidInput | undefined
  /** Settles the request; it is asked for at most once. */
  readonly settle: (reply: Reply) => void
}

/** Statuses that may be others a little later; any other refusal is final (V25-HTTP-23). */
const mayPass = (status: number): boolean => status === 429 || status >= 500

/**
 * Brings home the answer of a legacy request whose stream ended too early: by GET, after the pause the
 * server asked for, from the last event on, as often as it takes (V25-HTTP-18, V25-HTTP-21, V25-HTTP-22).
 * A server that asks for polling is polled until the request's own deadline (C116); without its word five
 * tries that bring nothing mean that the answer is lost.
 */
export class Resumption implements Sent {
  readonly exchange: number
  readonly #options: ResumptionOptions
  #timer: Timer
  #stream: Sent | undefined
  #fruitless = 0
  #cause: EntenteError | undefined
  #stopped = false

  constructor(options: ResumptionOptions) {
    this.#options = options
    this.exchange = options.exchange
    this.#cause = options.cause
    this.#wait()
  }

  /** The request is settled: there is nothing to bring home any more. */
  readonly abort = (): void => {
    this.#stopped = true
    this.#options.timers.clear(this.#timer)
    this.#stream?.abort()
  }

  #wait(): void {
    const { position, random, timers } = this.#options
    const { retryMs } = position
    // The server's own pause never grows: it has asked to be polled at that pace.
    const fruitless = retryMs === undefined ? this.#fruitless : 0
    const pause = reopenDelay({ policy: defaultSubscription, random, retryMs, fruitless })
    this.#timer = timers.set(() => this.#open(), pause)
  }

  #open(): void {
    const { openStream, position, resume, extraHeaders, exchange } = this.#options
    let delivered = false
    this.#stream = openStream(
      {
        headers: resume(position.headers),
        from: position,
        exchange,
        ...(extraHeaders === undefined ? {} : { extraHeaders }),
      },
      {
        opened: () => {},
        delivered: () => {
          delivered = true
        },
        ended: (end) => {
          if (!this.#stopped) this.#ended(end, delivered)
        },
      },
    )
  }

  #ended(end: StreamEnd, delivered: boolean): void {
    const { target } = this.#options
    switch (end._tag) {
      case "Dropped": {
        const { position } = this.#options
        if (delivered) this.#fruitless = 0
        if (position.lastEventId === undefined) return this.#lose(end.error)
        if (position.retryMs !== undefined && end.error === undefined) return this.#wait()
        return delivered ? this.#wait() : this.#tryAgain(end.error)
      }
      case "Rejected": {
        const error = rejectionError(end.rejection, target)
        if (mayPass(end.rejection.status)) return this.#tryAgain(error)
        return this.#lose(error, end.rejection.status)
      }
      case "NoStream":
        return this.#lose(end.error)
      case "Failed":
        return end.error._tag === "Unreachable" ? this.#tryAgain(end.error) : this.#lose(end.error)
    }
  }

  #tryAgain(error: EntenteError | undefined): void {
    this.#cause ??= error
    this.#fruitless += 1
    if (this.#fruitless < defaultSubscription.maxFruitless) this.#wait()
    else this.#lose(error)
  }

  #lose(error: EntenteError | undefined, status?: number): void {
    const cause = this.#cause ?? error
    this.#options.settle({ _tag: "Lost", cause, ...(status === undefined ? {} : { status }) })
  }
}
