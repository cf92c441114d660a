/** An HTTP message as its connection carried it, without the framing of its body. */
export interface HttpMessage {
  readonly start: string
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  readonly body: Buffer
}

const lineEnd = Buffer.from("\r\n")
const headEnd = Buffer.from("\r\n\r\n")

/** Takes the body off the front of some bytes; what is cut off stays as far as it came. */
const bodyOf = (
  bytes: Buffer,
  headers: HttpMessage["headers"],
  hasBody: boolean,
): { readonly body: Buffer; readonly rest: Buffer } => {
  const value = (wanted: string): string | undefined =>
    headers.find(([name]) => name.toLowerCase() === wanted)?.[1]
  if (!hasBody) return { body: Buffer.alloc(0), rest: bytes }
  if (value("transfer-encoding") === "chunked") {
    const pieces: Array<Buffer> = []
    let at = 0
    while (at < bytes.length) {
      const end = bytes.indexOf(lineEnd, at)
      if (end < 0) break
      const size = Number.parseInt(bytes.toString("latin1", at, end), 16)
      const from = end + lineEnd.length
      pieces.push(bytes.subarray(from, from + size))
      at = from + size + lineEnd.length
      if (size === 0) break
    }
    return { body: Buffer.concat(pieces), rest: bytes.subarray(at) }
  }
  const length = Number(value("content-length") ?? 0)
  return { body: bytes.subarray(0, length), rest: bytes.subarray(length) }
}

/** Everything that one direction of a connection carried. */
export const httpMessages = (bytes: Buffer): ReadonlyArray<HttpMessage> => {
  const messages: Array<HttpMessage> = []
  let rest = bytes
  while (rest.length > 0) {
    const end = rest.indexOf(headEnd)
    if (end < 0) throw new Error(`half a head: ${rest.toString("latin1").slice(0, 200)}`)
    const [start = "", ...lines] = rest.toString("latin1", 0, end).split("\r\n")
    const headers = lines.map((line) => {
      const colon = line.indexOf(":")
      return [line.slice(0, colon), line.slice(colon + 1).trim()] as const
    })
    const empty = /^HTTP\/1.1 (?:204|304)/.test(start)
    const { body, rest: more } = bodyOf(rest.subarray(end + headEnd.length), headers, !empty)
    messages.push({ start, headers, body })
    rest = more
  }
  return messages
}
