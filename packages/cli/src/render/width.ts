const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" })

/** Scripts and symbols that terminals draw two columns wide. */
const wide =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]|\ufe0f|\p{Emoji_Presentation}/u

const widthOfGrapheme = (grapheme: string): number => {
  if (/^\p{M}+$/u.test(grapheme)) return 0
  return wide.test(grapheme) ? 2 : 1
}

/** How many columns a line takes on a terminal. */
export const widthOf = (line: string): number => {
  let width = 0
  for (const { segment } of graphemes.segment(line)) width += widthOfGrapheme(segment)
  return width
}

/** Cuts a line to a number of columns; what was cut is replaced by `…`. */
export const cut = (line: string, columns: number): string => {
  if (line.length <= columns && /^[\x20-\x7e]*$/.test(line)) return line
  if (widthOf(line) <= columns) return line
  let kept = ""
  let width = 0
  for (const { segment } of graphemes.segment(line)) {
    width += widthOfGrapheme(segment)
    if (width > columns - 1) break
    kept += segment
  }
  return columns < 1 ? "" : `${kept}…`
}

/** Fills a line up with spaces. */
export const pad = (line: string, columns: number): string =>
  line + " ".repeat(Math.max(0, columns - widthOf(line)))
