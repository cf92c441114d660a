import { columnsOf } from "../text/words.js"

/** Sizes in pixels. The font is monospace, so that a text can be measured where there is no screen. */
export const fontSize = { title: 13, fact: 11, label: 11 } as const

export const lineHeight = { title: 18, fact: 15, label: 14 } as const

/** A character of any monospace font is 0.6 of its size wide; a little more is room. */
const perSize = 0.61

/** How wide a text is, in pixels. */
export const widthOf = (text: string, size: number): number =>
  Math.ceil(columnsOf(text) * size * perSize)
