import { GrowingBytes } from "../framing/growing-bytes.js"
import type { HttpRejection } from "../transport.js"

/** How much of a refusal in plain words is read, in bytes, and how much of any is kept as text. */
const maxTextBytes = 64 * 1024

const utf8 = new TextDecoder()

/**
 * Reads what came with a status that is not 2xx, and no more than is of use: JSON may be a message as
 * large as any, with a code that decides what follows (V26-HTTP-14); of anything else a beginning is
 * enough. A body that breaks off still says what the status was.
 */
export const rejectionBody = (
  status: number,
  headers: Readonly<Record<string, string>>,
  read: (rejection: HttpRejection) => void,
  maxMessageBytes: number = maxTextBytes,
) => {
  const kept = new GrowingBytes()
  let limit = maxMessageBytes
  let complete = false
  const end = (): void => {
    if (complete) return
    complete = true
    const bytes = kept.take()
    const json = asJson(bytes)
    read({ status, headers, text: utf8.decode(bytes.subarray(0, maxTextBytes)), json })
  }
  const chunk = (bytes: Uint8Array): void => {
    if (complete) return
    if (kept.length === 0 && !looksLikeJson(bytes)) limit = maxTextBytes
    kept.append(bytes.subarray(0, limit - kept.length))
    if (kept.length >= limit) end()
  }
  return { chunk, end, broken: end }
}

const looksLikeJson = (bytes: Uint8Array): boolean =>
  /^[\s\uFEFF]*[[{]/.test(utf8.decode(bytes.subarray(0, 100)))

const asJson = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch {
    return undefined
  }
}
