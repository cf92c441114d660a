import { widthOf } from "./width.js"

/** A word that is wider than the line is broken where the line ends. */
const broken = (word: string, width: number): ReadonlyArray<string> => {
  const pieces: Array<string> = [""]
  for (const character of word) {
    const last = pieces.at(-1) ?? ""
    if (last !== "" && widthOf(last) + widthOf(character) > width) pieces.push(character)
    else pieces[pieces.length - 1] = last + character
  }
  return pieces
}

/** Breaks a line between words into lines of a width; without a width it stays one. */
export const wrap = (text: string, width: number): ReadonlyArray<string> => {
  if (widthOf(text) <= width) return [text]
  const lines: Array<string> = [""]
  for (const word of text.split(" ")) {
    const last = lines.at(-1) ?? ""
    const together = last === "" ? word : `${last} ${word}`
    if (widthOf(together) <= width) lines[lines.length - 1] = together
    else if (last === "") lines.splice(-1, 1, ...broken(word, width))
    else lines.push(...broken(word, width))
  }
  return lines
}

/** Narrower than this, text is no longer read. */
const narrowest = 20

/**
 * Text beside its label, wrapped under itself; on a narrow terminal below the label.
 *
 * @param label already padded, or painted: `columns` says how wide it is
 */
export const beside = (
  label: string,
  columns: number,
  text: string,
  width: number,
): ReadonlyArray<string> => {
  const room = width - columns
  if (room >= narrowest) {
    const [first = "", ...more] = wrap(text, room)
    return [`${label}${first}`, ...more.map((line) => `${" ".repeat(columns)}${line}`)].map(
      (line) => line.trimEnd(),
    )
  }
  const indented = wrap(text, Math.max(8, width - 4)).map((line) => `    ${line}`)
  return [label.trimEnd(), ...indented]
}
