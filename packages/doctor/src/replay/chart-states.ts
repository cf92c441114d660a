import { charts } from "@entente/session"
import type { TransitionEvent } from "@entente/trace"

/**
 * The state of every chart that runs, by the chart's name. Of a chart that runs several times at once, one for
 * each list for example, the first has the plain name and the next ones a number: `listing`, `listing 2`.
 */
export type ChartStates = Readonly<Record<string, string>>

/** The states in which a chart is over, by the chart's name. */
const finals: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(charts).map(([name, { root }]) => {
    const ends = Object.values(root.states).filter(({ type }) => type === "final")
    return [name, new Set(ends.map(({ key }) => key))] as const
  }),
)

interface Running {
  readonly label: string
  readonly chart: string
  state: string
}

/** Charts in one trace: more are no connection any more, and are not followed. */
const mostCharts = 1_000

/**
 * Follows the charts through the transitions of a trace. An event does not say which of several equal charts it
 * belongs to; the one that was in the state it leaves is taken, the oldest first.
 */
export class StateBook {
  readonly #running: Array<Running> = []

  take({ chart, from, to }: TransitionEvent): void {
    const same = this.#running.filter((one) => one.chart === chart)
    // One that is over gives its place to the next: a renewed session negotiates again.
    const isFree = ({ state }: Running): boolean => finals.get(chart)?.has(state) === true
    const found = from === "start" ? same.find(isFree) : same.find(({ state }) => state === from)
    if (found !== undefined) found.state = to
    else if (this.#running.length < mostCharts) {
      const label = same.length === 0 ? chart : `${chart} ${same.length + 1}`
      this.#running.push({ label, chart, state: to })
    }
  }

  get states(): ChartStates {
    return Object.fromEntries(this.#running.map(({ label, state }) => [label, state]))
  }
}
