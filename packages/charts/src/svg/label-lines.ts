import type { ChartTransition } from "../model/chart-model.js"
import { columnsOf, fontSize, lineHeight, widthOf, wordsOf } from "./measure.js"

/** Room between the labels of two transitions on one arrow, and around all of them, in pixels. */
export const labelGap = 5
export const labelMargin = 3

/** A piece of a label that is written in one colour. */
export interface LabelPart {
  readonly part: "event" | "guard" | "action"
  readonly text: string
}

export type LabelLine = ReadonlyArray<LabelPart>

/** A line as it reads. */
export const textOfLine = (line: LabelLine): string => line.map(({ text }) => text).join(" ")

/** The label of a transition on lines: its event, its guard, what it does. */
export const labelLines = (
  { event, guard, actions }: ChartTransition,
  columns: number,
): ReadonlyArray<LabelLine> => {
  const parts: ReadonlyArray<LabelPart> = [
    { part: "event", text: event },
    ...(guard === undefined ? [] : [{ part: "guard" as const, text: `[${guard}]` }]),
    ...(actions.length === 0
      ? []
      : [{ part: "action" as const, text: `/ ${actions.join(", ").replace(/^\/ /, "")}` }]),
  ]
  const lines: Array<Array<LabelPart>> = []
  for (const { part, text } of parts) {
    for (const word of wordsOf(text, columns)) {
      const line = lines.at(-1)
      const before = line?.at(-1)
      if (line === undefined || columnsOf(textOfLine(line)) + 1 + columnsOf(word) > columns) {
        lines.push([{ part, text: word }])
      } else if (before?.part === part) {
        line[line.length - 1] = { part, text: `${before.text} ${word}` }
      } else line.push({ part, text: word })
    }
  }
  return lines
}

/** A transition's label, ready to be written. */
export interface Label {
  readonly transition: ChartTransition
  readonly lines: ReadonlyArray<LabelLine>
}

/** The room that the labels of all transitions on one arrow take, one under the other. */
export const labelSize = (
  labels: ReadonlyArray<Label>,
): { readonly width: number; readonly height: number } => {
  const lines = labels.flatMap((label) => label.lines)
  return {
    width:
      Math.max(...lines.map((line) => widthOf(textOfLine(line), fontSize.label))) + 2 * labelMargin,
    height: lines.length * lineHeight.label + (labels.length - 1) * labelGap + 2 * labelMargin,
  }
}
