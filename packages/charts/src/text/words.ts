/** Characters of a text as columns of a monospace font. Wide characters count twice. */
export const columnsOf = (text: string): number => {
  let columns = 0
  for (const character of text) columns += (character.codePointAt(0) ?? 0) >= 0x1100 ? 2 : 1
  return columns
}

/** Where a long name may be cut: before a capital, after a mark. */
const joints = /(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=[._\-/:,)\]])/u

/** The beginning of a word that fits into so many columns, and the rest; never nothing. */
const cut = (word: string, columns: number): readonly [string, string] => {
  if (columnsOf(word) <= columns) return [word, ""]
  let taken = ""
  for (const part of word.split(joints)) {
    if (columnsOf(taken) + columnsOf(part) > columns) break
    taken += part
  }
  if (taken !== "") return [taken, word.slice(taken.length)]
  for (const character of word) {
    if (taken !== "" && columnsOf(taken) + columnsOf(character) > columns) break
    taken += character
  }
  return [taken, word.slice(taken.length)]
}

/** The words of a text; one that is wider than a line is cut, because a picture cannot be scrolled into. */
export const wordsOf = (text: string, columns: number): ReadonlyArray<string> =>
  text
    .split(/\s+/)
    .filter((word) => word !== "")
    .flatMap((word) => {
      const pieces: Array<string> = []
      for (let rest = word; rest !== "";) {
        const [piece, more] = cut(rest, columns)
        pieces.push(piece)
        rest = more
      }
      return pieces
    })

/** A text on lines of at most so many columns. */
export const wrap = (text: string, columns: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (const word of wordsOf(text, columns)) {
    const last = lines.at(-1)
    if (last === undefined || columnsOf(last) + 1 + columnsOf(word) > columns) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines
}

/** A piece of a line that is written in one way. */
export interface Piece<Part extends string> {
  readonly part: Part
  readonly text: string
}

/** A line as it reads. */
export const textOf = (line: ReadonlyArray<Piece<string>>): string =>
  line.map(({ text }) => text).join(" ")

/** Words on lines of at most so many columns; neighbours of one kind become one piece. */
export const flow = <Part extends string>(
  words: ReadonlyArray<Piece<Part>>,
  columns: number,
): ReadonlyArray<ReadonlyArray<Piece<Part>>> => {
  const lines: Array<Array<Piece<Part>>> = []
  for (const { part, text } of words) {
    const line = lines.at(-1)
    const before = line?.at(-1)
    if (line === undefined || columnsOf(textOf(line)) + 1 + columnsOf(text) > columns) {
      lines.push([{ part, text }])
    } else if (before?.part === part) {
      line[line.length - 1] = { part, text: `${before.text} ${text}` }
    } else line.push({ part, text })
  }
  return lines
}
