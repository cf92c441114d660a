import { severityOf, type LoggingLevel } from "@entente/protocol"
import type { Sent, Timer, Timers } from "@entente/transport"
import type { ProgressTable, ProgressWatch } from "./progress.js"
import type { Reply } from "./reply.js"

/** A request that has no answer yet. */
export interface Pending {
  readonly id: number
  readonly method: string
  readonly settle: (reply: Reply) => void
  /** Set right after the message was handed to the channel. */
  sent: Sent | undefined
  timer: Timer
  /** Called once when the request is settled, whatever settled it. */
  finished: (() => void) | undefined
  /** Where the server may tell of its progress. */
  watch: ProgressWatch | undefined
  /** Which log messages it asked for, in the modern era. */
  logLevel: LoggingLevel | undefined
}

/**
 * The pending requests of one connection: a map entry each, settled exactly once. Ids are integers
 * that are never used twice, because a lost request may never be answered (V26-ENV-04, V25-RPC-03).
 */
export class RequestTable {
  readonly #pending = new Map<number, Pending>()
  readonly #timers: Timers
  readonly #progress: ProgressTable
  #nextId = 1

  constructor(timers: Timers, progress: ProgressTable) {
    this.#timers = timers
    this.#progress = progress
  }

  /** Registers a request under a fresh id. */
  add(method: string, settle: (reply: Reply) => void): Pending {
    const pending: Pending = {
      id: this.#nextId++,
      method,
      settle,
      sent: undefined,
      timer: undefined,
      finished: undefined,
      watch: undefined,
      logLevel: undefined,
    }
    this.#pending.set(pending.id, pending)
    return pending
  }

  /** Starts the clock of a request. */
  limit(pending: Pending, ms: number, expired: () => void): void {
    pending.timer = this.#timers.set(expired, ms)
  }

  /** Settles a request, if it still waits, and gives it back. Nothing of it is left afterwards. */
  settle(id: number, reply: Reply): Pending | undefined {
    const pending = this.#pending.get(id)
    if (pending === undefined) return undefined
    this.#pending.delete(id)
    this.#finish(pending, reply)
    return pending
  }

  /**
   * Takes every request out of the table. The function returned settles them, oldest first, and closes
   * the exchanges that were theirs.
   */
  drain(): (reply: Reply) => void {
    const drained = [...this.#pending.values()]
    this.#pending.clear()
    return (reply) => {
      for (const pending of drained) {
        this.#finish(pending, reply)
        pending.sent?.abort()
      }
    }
  }

  #finish(pending: Pending, reply: Reply): void {
    if (pending.timer !== undefined) this.#timers.clear(pending.timer)
    pending.finished?.()
    if (pending.watch !== undefined) this.#progress.settled(pending.watch, reply)
    pending.settle(reply)
  }

  get(id: number): Pending | undefined {
    return this.#pending.get(id)
  }

  /** The request whose exchange this is: for the rare answers that name no id. */
  onExchange(exchange: number): Pending | undefined {
    for (const pending of this.#pending.values()) {
      if (pending.sent?.exchange === exchange) return pending
    }
    return undefined
  }

  /** The least severe level that was asked for, on one exchange or by any request that waits. */
  logLevel(exchange: number | undefined): LoggingLevel | undefined {
    let least: LoggingLevel | undefined
    for (const { logLevel, sent } of this.#pending.values()) {
      if (logLevel === undefined) continue
      if (exchange !== undefined && sent?.exchange !== exchange) continue
      if (least === undefined || severityOf(logLevel) < severityOf(least)) least = logLevel
    }
    return least
  }

  /** Whether this side ever made a request with that id. */
  wasIssued(id: number): boolean {
    return Number.isInteger(id) && id >= 1 && id < this.#nextId
  }

  /** How many requests were ever made. */
  get issued(): number {
    return this.#nextId - 1
  }

  /** How many wait for an answer. */
  get size(): number {
    return this.#pending.size
  }
}
