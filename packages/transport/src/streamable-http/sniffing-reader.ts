import type { BodyReader } from "./exchange.js"
import { kindByFirstBytes, type BodyKind } from "./media-type.js"

/** How much is looked at: nobody begins a message with more blanks than this, in bytes. */
const enough = 1024

type Shown = Exclude<BodyKind, "unsaid">

/**
 * Reads a body that nobody said the kind of: its first bytes decide who reads it (C122), and nothing of
 * it is lost, however it is cut. `empty` is told where there is no body at all.
 */
export const sniffingReader = (
  readerOf: (kind: Shown) => BodyReader,
  empty: () => void,
): BodyReader => {
  const text = new TextDecoder()
  const held: Array<Uint8Array> = []
  let beginning = ""
  let reader: BodyReader | undefined
  const decide = (kind: Shown): BodyReader => {
    reader = readerOf(kind)
    for (const piece of held.splice(0)) reader.chunk(piece)
    return reader
  }
  return {
    chunk: (bytes) => {
      if (reader !== undefined) return reader.chunk(bytes)
      held.push(bytes)
      beginning += text.decode(bytes.subarray(0, enough), { stream: true })
      const kind = kindByFirstBytes(beginning) ?? (beginning.length < enough ? undefined : "other")
      if (kind !== undefined) decide(kind)
    },
    end: () => {
      if (reader === undefined && beginning.trim() === "") return empty()
      const chosen = reader ?? decide("other")
      chosen.end()
    },
    get mayRest() {
      return reader?.mayRest ?? false
    },
  }
}
