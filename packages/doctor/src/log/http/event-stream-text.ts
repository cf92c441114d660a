/** One event in the text of an event stream. */
export interface TextEvent {
  readonly type: string
  readonly data: string
  readonly id: string | undefined
}

/**
 * The events in the whole text of a stream, by the grammar of the HTML standard. The reader of the transport
 * works on bytes as they come; here the text is all there, and what stands behind the last blank line was cut
 * off by whoever logged it, so that it counts.
 */
export const eventsIn = function* (text: string): Generator<TextEvent> {
  let [type, id, data]: [string, string | undefined, Array<string>] = ["message", undefined, []]
  const lineEnd = /\r\n|\r|\n/g
  for (let from = 0; from <= text.length;) {
    lineEnd.lastIndex = from
    const found = lineEnd.exec(text)
    const line = text.slice(from, found?.index)
    from = found === null ? text.length + 1 : lineEnd.lastIndex
    const colon = line.indexOf(":")
    const name = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? "" : line.slice(colon + (line[colon + 1] === " " ? 2 : 1))
    if (name === "data" && line !== "") data.push(value)
    else if (name === "event") type = value
    else if (name === "id") id = value
    if (line !== "" && found !== null) continue
    if (data.length > 0) yield { type, data: data.join("\n"), id }
    ;[type, id, data] = ["message", undefined, []]
  }
}
