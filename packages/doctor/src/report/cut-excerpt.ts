import type { Evidence } from "../diagnosis.js"

/** How many columns a text takes where it is shown. */
export type Measure = (text: string) => number

/** Where every character is as wide as the others. */
export const countCharacters: Measure = (text) => [...text].length

/** An excerpt in three parts, cut so that the part that differs is seen. */
export interface CutExcerpt {
  readonly before: string
  readonly marked: string
  readonly after: string
}

/** Of the room, what may stand before the marked part although it costs the end of it. */
const leadShare = 0.35

/** Cuts an excerpt to a number of columns: its end gives way first, then its beginning, then the end of what is marked. */
export const cutExcerpt = (
  { excerpt, marked = "" }: Pick<Evidence, "excerpt" | "marked">,
  room: number,
  measure: Measure = countCharacters,
): CutExcerpt => {
  const place = marked === "" ? -1 : excerpt.indexOf(marked)
  if (place < 0) return { before: cutEnd(excerpt, room, measure), marked: "", after: "" }
  const rest = excerpt.slice(place + marked.length)
  const needed = measure(marked) + measure(rest)
  const lead = Math.max(Math.floor(room * leadShare), room - needed)
  const before = cutStart(excerpt.slice(0, place), lead, measure)
  const shown = cutEnd(marked, Math.max(1, room - measure(before)), measure)
  if (shown !== marked) return { before, marked: shown, after: "" }
  return {
    before,
    marked,
    after: cutEnd(rest, room - measure(before) - measure(marked), measure),
  }
}

/** As many characters as there is room for. */
const fitting = (characters: ReadonlyArray<string>, room: number, measure: Measure): number => {
  let width = 0
  const end = characters.findIndex((character) => (width += measure(character)) > room)
  return end < 0 ? characters.length : end
}

/** Cuts the end of a text off, with a sign that it was. */
export const cutEnd = (text: string, room: number, measure: Measure = countCharacters): string => {
  const characters = [...text]
  if (fitting(characters, room, measure) === characters.length) return text
  return room < 1 ? "" : `${characters.slice(0, fitting(characters, room - 1, measure)).join("")}…`
}

const cutStart = (text: string, room: number, measure: Measure): string => {
  const characters = [...text].toReversed()
  if (fitting(characters, room, measure) === characters.length) return text
  const kept = characters.slice(0, fitting(characters, room - 1, measure))
  return room < 1 ? "" : `…${kept.toReversed().join("")}`
}
