import type { ElkExtendedEdge, ElkNode } from "elkjs/lib/elk-api.js"
import { statesIn, type ChartModel, type ChartState } from "../model/chart-model.js"
import { headOf } from "./head.js"
import { labelSize } from "./label-lines.js"
import type { Way } from "./ways.js"

/** Room inside a box, in pixels. */
export const padding = 12

/** Where a chart grows to. */
export type Direction = "DOWN" | "RIGHT"

/** One way to lay a chart out. */
export interface Plan {
  readonly direction: Direction
  /** Which transitions lead back: those against the order of the document, or those against the way from the start. */
  readonly order: "document" | "breadth"
  /** Between which states a label of a long arrow stands. */
  readonly labels: "MEDIAN_LAYER" | "SPACE_EFFICIENT_LAYER" | "HEAD_LAYER"
  /** Columns of a line of a label. */
  readonly columns: number
}

/** The id of a node of the graph: of a state, of the dot where a state begins. */
export const nodeId = (state: string): string => `s:${state}`
export const startId = (state: string): string => `i:${state}`
export const headId = (state: string): string => `h:${state}`

/** What is said of every box again: elk inherits nothing. */
const inEveryBox = ({ direction, order, labels }: Plan) => ({
  "elk.direction": direction,
  "elk.edgeRouting": "ORTHOGONAL",
  "elk.layered.nodePlacement.strategy": "NETWORK_SIMPLEX",
  "elk.layered.cycleBreaking.strategy": order === "document" ? "GREEDY" : "BFS_NODE_ORDER",
  "elk.layered.edgeLabels.centerLabelPlacementStrategy": labels,
  "elk.layered.edgeLabels.sideSelection": "ALWAYS_UP",
  "elk.layered.spacing.nodeNodeBetweenLayers": "24",
  "elk.layered.spacing.edgeNodeBetweenLayers": "14",
  "elk.layered.spacing.edgeEdgeBetweenLayers": "10",
  "elk.spacing.nodeNode": "24",
  "elk.spacing.edgeNode": "14",
  "elk.spacing.edgeEdge": "10",
  "elk.spacing.edgeLabel": "3",
  "elk.spacing.labelLabel": "4",
})

/** Whether arrows lead into a box from outside, to a state inside it. */
const isEntered = ({ transitions }: ChartModel, { id }: ChartState): boolean => {
  const isInside = (state: string): boolean => state.startsWith(`${id}.`)
  return transitions.some(
    ({ source, targets }) => source !== id && !isInside(source) && targets.some(isInside),
  )
}

const first = { "elk.layered.layering.layerConstraint": "FIRST" }

const nodeOf = (chart: ChartModel, state: ChartState, plan: Plan): ElkNode => {
  const head = headOf(chart, state)
  const width = head.width + 2 * padding
  const height = head.height + 2 * padding
  const id = nodeId(state.id)
  if (state.children.length === 0) return { id, width, height }
  const dot = { id: startId(state.id), width: 12, height: 12, layoutOptions: first }
  // Arrows from above would run through a head that elk does not know as something to go around.
  const standsInTheWay =
    plan.direction === "DOWN" && state.kind === "compound" && isEntered(chart, state)
  const side = padding + 4
  return {
    id,
    children: [
      ...(standsInTheWay
        ? [{ id: headId(state.id), width: head.width, height: head.height, layoutOptions: first }]
        : []),
      ...(state.kind === "compound" && state.initial.length > 0 ? [dot] : []),
      ...state.children.map((child) => nodeOf(chart, child, plan)),
    ],
    layoutOptions: {
      ...inEveryBox(plan),
      "elk.padding": `[top=${standsInTheWay ? padding : height},left=${side},bottom=${side},right=${side}]`,
      "elk.nodeSize.constraints": "MINIMUM_SIZE",
      // elk lays a chart that grows down on its side to work on it, and forgets to turn this one.
      "elk.nodeSize.minimum":
        plan.direction === "DOWN" ? `(${height},${width})` : `(${width},${height})`,
    },
  }
}

const startsOf = (state: ChartState): ReadonlyArray<ElkExtendedEdge> => [
  ...(state.kind === "compound"
    ? state.initial.map((target) => ({
        id: `start ${state.id} ${target}`,
        sources: [startId(state.id)],
        targets: [nodeId(target)],
      }))
    : []),
  ...state.children.flatMap(startsOf),
]

/** A chart as a graph to be laid out, by ids that lead back to it. */
export const elkGraph = (chart: ChartModel, ways: ReadonlyArray<Way>, plan: Plan): ElkNode => {
  const places = new Map(statesIn(chart.root).map(({ id }, index) => [id, index]))
  const leadsOn = ({ source, target }: Way): boolean =>
    (places.get(target) ?? 0) > (places.get(source) ?? 0)
  return {
    id: "chart",
    children: [nodeOf(chart, chart.root, plan)],
    edges: [
      ...startsOf(chart.root),
      ...ways.map((way) => ({
        id: way.id,
        sources: [nodeId(way.source)],
        targets: [nodeId(way.target)],
        labels: [{ text: way.id, ...labelSize(way.labels) }],
        layoutOptions: { "elk.layered.priority.direction": leadsOn(way) ? "10" : "0" },
      })),
    ],
    layoutOptions: {
      ...inEveryBox(plan),
      "elk.algorithm": "layered",
      "elk.hierarchyHandling": "INCLUDE_CHILDREN",
      "elk.json.edgeCoords": "ROOT",
      "elk.json.shapeCoords": "ROOT",
      "elk.padding": "[top=12,left=12,bottom=12,right=12]",
    },
  }
}
