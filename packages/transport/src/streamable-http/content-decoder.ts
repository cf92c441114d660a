import { constants, createBrotliDecompress, createGunzip, createInflate } from "node:zlib"

export interface DecodedSink {
  readonly chunk: (bytes: Uint8Array) => void
  readonly end: () => void
  readonly failed: (cause: Error) => void
  /** Too much is waiting to be decoded. */
  readonly pause: () => void
  readonly resume: () => void
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
 * where the body is sent as it is.
 */
export const contentDecoder = (
  encoding: string | ReadonlyArray<string> | undefined,
  sink: DecodedSink,
) => {
  if (encoding === undefined) return undefined
  const decoder = decoders.get(String(encoding).trim().toLowerCase())?.()
  if (decoder === undefined) return undefined
  decoder.on("data", sink.chunk)
  decoder.on("end", sink.end)
  decoder.on("error", sink.failed)
  decoder.on("drain", sink.resume)
  return {
    write: (bytes: Uint8Array): void => {
      if (!decoder.write(bytes)) sink.pause()
    },
    end: (): void => {
      decoder.end()
    },
    destroy: (): void => {
      decoder.destroy()
    },
  }
}
