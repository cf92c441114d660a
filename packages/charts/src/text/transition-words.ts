import type { ChartTransition } from "../model/chart-model.js"
import { wordsOf, type Piece } from "./words.js"

export type TransitionPart = "event" | "guard" | "action"

/** The words of a text, each as one part of a line. */
export const spoken = <Part extends string>(
  part: Part,
  words: ReadonlyArray<string>,
): ReadonlyArray<Piece<Part>> => words.map((text) => ({ part, text }))

/** The slash before the actions stays with the first of them. */
const withSlash = ([first, ...rest]: ReadonlyArray<string>): ReadonlyArray<string> =>
  first === undefined ? [] : [`/ ${first}`, ...rest]

/** The words of a transition, in the order of UML: `event [guard] / action, action`. */
export const transitionWords = (
  { event, guard, actions }: ChartTransition,
  columns: number,
): ReadonlyArray<Piece<TransitionPart>> => [
  ...spoken("event", wordsOf(event, columns)),
  ...spoken("guard", guard === undefined ? [] : wordsOf(`[${guard}]`, columns)),
  ...spoken("action", withSlash(wordsOf(actions.join(", "), columns))),
]
