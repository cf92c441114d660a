import { constants, createBrotliDecompress, createGunzip, createInflate } from "node:zlib"

export interface DecodedSink {
  readonly chunk: (bytes: Uint8Array) => void
  readonly end: () => void
  readonly failed: (cause: Error) => void
  /** Too much is waiting to be decoded. */
  readonly pause: () => void
  readonly resume: () => void
}

export interface ContentDecoder {
  readonly write: (bytes: Uint8Array) => void
  readonly end: () => void
  readonly destroy: () => void
}

/** Events of a stream must not wait until a block is full. */
const flush = { flush: constants.Z_SYNC_FLUSH }
const decoders = new Map([
  ["gzip", () => createGunzip(flush)],
  ["x-gzip", () => createGunzip(flush)],
  ["deflate", () => createInflate(flush)],
  ["br", () => createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH })],
])

/**
 * Undoes a compression that nobody asked for: some gateways compress whatever they pass on. Undefined
 * where the body is sent as it is, an error where it cannot be undone. What comes out is passed on
 * piece by piece, so that its reader can stop a small body that becomes a huge one.
 */
export const contentDecoder = (
  encoding: string | ReadonlyArray<string>,
  sink: DecodedSink,
): ContentDecoder | Error | undefined => {
  const name = [encoding].flat().join(", ").trim().toLowerCase()
  if (name === "" || name === "identity") return undefined
  const decoder = decoders.get(name)?.()
  if (decoder === undefined) {
    return new Error(
      `it is compressed as ${JSON.stringify(name.slice(0, 40))}, which nobody asked for`,
    )
  }
  decoder.on("data", sink.chunk)
  decoder.on("end", sink.end)
  decoder.on("error", sink.failed)
  decoder.on("drain", sink.resume)
  return {
    write: (bytes) => {
      if (!decoder.write(bytes)) sink.pause()
    },
    end: () => {
      decoder.end()
    },
    destroy: () => {
      decoder.destroy()
    },
  }
}
