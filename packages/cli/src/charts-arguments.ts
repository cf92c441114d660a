import type { CommandLine } from "./flags.js"
import { nearest } from "./nearest.js"
import type { Presentation } from "./presentation.js"
import { UsageError } from "./usage-error.js"

/** How a chart can be shown. */
export const chartFormats = ["text", "mermaid", "svg", "json"] as const

export type ChartFormat = (typeof chartFormats)[number]

/** What `entente charts` is to show. */
export interface ChartsInvocation extends Presentation {
  readonly name: "charts"
  /** Undefined for all of them. */
  readonly chart: string | undefined
  /** Undefined where nobody said: then it depends on who reads it. */
  readonly format: ChartFormat | undefined
  /** The states to be lit: as written, and checked against the chart. */
  readonly states: ReadonlyArray<string>
  /** The folder that files are written to; undefined for stdout. */
  readonly out: string | undefined
}

const isFormat = (word: string): word is ChartFormat =>
  (chartFormats as ReadonlyArray<string>).includes(word) // `includes` takes no wider type

const readFormat = (word: string | undefined): ChartFormat | undefined => {
  if (word === undefined || isFormat(word)) return word
  const meant = nearest(word, chartFormats)
  throw new UsageError(
    `--format knows no ${word}.` + (meant === undefined ? "" : ` Did you mean ${meant}?`),
    `It is one of ${chartFormats.join(", ")}.`,
  )
}

/** Reads the words and flags of `entente charts`. */
export const readChartsCommand = (
  { flags, words }: CommandLine,
  presentation: Presentation,
): ChartsInvocation => {
  const [chart, extra] = words
  if (extra !== undefined) {
    throw new UsageError(`charts takes no "${extra}".`, "entente charts --help shows its usage.")
  }
  const format = readFormat(flags.get("format")?.[0])
  const states = flags.get("state") ?? []
  const out = flags.get("out")?.[0]
  if (chart === undefined && states.length > 0) {
    throw new UsageError("--state is for one chart.", "Write its name: entente charts connection.")
  }
  if (chart === undefined && out === undefined && format !== undefined) {
    throw new UsageError(
      "--format is for one chart, or for files.",
      "Write the name of a chart, or --out DIR for all of them.",
    )
  }
  if (format === "json" && states.length > 0) {
    throw new UsageError(
      "The format json has no place for --state.",
      "Use --format text, mermaid or svg.",
    )
  }
  return { name: "charts", ...presentation, chart, format, states, out }
}
