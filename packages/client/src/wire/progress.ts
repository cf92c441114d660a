import { isJsonObject, type JsonObject, type ProgressToken } from "@entente/protocol"
import type { Timer, Timers } from "@entente/transport"
import type { NoteBook } from "./note-book.js"
import type { Reply } from "./reply.js"

/** What a server says of the work on a request (V25-PROG-02, V26-PROG-02). */
export interface Progress {
  /** Grows with every notification; may be fractional. */
  readonly progress: number
  /** What it grows to, where that is known; may change. */
  readonly total?: number
  /** Untrusted text. */
  readonly message?: string
}

/** How a request wants its progress followed. */
export interface ProgressWish {
  /** The caller's own token; the request's id by default. */
  readonly token?: ProgressToken
  /** Is told what has grown; a flood is thinned out (see `told`). */
  readonly told?: (progress: Progress) => void
  /**
   * Whether the token is still good after this reply, until `end` is called: a task's is, until the task
   * ends (V25-PROG-05).
   */
  readonly outlives?: (reply: Reply, end: () => void) => boolean
}

/**
 * So many are told within a window of so many milliseconds; of the rest the latest, when the window is over
 * (V26-PROG-03).
 */
const told = { most: 50, withinMs: 100 }

/** The progress of one request, from its token's first use to its last. */
export class ProgressWatch {
  readonly token: ProgressToken
  /** When the server last gave a sign of work, in milliseconds. */
  lastAt: number | undefined
  #latest: number | undefined
  #held: Progress | undefined
  #windowFrom = 0
  #inWindow = 0
  #timer: Timer
  readonly #wish: ProgressWish
  readonly #timers: Timers

  constructor(token: ProgressToken, wish: ProgressWish, timers: Timers) {
    this.token = token
    this.#wish = wish
    this.#timers = timers
  }

  outlives(reply: Reply, end: () => void): boolean {
    return this.#wish.outlives?.(reply, end) === true
  }

  /** Takes a value in; false where it does not grow, which is a sign of life all the same. */
  take(progress: Progress): boolean {
    const now = this.#timers.now()
    this.lastAt = now
    if (this.#latest !== undefined && progress.progress <= this.#latest) return false
    this.#latest = progress.progress
    if (this.#wish.told === undefined) return true
    // A clock may be set back, too.
    if (Math.abs(now - this.#windowFrom) >= told.withinMs) {
      this.#windowFrom = now
      this.#inWindow = 0
    }
    if (this.#inWindow++ < told.most) this.#tell(progress)
    else this.#hold(progress, this.#windowFrom + told.withinMs - now)
    return true
  }

  /** Tells what was held back, so that the last value always comes before the result. */
  flush(): void {
    if (this.#held !== undefined) this.#tell(this.#held)
  }

  /** Forgets what was held back. */
  drop(): void {
    if (this.#held === undefined) return
    this.#held = undefined
    this.#timers.clear(this.#timer)
  }

  /** Only a flood costs a timer; where it stops, its last value is not left behind. */
  #hold(progress: Progress, ms: number): void {
    if (this.#held === undefined) this.#timer = this.#timers.set(() => this.flush(), ms)
    this.#held = progress
  }

  #tell(progress: Progress): void {
    this.drop()
    try {
      this.#wish.told?.(progress)
    } catch (error) {
      // The caller's own fault, reported as one, after the connection has done its work.
      queueMicrotask(() => {
        throw error
      })
    }
  }
}

/** Ties progress notifications to requests: `1` and `"1"` are different tokens (V25-PROG-03). */
export class ProgressTable {
  readonly #watches = new Map<ProgressToken, ProgressWatch>()
  readonly #notes: NoteBook
  readonly #timers: Timers

  constructor(notes: NoteBook, timers: Timers) {
    this.#notes = notes
    this.#timers = timers
  }

  /** How many tokens are in use. */
  get size(): number {
    return this.#watches.size
  }

  /** Whether a token belongs to a request under way: no other may have it (V25-PROG-01, V26-PROG-01). */
  has(token: ProgressToken): boolean {
    return this.#watches.has(token)
  }

  /** Follows a request. Its id is its token, unless a caller has taken that for another one. */
  begin(id: number, wish: ProgressWish): ProgressWatch {
    const watch = new ProgressWatch(wish.token ?? this.#free(id), wish, this.#timers)
    this.#watches.set(watch.token, watch)
    return watch
  }

  #free(id: number): ProgressToken {
    let token: ProgressToken = id
    while (this.#watches.has(token)) token = `request-${token}`
    return token
  }

  /** The request is settled: what was held back is told, and the token is free unless it outlives that. */
  settled(watch: ProgressWatch, reply: Reply): void {
    // Whoever cancels wants to hear no more of it.
    if (reply._tag === "Aborted") watch.drop()
    else watch.flush()
    if (!watch.outlives(reply, () => this.end(watch))) this.end(watch)
  }

  end(watch: ProgressWatch): void {
    watch.drop()
    if (this.#watches.get(watch.token) === watch) this.#watches.delete(watch.token)
  }

  /** Takes a notification in. What belongs to no request under way is noted (C062). */
  receive(params: JsonObject | undefined): void {
    const read = readProgress(params)
    if (read === undefined) return this.#ignore("it has no token or no number")
    const watch = this.#watches.get(read.token)
    if (watch === undefined) return this.#ignore("its request is settled, or was never made")
    if (!watch.take(read.progress)) this.#ignore("it does not grow")
  }

  #ignore(detail: string): void {
    this.#notes.add({ code: "progress-ignored", detail })
  }
}

const readProgress = (
  params: JsonObject | undefined,
): { readonly token: ProgressToken; readonly progress: Progress } | undefined => {
  if (!isJsonObject(params)) return undefined
  const { progressToken: token, progress, total, message } = params
  if (typeof token !== "string" && !Number.isInteger(token)) return undefined
  if (typeof progress !== "number" || !Number.isFinite(progress)) return undefined
  return {
    token: token as ProgressToken, // a string or an integer, as was just seen
    progress: {
      progress,
      ...(typeof total === "number" && Number.isFinite(total) ? { total } : {}),
      ...(typeof message === "string" ? { message } : {}),
    },
  }
}
