import { Buffer } from "node:buffer"
import type { RawBytes } from "./script.js"

/** The bytes that a step stands for. */
export const rawBytes = (raw: RawBytes): Buffer => {
  if (typeof raw === "string") return Buffer.from(raw)
  if (isList(raw)) return Buffer.concat(raw.map(rawBytes))
  if ("base64" in raw) return Buffer.from(raw.base64, "base64")
  if ("json" in raw) return Buffer.from(JSON.stringify(raw.json, null, raw.indent))
  if ("framed" in raw) {
    const bytes = rawBytes(raw.framed)
    return Buffer.concat([Buffer.from(`Content-Length: ${bytes.length}\r\n\r\n`), bytes])
  }
  return Buffer.alloc(Buffer.byteLength(raw.repeat) * raw.times, raw.repeat)
}

// `Array.isArray` does not know readonly lists.
const isList = (raw: RawBytes): raw is ReadonlyArray<RawBytes> => Array.isArray(raw)

/** Cuts a stream of bytes into lines, and gives them without their ends. */
export const lineReader = (receive: (line: string) => void): ((bytes: Buffer) => void) => {
  let parts: Array<Buffer> = []
  return (bytes) => {
    let from = 0
    for (let end = bytes.indexOf(0x0a); end >= 0; end = bytes.indexOf(0x0a, from)) {
      const line = Buffer.concat([...parts, bytes.subarray(from, end)]).toString()
      parts = []
      from = end + 1
      receive(line.replace(/\r$/, ""))
    }
    parts.push(bytes.subarray(from))
  }
}
