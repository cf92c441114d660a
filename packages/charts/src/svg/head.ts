import { factsOf, titleOf, type ChartModel, type ChartState } from "../model/chart-model.js"
import { wrap } from "../text/words.js"
import { fontSize, lineHeight, widthOf } from "./measure.js"

/** Columns of a line, in a box with states inside and in one without: arrows come through the former. */
const columns = { composite: 20, atomic: 36 } as const

/** Title and facts of a state on lines, and the room they take in pixels. */
export interface Head {
  readonly titles: ReadonlyArray<string>
  readonly facts: ReadonlyArray<string>
  readonly width: number
  readonly height: number
}

/** What is written in a state's own box. */
export const headOf = (chart: ChartModel, state: ChartState): Head => {
  const most =
    state.children.length > 0 && state !== chart.root ? columns.composite : columns.atomic
  const titles = wrap(titleOf(state), most)
  const facts = factsOf(state, chart.transitions).flatMap((fact) => wrap(fact, most))
  return {
    titles,
    facts,
    width: Math.max(
      ...titles.map((line) => widthOf(line, fontSize.title)),
      ...facts.map((line) => widthOf(line, fontSize.fact)),
    ),
    height: titles.length * lineHeight.title + facts.length * lineHeight.fact - 4,
  }
}
