import type { StreamPosition } from "../transport.js"

/** How many ids are remembered to recognise replayed events. */
const maxRemembered = 1_000

/** The longest id that is sent back, in UTF-16 code units; servers refuse longer headers. */
const maxIdLength = 4_096

/** Anything but control characters, which no header can carry. */
const sendable = /^[\t\x20-\x7e\x80-\u{10ffff}]*$/u

/**
 * Where the reader of one stream stands. Ids belong to the stream, not to the connection that carries it:
 * the same position goes along when the stream is resumed (V25-HTTP-18), and knows then what has been
 * dispatched already (V25-HTTP-26).
 */
export class EventPosition implements StreamPosition {
  lastEventId: string | undefined
  retryMs: number | undefined
  readonly headers: StreamPosition["headers"]
  readonly #dispatched = new Set<string>()
  /** Ids of earlier connections; those of this one are no replays, whatever the server does with them. */
  #earlier: ReadonlySet<string> = new Set()

  constructor(headers: StreamPosition["headers"]) {
    this.headers = headers
  }

  /**
   * An event was dispatched, or its block was only an id (V25-HTTP-20). An empty id takes the last one
   * back; so does one that cannot be sent, because to go on from an older event would be wrong.
   */
  reach(id: string): void {
    const usable = id !== "" && id.length <= maxIdLength && sendable.test(id)
    this.lastEventId = usable ? id : undefined
    if (!usable) return
    this.#dispatched.add(id)
    if (this.#dispatched.size <= maxRemembered) return
    for (const oldest of this.#dispatched) {
      this.#dispatched.delete(oldest)
      return
    }
  }

  /** Another connection begins to carry the stream. */
  resume(): void {
    this.#earlier = new Set(this.#dispatched)
  }

  /** Whether an event of an earlier connection had this id. */
  isReplay(id: string): boolean {
    return this.#earlier.has(id)
  }
}

/** The id as a header: UTF-8, byte by byte, as the HTML standard wants it (V25-HTTP-17). */
export const lastEventIdHeader = (id: string): string =>
  String.fromCharCode(...new TextEncoder().encode(id))
