import type { JsonObject } from "@entente/protocol"
import { harmlessRequest } from "./harmless-request.js"
import type { NoteBook } from "../wire/note-book.js"
import type { KeepAlive } from "../options.js"
import type { Reply } from "../wire/reply.js"
import type { Timer, Timers } from "@entente/transport"
import type { Wire } from "../wire/wire.js"

/** The connection that is kept alive. */
export interface Beating {
  readonly ready: boolean
  readonly wire: Wire
  readonly notes: NoteBook
  readonly timers: Timers
  readonly capabilities: JsonObject
  /** Neither a ping nor the request that was to confirm its silence was answered. */
  readonly silent: (method: string, afterMs: number) => void
}

const defaultTimeoutMs = 10_000

/**
 * Asks a legacy server regularly whether it is there (V25-PING-02). Any JSON-RPC answer means that it
 * is, an error too; one that does not know `ping` is not asked again. Silence is confirmed by a list
 * request before the connection counts as lost, because some servers drop pings (C109).
 */
export const keepAlive = (life: Beating, { intervalMs, timeoutMs }: KeepAlive): (() => void) => {
  const patience = timeoutMs ?? defaultTimeoutMs
  let timer: Timer
  let stopped = false

  const ask = (method: string, answered: (reply: Reply) => void): void => {
    life.wire.request(method, undefined, { timeoutMs: patience, cancellable: false }, answered)
  }
  const schedule = (): void => {
    if (!stopped) timer = life.timers.set(beat, intervalMs)
  }
  const beat = (): void => {
    if (stopped) return
    // A modern connection is never pinged, and one that recovers is being asked already.
    if (!life.ready || life.wire.era === "modern") return schedule()
    ask("ping", (reply) => {
      if (reply._tag === "TimedOut") return confirm()
      if (reply._tag === "Failure") return giveUp(reply)
      schedule()
    })
  }
  const giveUp = (reply: Extract<Reply, { readonly _tag: "Failure" }>): void => {
    life.notes.add({ code: "ping-unsupported", detail: `error ${reply.error.code}` })
  }
  const confirm = (): void => {
    const method = harmlessRequest(life.capabilities)
    ask(method, (reply) => {
      if (reply._tag === "TimedOut") return life.silent(method, patience)
      life.notes.add({ code: "ping-unsupported", detail: `silence, while ${method} is answered` })
    })
  }

  schedule()
  return () => {
    stopped = true
    life.timers.clear(timer)
  }
}
