import { isJsonObject } from "@entente/protocol"
import type { Direction } from "./sides.js"

/** How far apart in milliseconds two lines may be that say the same of one message. */
const slack = 2_000

interface Seen {
  readonly mark: string
  readonly at: number | undefined
}

/** Tells a text from any other of its length, in one pass and without keeping it. */
const fingerprint = (text: string): string => {
  let [one, other] = [0x811c9dc5, text.length]
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    one = Math.imul(one ^ unit, 0x01000193)
    other = Math.imul(other + unit, 0x85ebca6b) ^ (other >>> 13)
  }
  return `${text.length} ${one} ${other}`
}

/**
 * Finds messages that a log has twice: two loggers wrote into one file, two files were put together, or
 * both ends of a proxy were logged. A message with an id is one and the same if id, direction and text are,
 * and the times are close; one without an id only at the very same time. Without times only the message
 * right before it in its direction can be the same.
 */
export class Repeats {
  readonly #byId = new Map<string, Seen>()
  readonly #atTime = new Set<string>()
  readonly #last = new Map<Direction, string>()

  /** Whether this message was there before. */
  has(message: unknown, text: string, direction: Direction, at: number | undefined): boolean {
    const mark = fingerprint(text)
    const id = isJsonObject(message) ? message["id"] : undefined
    const previous = this.#last.get(direction)
    this.#last.set(direction, mark)
    if (at !== undefined) {
      const moment = `${direction} ${at} ${mark}`
      if (this.#atTime.has(moment)) return true
      this.#atTime.add(moment)
    }
    if (typeof id !== "string" && typeof id !== "number") return false
    const name = `${direction} ${typeof id} ${id}`
    const before = this.#byId.get(name)
    this.#byId.set(name, { mark, at })
    if (before?.mark !== mark) return false
    return at === undefined || before.at === undefined
      ? previous === mark
      : Math.abs(at - before.at) <= slack
  }
}
