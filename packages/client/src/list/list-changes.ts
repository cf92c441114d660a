/** What a walk is told of changes while it reads. */
export interface WalkChanges {
  /** Moves where pages read so far may no longer fit those to come. */
  readonly count: () => number
  /** Says that page one is being asked for; the function returned, that it has come. */
  readonly askFirst: () => () => void
  /** Whether something has changed since the walk last looked. */
  readonly movedSince: () => boolean
}

/**
 * Why a list may no longer be what was read: the server said so, or the connection was lost. A walk
 * that spans either starts again, because cursors do not survive a session (V25-PAGE-02). But page one that
 * had to be asked for twice is as fresh as can be: its own loss is no reason to ask a third time (C019).
 */
export class ListChanges {
  #notices = 0
  #losses = 0

  /** The server says that the list has changed. */
  notice(): void {
    this.#notices++
  }

  /** The connection was lost, or its session was. */
  lose(): void {
    this.#losses++
  }

  /** Begins to watch over one walk. */
  watch(): WalkChanges {
    let excused = 0
    const now = (): number => this.#notices + this.#losses - excused
    let seen = now()
    return {
      count: () => (seen = now()),
      askFirst: () => {
        const before = this.#losses
        return () => {
          excused += this.#losses - before
        }
      },
      movedSince: () => now() !== seen,
    }
  }
}
