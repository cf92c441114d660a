/** What `JSON.stringify` leaves as it is although a terminal would obey it or a person cannot see it. */
const unseen = /[\u007f-\u009f\u2028\u2029]|\p{Cf}/gu

const unicodeEscape = (text: string): string =>
  Array.from({ length: text.length }, (_, index) => {
    const unit = text.charCodeAt(index).toString(16).padStart(4, "0")
    return `\\u${unit}`
  }).join("")

/** A value as JSON on one line, in which nothing is invisible; it parses to the same value. */
export const jsonLine = (value: unknown): string =>
  JSON.stringify(value).replace(unseen, unicodeEscape)

/** The same on several lines, for people to read. */
export const jsonText = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(unseen, unicodeEscape)
