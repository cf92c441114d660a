import type { ChartModel } from "../model/chart-model.js"
import type { Direction, Plan } from "./elk-graph.js"
import { layOut, type Layout } from "./layout.js"
import { countOverlaps } from "./overlaps.js"

/** The width of a page that a picture should fit into, in pixels. */
const page = 1280

interface Try {
  readonly direction: Direction
  readonly layout: Layout
  readonly overlaps: number
  readonly cost: number
}

/**
 * Pixels of a picture. One that is wider than the page costs more, because it is shown smaller or scrolled
 * sideways, and so does one against the order in which its author wrote the states.
 */
const costOf = ({ width, height }: Layout, { order }: Plan): number =>
  width * height * Math.max(1, width / page) ** 3 * (order === "document" ? 1 : 1.15)

const tried = async (chart: ChartModel, plan: Plan): Promise<Try> => {
  const layout = await layOut(chart, plan)
  const overlaps = countOverlaps(layout)
  return { direction: plan.direction, layout, overlaps, cost: costOf(layout, plan) }
}

/** The first of those that are as good as any: in which the least overlaps, then that of the least cost. */
const bestOf = (tries: ReadonlyArray<Try>): Try =>
  tries.reduce((best, one) => {
    const fewer = best.overlaps - one.overlaps
    return fewer > 0 || (fewer === 0 && one.cost < best.cost) ? one : best
  })

/** How much more than another direction one may cost at first and still be tried further. */
const hopeless = 1.5

/** The directions that may still win: nothing that is done in one of them makes up for half as much again. */
const hopeful = (tries: ReadonlyArray<Try>): ReadonlyArray<Direction> => {
  const { overlaps, cost } = bestOf(tries)
  return tries
    .filter((one) => one.overlaps <= overlaps && one.cost <= cost * hopeless)
    .map(({ direction }) => direction)
}

const isGood = ({ overlaps, layout }: Try): boolean => overlaps === 0 && layout.width <= page

/** Two places for the labels of long arrows, and how wide those are. */
const rounds = [
  { labels: ["MEDIAN_LAYER", "SPACE_EFFICIENT_LAYER"], columns: 18 },
  { labels: ["HEAD_LAYER", "MEDIAN_LAYER"], columns: 28 },
] as const

/**
 * Lays a chart out in several ways and takes the smallest in which nothing overlaps. What makes one chart
 * small makes the next one large, and nobody can tell before; but a direction that begins badly is left, and
 * the order of the document is where it gives a picture that fits.
 */
export const bestLayout = async (
  chart: ChartModel,
  direction: Direction | undefined,
): Promise<Layout> => {
  const directions = direction === undefined ? (["DOWN", "RIGHT"] as const) : [direction]
  const all: Array<Try> = []
  for (const {
    labels: [labels, otherLabels],
    columns,
  } of rounds) {
    const round: Array<Try> = []
    const tryAll = async (towards: ReadonlyArray<Direction>, plan: Omit<Plan, "direction">) => {
      for (const one of towards) round.push(await tried(chart, { ...plan, direction: one }))
    }
    await tryAll(directions, { order: "document", labels, columns })
    const left = hopeful(round)
    await tryAll(left, { order: "document", labels: otherLabels, columns })
    if (!isGood(bestOf(round))) {
      for (const where of [labels, otherLabels])
        await tryAll(left, { order: "breadth", labels: where, columns })
    }
    all.push(...round)
    if (bestOf(all).overlaps === 0) break
  }
  return bestOf(all).layout
}
