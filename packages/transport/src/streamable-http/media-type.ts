/** The two bodies of MCP, one that may be either, and everything else. */
export type BodyKind = "json" | "event-stream" | "unsaid" | "other"

/**
 * What a Content-Type announces. Only the media type itself counts, in any case and whatever its
 * parameters; of a header that was set twice the first one (V25-HTTP-06, C122).
 */
export const bodyKind = (contentType: string | undefined): BodyKind => kindOf(essence(contentType))

/** The same, of a media type without parameters. */
export const kindOf = (mediaType: string): BodyKind => kinds.get(mediaType) ?? "other"

const kinds: ReadonlyMap<string, BodyKind> = new Map([
  ["application/json", "json"],
  ["text/event-stream", "event-stream"],
  // What frameworks say that were told nothing (C122).
  ["", "unsaid"],
  ["text/plain", "unsaid"],
])

/** The media type without its parameters; empty where there is none. */
export const essence = (contentType: string | undefined): string =>
  (contentType ?? "").split(/[;,]/, 1)[0]!.trim().toLowerCase() // split never gives an empty array

/** The lines an event stream can begin with. */
const fields = ["event:", "data:", "id:", "retry:", ":"]

/** What the beginning of a body shows it to be; undefined where more of it has to be seen (C122). */
export const kindByFirstBytes = (beginning: string): Exclude<BodyKind, "unsaid"> | undefined => {
  const text = beginning.trimStart()
  if (text.startsWith("{") || text.startsWith("[")) return "json"
  if (fields.some((field) => text.startsWith(field))) return "event-stream"
  return fields.some((field) => field.startsWith(text)) ? undefined : "other"
}
