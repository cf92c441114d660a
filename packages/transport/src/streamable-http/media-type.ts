/** The two bodies of MCP, none at all, and everything else. */
export type BodyKind = "json" | "event-stream" | "other"

/**
 * What a Content-Type announces. Only the media type itself counts, in any case and whatever its
 * parameters; of a header that was set twice the first one (V25-HTTP-06, C122).
 */
export const bodyKind = (contentType: string | undefined): BodyKind => {
  switch (essence(contentType)) {
    case "application/json":
      return "json"
    case "text/event-stream":
      return "event-stream"
    default:
      return "other"
  }
}

/** The media type without its parameters; empty where there is none. */
export const essence = (contentType: string | undefined): string =>
  (contentType ?? "").split(/[;,]/, 1)[0]!.trim().toLowerCase() // split never gives an empty array
