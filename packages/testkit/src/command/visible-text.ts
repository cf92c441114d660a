/** What a terminal would obey or nobody can see: controls, separators, invisible formatting, lone surrogates. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Cn}]/gu

const written = (character: string): string =>
  JSON.stringify(character).slice(1, -1) === character
    ? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
    : JSON.stringify(character).slice(1, -1)

/**
 * Text from a client, on one line, safe to show and of bounded length.
 *
 * @example
 * visibleText("a\u001b[2Jb") // "a\\u001b[2Jb"
 */
export const visibleText = (text: string, length = 300): string => {
  const shown = text.slice(0, length).replace(unseen, written)
  return text.length > length ? `${shown}… (${text.length} characters)` : shown
}
