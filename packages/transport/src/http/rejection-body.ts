import { GrowingBytes } from "../framing/growing-bytes.js"
import type { HttpRejection } from "../transport.js"

/** How much of the body of a refusal is read, in bytes. */
const maxBytes = 64 * 1024

const utf8 = new TextDecoder()

/**
 * Reads what came with a status that is not 2xx, and no more than is of use. A body that breaks off
 * still says what the status was.
 */
export const rejectionBody = (
  status: number,
  headers: Readonly<Record<string, string>>,
  read: (rejection: HttpRejection) => void,
) => {
  const kept = new GrowingBytes()
  let complete = false
  const end = (): void => {
    if (complete) return
    complete = true
    const text = utf8.decode(kept.take())
    read({ status, headers, text, json: asJson(text) })
  }
  const chunk = (bytes: Uint8Array): void => {
    if (complete) return
    kept.append(bytes.subarray(0, maxBytes - kept.length))
    if (kept.length === maxBytes) end()
  }
  return { chunk, end, broken: end }
}

const asJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
