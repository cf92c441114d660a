import type { ChartModel, ChartTransition } from "../model/chart-model.js"
import { labelOf, type Label } from "./label-lines.js"

/** All transitions that lead from one state to one other: they share an arrow. */
export interface Way {
  readonly id: string
  readonly source: string
  readonly target: string
  /** In document order, which is the order in which they are tried. */
  readonly labels: ReadonlyArray<Label>
}

/** The arrows of a chart. Without them a state that judges draws a dozen lines to the same end. */
export const waysOf = ({ transitions }: ChartModel, columns: number): ReadonlyArray<Way> => {
  const pairs = new Map<string, { source: string; target: string; all: Array<ChartTransition> }>()
  for (const transition of transitions) {
    for (const target of new Set(transition.targets)) {
      const key = JSON.stringify([transition.source, target])
      const pair = pairs.get(key) ?? { source: transition.source, target, all: [] }
      pair.all.push(transition)
      pairs.set(key, pair)
    }
  }
  return [...pairs.values()].map(({ source, target, all }, index) => ({
    id: `way ${index}`,
    source,
    target,
    labels: all.map((transition) => labelOf(transition, columns)),
  }))
}
