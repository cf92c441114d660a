import type { Timer, Timers } from "../timers.js"
import type { SocketProbe } from "./socket-port.js"

/** How a silent WebSocket is found to be dead. */
export interface Liveness {
  /** Milliseconds between two looks at the socket. Default 30 000. */
  readonly intervalMs: number
  /** Milliseconds after a ping in which something has to happen. Default 10 000. */
  readonly timeoutMs: number
}

export const defaultLiveness: Liveness = { intervalMs: 30_000, timeoutMs: 10_000 }

/**
 * Pings a socket that has been silent for an interval, and gives it up when a ping is followed by
 * nothing (V25-CUST-03). It counts bytes instead of frames: a message costs nothing, and a large one
 * that takes long to arrive, or to leave, is a sign of life.
 */
export class LivenessWatch {
  readonly #probe: SocketProbe
  readonly #timers: Timers
  readonly #liveness: Liveness
  readonly #dead: () => void
  #timer: Timer
  #received = 0

  /** @param dead called once, when a ping got no answer; the watch is over then */
  constructor(probe: SocketProbe, timers: Timers, liveness: Liveness, dead: () => void) {
    this.#probe = probe
    this.#timers = timers
    this.#liveness = liveness
    this.#dead = dead
    this.#rest()
  }

  stop(): void {
    this.#timers.clear(this.#timer)
  }

  #rest(): void {
    this.#received = this.#probe.received()
    this.#timer = this.#timers.set(() => this.#look(), this.#liveness.intervalMs)
  }

  #look(): void {
    if (this.#probe.received() > this.#received) return this.#rest()
    const queued = this.#probe.queued()
    this.#probe.ping()
    this.#timer = this.#timers.set(() => this.#judge(queued), this.#liveness.timeoutMs)
  }

  /** The ping may wait behind a large message: as long as that goes out, somebody reads it. */
  #judge(queued: number): void {
    const { received, queued: left } = this.#probe
    if (received() > this.#received || left() < queued) this.#rest()
    else this.#dead()
  }
}
