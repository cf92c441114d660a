/**
 * Characters that a terminal would obey, or that a person cannot see: controls, line and paragraph
 * separators, invisible formatting (text that runs backwards, zero-width and tag characters), lone
 * surrogates, and code points without a character.
 */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Cn}]/gu

const named: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" }

const escape = (character: string): string => {
  const short = named[character]
  if (short !== undefined) return short
  const hex = (character.codePointAt(0) ?? 0).toString(16)
  return hex.length <= 2 ? `\\x${hex.padStart(2, "0")}` : `\\u{${hex}}`
}

/**
 * Text from a server, safe to show on one line: what is invisible or would steer the terminal is
 * written out.
 *
 * @example
 * oneLine("a\u001b[2Jb") // "a\\x1b[2Jb"
 */
export const oneLine = (text: string): string => text.replace(unseen, escape)

/** The same for text of several lines: line ends and tabs stay what they are. */
export const severalLines = (text: string): string =>
  text
    .replace(/\r\n/g, "\n")
    .replace(unseen, (character) =>
      character === "\n" || character === "\t" ? character : escape(character),
    )
