import type { ChartTransition } from "../model/chart-model.js"

/** Characters of a line of a label. */
const columns = 26

/** Words on lines; a word that is too long stands alone. */
export const wrap = (text: string, width = columns): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (const word of text.split(/\s+/).filter((one) => one !== "")) {
    const last = lines.at(-1)
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines
}

/** One line of a transition's label, and what it is. */
export interface LabelLine {
  readonly part: "event" | "guard" | "action"
  readonly text: string
}

/** A transition's label on lines: the event, its guard, what it does. */
export const labelLines = ({
  event,
  guard,
  actions,
}: ChartTransition): ReadonlyArray<LabelLine> => [
  ...wrap(event).map((text) => ({ part: "event" as const, text })),
  ...(guard === undefined ? [] : wrap(`[${guard}]`)).map((text) => ({
    part: "guard" as const,
    text,
  })),
  ...(actions.length === 0 ? [] : wrap(`/ ${actions.join(", ")}`)).map((text) => ({
    part: "action" as const,
    text,
  })),
]
