import type { ChartTransition } from "../model/chart-model.js"
import { transitionWords, type TransitionPart } from "../text/transition-words.js"
import { flow, textOf, type Piece } from "../text/words.js"
import { fontSize, lineHeight, widthOf } from "./measure.js"

/** Room between the labels of two transitions on one arrow, and around all of them, in pixels. */
export const labelGap = 5
export const labelMargin = 3

export type LabelLine = ReadonlyArray<Piece<TransitionPart>>

/** A transition's label, ready to be written. */
export interface Label {
  readonly transition: ChartTransition
  readonly lines: ReadonlyArray<LabelLine>
}

/** The label of a transition on lines: its event, its guard, what it does. */
export const labelOf = (transition: ChartTransition, columns: number): Label => ({
  transition,
  lines: flow(transitionWords(transition, columns), columns),
})

/** The room that the labels of all transitions on one arrow take, one under the other. */
export const labelSize = (
  labels: ReadonlyArray<Label>,
): { readonly width: number; readonly height: number } => {
  const lines = labels.flatMap((label) => label.lines)
  return {
    width:
      Math.max(...lines.map((line) => widthOf(textOf(line), fontSize.label))) + 2 * labelMargin,
    height: lines.length * lineHeight.label + (labels.length - 1) * labelGap + 2 * labelMargin,
  }
}
