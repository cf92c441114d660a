/** A time in a log: an instant, or the time of a day nobody knows. */
export interface LogTime {
  readonly ms: number
  readonly kind: "instant" | "clock"
  /** The place in the text after it. */
  readonly end: number
}

/** How far into a line its time may begin. */
const reach = 160

const date = String.raw`(\d{4})[-/](\d\d)[-/](\d\d)[T ,]{1,2}(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s?(Z|[+-]\d\d:?\d\d(?!\d))?`
const clock = String.raw`(?<![\d:.-])(\d\d):(\d\d):(\d\d)(?:[.,](\d{1,9}))?(?![\d:])`
const epoch = String.raw`(?<![\w.:-])(\d{13}|\d{10}(?:\.\d{1,9})?)(?![\w.:-])`

const time = new RegExp(`${date}|${clock}|${epoch}`)

const milliseconds = (fraction: string | undefined): number =>
  Number((fraction ?? "").slice(0, 3).padEnd(3, "0"))

const offsetOf = (zone: string | undefined): number => {
  const [, sign, hours = "0", minutes = "0"] = /([+-])(\d\d):?(\d\d)/.exec(zone ?? "") ?? []
  const size = (Number(hours) * 60 + Number(minutes)) * 60_000
  return sign === "-" ? -size : size
}

/**
 * The first time in a line, as loggers write it near its beginning: ISO dates, dates with a space, the time
 * of the day, seconds or milliseconds since the epoch. A time without a zone is read as UTC: what counts is
 * what lies between two of them.
 */
export const timeIn = (line: string): LogTime | undefined => {
  const found = time.exec(line.length > reach ? line.slice(0, reach) : line)
  if (found === null) return undefined
  const end = found.index + found[0].length
  const [, year, month, day, hour, minute, second, fraction, zone] = found
  if (year !== undefined) {
    const ms =
      Date.UTC(
        Number(year),
        Number(month) - 1,
        Number(day),
        Number(hour),
        Number(minute),
        Number(second ?? 0),
      ) +
      milliseconds(fraction) -
      offsetOf(zone)
    return { ms, kind: "instant", end }
  }
  const [hours, minutes, seconds, part, stamp] = found.slice(9)
  if (stamp !== undefined) return { ms: instantOf(Number(stamp)), kind: "instant", end }
  const ofDay = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)
  return { ms: ofDay * 1_000 + milliseconds(part), kind: "clock", end }
}

/** Below, a number is read as seconds: in milliseconds it would be in the year 1973. */
const smallestMs = 1e11

const instantOf = (number: number): number =>
  Math.round(number < smallestMs ? number * 1_000 : number)

/** A time that stands in a member of a JSON object; nothing if it is none. */
export const timeOf = (value: unknown): number | undefined => {
  if (typeof value === "number")
    return Number.isFinite(value) && value > 0 ? instantOf(value) : undefined
  if (typeof value !== "string" || value.length > 64) return undefined
  const found = timeIn(value)
  return found?.kind === "instant" ? found.ms : undefined
}
