/** What a walk is told of changes while it reads. */
export interface WalkChanges {
  /** Moves where pages read so far may no longer fit those to come. */
  readonly count: () => number
  /** Says that page one is being asked for; the function returned, that it has come. */
  readonly askFirst: () => () => void
}

/**
 * Why a list may no longer be what was read: the server said so, or the connection was lost. A walk
 * that spans either starts again, because cursors do not survive a session (V25-PAGE-02). But page one that
 * had to be asked for twice is as fresh as can be: its own loss is no reason to ask a third time (C019).
 */
export class ListChanges {
  #notices = 0
  #losses = 0
  #missed = 0

  /** The server says that the list has changed. */
  notice(): void {
    this.#notices++
  }

  /** The connection was lost, or its session was. */
  lose(): void {
    this.#losses++
  }

  /** For a while the server could not have been heard: there may have been a notice. */
  miss(): void {
    this.#missed++
  }

  /** Moves with everything that makes a list out of date. */
  get total(): number {
    return this.#notices + this.#losses + this.#missed
  }

  /** Begins to watch over one walk. */
  watch(): WalkChanges {
    let excused = 0
    return {
      count: () => this.#notices + this.#losses - excused,
      askFirst: () => {
        const before = this.#losses
        return () => {
          excused += this.#losses - before
        }
      },
    }
  }
}
