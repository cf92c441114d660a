/** The longest outcome an attempt may carry, in UTF-16 units. */
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

/** The strings of a list that a peer sent; at most 100 are looked at. */
export const stringsIn = (list: unknown): ReadonlyArray<string> =>
  Array.isArray(list)
    ? list.slice(0, 100).filter((item): item is string => typeof item === "string")
    : []
