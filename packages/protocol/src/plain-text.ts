/** The longest piece of a peer's text that a line shows, in UTF-16 units. */
export const outcomeLimit = 300

// Control and format characters: escapes for terminals, newlines, and what turns text around.
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu

/** A peer's text as one harmless line: no control or format characters, and never longer than `limit`. */
export const plainText = (text: string, limit: number = outcomeLimit): string => {
  // Cut first: a hostile text may be much longer than what is kept of it.
  const line = text
    .slice(0, 4 * limit)
    .replace(unprintable, " ")
    .trim()
  return line.length > limit ? `${line.slice(0, limit - 1)}…` : line
}
