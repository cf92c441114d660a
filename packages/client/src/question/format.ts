/** A day that exists: 2025-02-29 does not. */
const isDate = (text: string): boolean => {
  const [, year = "", month = "", day = ""] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? []
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  // `Date.UTC` moves what does not exist to what does, and years below 100 to the last century.
  date.setUTCFullYear(Number(year))
  return (
    year !== "" && date.getUTCMonth() + 1 === Number(month) && date.getUTCDate() === Number(day)
  )
}

const time = /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i

/** RFC 3339: with seconds, and always with an offset. */
const isDateTime = (text: string): boolean =>
  isDate(text.slice(0, 10)) && /^[t ]$/i.test(text.slice(10, 11)) && time.test(text.slice(11))

/** One part on each side of one sign: whether somebody reads mail there only mail can tell. */
const isEmail = (text: string): boolean => {
  const at = text.lastIndexOf("@")
  const domain = text.slice(at + 1)
  return at > 0 && domain !== "" && !/[\s@]/.test(text.slice(0, at) + domain)
}

/** What each `format` of a form means; each looks at a text once, however long. */
export const formats = {
  email: isEmail,
  uri: (text: string) => !/\s/.test(text) && URL.canParse(text),
  date: isDate,
  "date-time": isDateTime,
} as const satisfies Readonly<Record<string, (text: string) => boolean>>
