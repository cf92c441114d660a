import { countCharacters, cutEnd, cutExcerpt, type Measure } from "./cut-excerpt.js"
import type { ExchangeItem, ExchangeLine } from "./exchange.js"

/** How an exchange is written where it is shown. */
export interface ExchangeStyle {
  /** Columns; what is longer is cut. */
  readonly width: number
  /** By default one column for each character. */
  readonly measure?: Measure
  /** Makes text of a server safe to show. */
  readonly visible?: (text: string) => string
  readonly dim?: (text: string) => string
  readonly bold?: (text: string) => string
  /** Sets off what differs. Without it, a line of carets below points at it. */
  readonly marked?: (text: string) => string
}

/** `+12 ms`, `+12.3 s` */
const offsetText = (ms: number): string => {
  if (!Number.isFinite(ms)) return "+?"
  return Math.abs(ms) < 10_000 ? `+${Math.round(ms)} ms` : `+${(ms / 1_000).toFixed(1)} s`
}

const isLine = (item: ExchangeItem): item is ExchangeLine => item.kind === "line"

/**
 * An exchange as lines of text: number, time, who speaks, what; below what differs the excerpt, with the part that
 * does set off.
 */
export const exchangeText = (
  items: ReadonlyArray<ExchangeItem>,
  style: ExchangeStyle,
): ReadonlyArray<string> => {
  const asIs = (text: string): string => text
  const {
    width,
    measure = countCharacters,
    visible = asIs,
    dim = asIs,
    bold = asIs,
    marked,
  } = style
  const lines = items.filter(isLine)
  const numbers = Math.max(0, ...lines.map(({ frame }) => String(frame).length))
  const times = Math.max(0, ...lines.map(({ offsetMs }) => offsetText(offsetMs).length))
  // On a narrow terminal the times are the first to go.
  const withTimes = width >= 60
  const indent = 2 + numbers + 2 + (withTimes ? times + 2 : 0)
  const room = Math.max(16, width - indent - 2)
  const shown = (item: ExchangeLine): ReadonlyArray<string> => {
    const { frame, offsetMs, arrow, summary, evidence } = item
    const hit = evidence.length > 0
    const number = String(frame).padStart(numbers)
    const time = withTimes ? `${offsetText(offsetMs).padStart(times)}  ` : ""
    const text = cutEnd(visible(summary), room, measure)
    const head = `${dim(`${number}  ${time}`)}${arrow} ${hit ? bold(text) : text}`
    return [`${hit ? bold("▶") : " "} ${head}`, ...evidence.flatMap(excerptLines)]
  }
  const excerptLines = (one: ExchangeLine["evidence"][number]): ReadonlyArray<string> => {
    const margin = " ".repeat(indent + 2)
    const excerpt = visible(one.excerpt)
    const cut = cutExcerpt(
      one.marked === undefined ? { excerpt } : { excerpt, marked: visible(one.marked) },
      room,
      measure,
    )
    if (marked !== undefined) {
      const found = cut.marked === "" ? "" : marked(cut.marked)
      return [`${margin}${dim(cut.before)}${found}${dim(cut.after)}`]
    }
    const line = `${margin}${cut.before}${cut.marked}${cut.after}`
    if (cut.marked === "") return [line]
    return [line, `${margin}${" ".repeat(measure(cut.before))}${"^".repeat(measure(cut.marked))}`]
  }
  return items.flatMap((item) =>
    isLine(item)
      ? shown(item)
      : [
          `${" ".repeat(indent)}${dim(`… ${item.lines} more ${item.lines === 1 ? "line" : "lines"}`)}`,
        ],
  )
}
