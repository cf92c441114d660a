import { isJsonObject, type JsonObject, type ProgressToken } from "@entente/protocol"
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

/** So many are told within a window of so many milliseconds; of the rest the latest, later (V26-PROG-03). */
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
  readonly #wish: ProgressWish

  constructor(token: ProgressToken, wish: ProgressWish) {
    this.token = token
    this.#wish = wish
  }

  outlives(reply: Reply, end: () => void): boolean {
    return this.#wish.outlives?.(reply, end) === true
  }

  /** Takes a value in; false where it does not grow, which is a sign of life all the same. */
  take(progress: Progress, now: number): boolean {
    this.lastAt = now
    if (this.#latest !== undefined && progress.progress <= this.#latest) return false
    this.#latest = progress.progress
    if (this.#wish.told === undefined) return true
    if (now - this.#windowFrom >= told.withinMs) {
      this.#windowFrom = now
      this.#inWindow = 0
    }
    if (this.#inWindow++ < told.most) this.#tell(progress)
    else this.#held = progress
    return true
  }

  /** Tells what was held back, so that the last value always comes before the result. */
  flush(): void {
    if (this.#held !== undefined) this.#tell(this.#held)
  }

  #tell(progress: Progress): void {
    this.#held = undefined
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
  readonly #now: () => number

  constructor(notes: NoteBook, now: () => number) {
    this.#notes = notes
    this.#now = now
  }

  /** Whether a token belongs to a request under way: no other may have it (V25-PROG-01, V26-PROG-01). */
  has(token: ProgressToken): boolean {
    return this.#watches.has(token)
  }

  /** Follows a request. Its id is its token, unless a caller has taken that for another one. */
  begin(id: number, wish: ProgressWish): ProgressWatch {
    const token = wish.token ?? (this.#watches.has(id) ? `request-${id}` : id)
    const watch = new ProgressWatch(token, wish)
    this.#watches.set(token, watch)
    return watch
  }

  /** The request is settled: what was held back is told, and the token is free unless it outlives that. */
  settled(watch: ProgressWatch, reply: Reply): void {
    watch.flush()
    if (!watch.outlives(reply, () => this.end(watch))) this.end(watch)
  }

  end(watch: ProgressWatch): void {
    if (this.#watches.get(watch.token) === watch) this.#watches.delete(watch.token)
  }

  /** Takes a notification in. What belongs to no request under way is noted (C062). */
  receive(params: JsonObject | undefined): void {
    const read = readProgress(params)
    if (read === undefined) return this.#ignore("it has no token or no number")
    const watch = this.#watches.get(read.token)
    if (watch === undefined) return this.#ignore("its request is settled, or was never made")
    if (!watch.take(read.progress, this.#now())) this.#ignore("it does not grow")
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
