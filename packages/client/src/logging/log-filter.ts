import {
  severityOf,
  type Era,
  type JsonRpcNotification,
  type LoggingLevel,
} from "@entente/protocol"
import type { Origin } from "@entente/transport"
import type { NoteBook } from "../wire/note-book.js"

/** So many log messages are handed on within so many milliseconds (V25-LOG-03, V26-LOG-05). */
const flood = { most: 1_000, withinMs: 1_000 }

/** What the host wants to hear: nothing yet said, nothing at all, or from a level on. */
export type WantedLogs = LoggingLevel | "none" | undefined

/** Who knows what was asked for. */
interface Asked {
  /** Undecided during the handshake, where a legacy server may log already. */
  readonly era: Era | undefined
  /** The level that was asked for by whatever a modern message belongs to. */
  readonly askedToLog: (origin: Origin) => LoggingLevel | undefined
}

/**
 * Which log messages of the server reach this side's listeners. A legacy server may log whenever it likes, and
 * below the level too while that is on its way (V25-LOG-02); a modern one only for a request that asked
 * (V26-LOG-02). Whatever does not pass is noted.
 */
export class LogFilter {
  wanted: WantedLogs
  #windowFrom = 0
  #inWindow = 0
  readonly #notes: NoteBook
  readonly #now: () => number

  constructor(notes: NoteBook, now: () => number) {
    this.#notes = notes
    this.#now = now
  }

  admits({ method, params }: JsonRpcNotification, origin: Origin, asked: Asked): boolean {
    if (method !== "notifications/message") return true
    if (this.#floods()) {
      const detail = `more than ${flood.most} within ${flood.withinMs} ms`
      this.#notes.add({ code: "log-flood", detail })
      return false
    }
    const isModern = asked.era === "modern"
    const from = isModern ? (asked.askedToLog(origin) ?? "none") : this.wanted
    if (from === undefined) return true
    if (from === "none") {
      const detail = isModern ? "no request under way has asked for it" : "the log is switched off"
      this.#notes.add({ code: "log-unasked", detail })
      return false
    }
    // What is no level ranks below all of them.
    if (severityOf(params?.["level"]) >= severityOf(from)) return true
    this.#notes.add({ code: "log-below-level", detail: `below ${from}` })
    return false
  }

  #floods(): boolean {
    const now = this.#now()
    // A clock may be set back, too.
    if (Math.abs(now - this.#windowFrom) >= flood.withinMs) {
      this.#windowFrom = now
      this.#inWindow = 0
    }
    return this.#inWindow++ >= flood.most
  }
}
