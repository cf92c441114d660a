import type { JsonObject } from "@entente/protocol"

/** Milliseconds between two notifications; what rises faster is left out, because it rises further. */
const pauseMs = 100

/**
 * What this side tells of its work on a question: only to a server that gave a token, only while it
 * waits, strictly rising, and not too often (V25-PROG-04).
 */
export class OwnProgress {
  #latest = -Infinity
  #toldAt = -Infinity
  #over: boolean
  readonly #token: unknown
  readonly #meta: JsonObject
  readonly #now: () => number
  readonly #send: (params: JsonObject) => void

  constructor(
    token: unknown,
    meta: JsonObject,
    now: () => number,
    send: (params: JsonObject) => void,
  ) {
    this.#over = typeof token !== "string" && !Number.isSafeInteger(token)
    this.#token = token
    this.#meta = meta
    this.#now = now
    this.#send = send
  }

  readonly tell = (progress: number, total?: number, message?: string): void => {
    if (this.#over || !Number.isFinite(progress) || progress <= this.#latest) return
    const now = this.#now()
    if (now - this.#toldAt < pauseMs) return
    this.#latest = progress
    this.#toldAt = now
    this.#send({
      progressToken: this.#token,
      progress,
      ...(total !== undefined && Number.isFinite(total) && { total }),
      ...(message !== undefined && { message }),
      ...(Object.keys(this.#meta).length > 0 && { _meta: this.#meta }),
    })
  }

  /** The answer goes out, or nobody waits for it any more. */
  end(): void {
    this.#over = true
  }
}
