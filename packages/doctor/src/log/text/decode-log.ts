/** How many bytes are looked at where no mark tells the encoding. */
const sample = 4_096

const marks = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
] as const

/** Text in Latin letters has a zero in every other byte of UTF-16, and none in UTF-8. */
const guessed = (bytes: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" => {
  const zeros = [0, 0]
  const length = Math.min(bytes.length, sample)
  for (let at = 0; at < length; at++) {
    if (bytes[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  }
  const [even = 0, odd = 0] = zeros
  const many = length / 8
  if (odd > many && odd > even) return "utf-16le"
  return even > many ? "utf-16be" : "utf-8"
}

/**
 * The text of a log file: UTF-8, or UTF-16 as PowerShell writes it when it redirects output. What cannot be
 * decoded becomes replacement characters; it never throws.
 *
 * @example
 * readLog(decodeLog(await readFile("mcp.log")))
 */
export const decodeLog = (bytes: Uint8Array): string => {
  const marked = marks.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte))
  return new TextDecoder(marked?.[0] ?? guessed(bytes)).decode(bytes)
}

/**
 * A log as a text that starts at its first character. UTF-16 that was read as UTF-8 has a NUL beside every
 * character: what is left without them can be read.
 */
export const withoutMarks = (text: string): string => {
  const plain = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  const head = plain.slice(0, sample)
  const nuls = head.split("\0").length - 1
  return nuls > head.length / 4
    ? plain.replaceAll("\0", "").replace(/^(?:\ufffd|\ufeff)+/, "")
    : plain
}
