import * as Schema from "effect/Schema"

/** Severities, least severe first (V25-LOG-01, V26-LOG-01). */
export const LoggingLevel = Schema.Literals([
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency",
])
export type LoggingLevel = typeof LoggingLevel.Type
