import * as Schema from "effect/Schema"

/** Severities, least severe first (V25-LOG-01, V26-LOG-01). */
export const loggingLevels = [
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency",
] as const

export const LoggingLevel = Schema.Literals(loggingLevels)
export type LoggingLevel = typeof LoggingLevel.Type

const ranks: ReadonlyMap<unknown, number> = new Map(
  loggingLevels.map((level, rank) => [level, rank] as const),
)

/**
 * How severe a level is: 0 for `debug` up to 7 for `emergency`, and -1 for what is none of the eight.
 *
 * @example
 * severityOf("warning") // 3
 */
export const severityOf = (level: unknown): number => ranks.get(level) ?? -1
