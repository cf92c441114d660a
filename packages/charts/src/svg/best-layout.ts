import type { ChartModel } from "../model/chart-model.js"
import type { Direction, Plan } from "./elk-graph.js"
import { layOut, type Layout } from "./layout.js"
import { countOverlaps } from "./overlaps.js"

/** The width of a page that a picture should fit into, in pixels. */
const page = 1280

const plans = (
  directions: ReadonlyArray<Direction>,
  labels: ReadonlyArray<Plan["labels"]>,
  columns: number,
): ReadonlyArray<Plan> =>
  directions.flatMap((direction) =>
    (["document", "breadth"] as const).flatMap((order) =>
      labels.map((where) => ({ direction, order, labels: where, columns })),
    ),
  )

/**
 * Pixels of a picture. One that is wider than the page costs more, because it is shown smaller or scrolled
 * sideways, and so does one against the order in which its author wrote the states.
 */
const costOf = ({ width, height }: Layout, { order }: Plan): number =>
  width * height * Math.max(1, width / page) ** 3 * (order === "document" ? 1 : 1.15)

/**
 * Lays a chart out in several ways and takes the smallest in which nothing overlaps. What makes one chart
 * small makes the next one large, and nobody can tell before.
 */
export const bestLayout = async (
  chart: ChartModel,
  direction: Direction | undefined,
): Promise<Layout> => {
  const directions = direction === undefined ? (["DOWN", "RIGHT"] as const) : [direction]
  const rounds = [
    plans(directions, ["MEDIAN_LAYER", "SPACE_EFFICIENT_LAYER"], 18),
    plans(directions, ["HEAD_LAYER", "MEDIAN_LAYER"], 28),
  ]
  let best:
    | { readonly layout: Layout; readonly overlaps: number; readonly cost: number }
    | undefined
  for (const round of rounds) {
    for (const plan of round) {
      const layout = await layOut(chart, plan)
      const overlaps = countOverlaps(layout)
      const cost = costOf(layout, plan)
      const isBetter =
        best === undefined ||
        overlaps < best.overlaps ||
        (overlaps === best.overlaps && cost < best.cost)
      if (isBetter) best = { layout, overlaps, cost }
    }
    if (best?.overlaps === 0) break
  }
  if (best === undefined) throw new Error("There is no plan to lay a chart out.")
  return best.layout
}
