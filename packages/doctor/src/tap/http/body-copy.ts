import { contentDecoder, type BodyReader } from "@entente/transport/tapping"
import { noCopy, type Copy } from "../relay.js"

export interface BodyCopyOptions {
  /** The `Content-Encoding` of the body. */
  readonly encoding: string | undefined
  readonly reader: BodyReader
  /** Bytes that may wait to be decompressed. */
  readonly maxWaiting: number
  /** The body broke off. */
  readonly cutOff: () => void
  /** It cannot be decompressed: a sentence. */
  readonly unreadable: (what: string) => void
}

/**
 * Reads a copy of a body, decompressed where it is compressed. Decompression runs beside what is handed on,
 * and gives up where it falls too far behind.
 */
export const bodyCopy = (options: BodyCopyOptions): Copy => {
  const { encoding, reader, maxWaiting, cutOff, unreadable } = options
  let over = false
  let behind = false
  let waiting = 0
  const giveUp = (what: string): void => {
    if (over) return
    over = true
    unreadable(what)
  }
  const decoder = contentDecoder(encoding ?? "", {
    chunk: (bytes) => {
      if (!over) reader.chunk(bytes)
    },
    end: () => {
      if (!over) reader.end()
    },
    failed: (cause) => giveUp(`The body cannot be decompressed: ${cause.message}.`),
    pause: () => {
      behind = true
    },
    resume: () => {
      behind = false
      waiting = 0
    },
  })
  if (decoder instanceof Error) {
    giveUp(`The body cannot be read: ${decoder.message}.`)
    return noCopy
  }
  const stop = (how: () => void): void => {
    decoder?.destroy()
    over = true
    how()
  }
  return {
    chunk: (bytes) => {
      if (over) return
      if (decoder === undefined) return reader.chunk(bytes)
      decoder.write(bytes)
      if (behind) waiting += bytes.length
      if (waiting <= maxWaiting) return
      decoder.destroy()
      giveUp(`More than ${maxWaiting} bytes of the body wait to be decompressed.`)
    },
    end: (how) => {
      if (over) return
      if (how === "cut-off") return stop(cutOff)
      // A client that has let go is told of by its exchange.
      if (how === "left") return stop(() => {})
      if (decoder === undefined) reader.end()
      else decoder.end()
    },
  }
}
