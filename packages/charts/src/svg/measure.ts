/** Sizes in pixels. The font is monospace, so that a text can be measured where there is no screen. */
export const fontSize = { title: 13, fact: 11, label: 11 } as const

export const lineHeight = { title: 18, fact: 15, label: 14 } as const

/** A character of any monospace font is 0.6 of its size wide; a little more is room. */
const perSize = 0.61

/** Characters of a text as columns of a monospace font. Wide characters count twice. */
export const columnsOf = (text: string): number => {
  let columns = 0
  for (const character of text) columns += (character.codePointAt(0) ?? 0) >= 0x1100 ? 2 : 1
  return columns
}

/** How wide a text is, in pixels. */
export const widthOf = (text: string, size: number): number =>
  Math.ceil(columnsOf(text) * size * perSize)

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
      for (let rest = word; rest !== ""; ) {
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
