import type { ElkExtendedEdge, ElkNode } from "elkjs/lib/elk-api.js"
import { factsOf, titleOf, type ChartModel, type ChartState } from "../model/chart-model.js"
import { labelLines, wrap } from "./label-lines.js"
import { fontSize, lineHeight, widthOf } from "./measure.js"

/** Room inside a box, in pixels. */
export const padding = 12

/** Characters of a line of facts. */
const factColumns = 34

/** The id of a node of the graph: of a state, of the dot where a state begins. */
export const nodeId = (state: string): string => `s:${state}`
const startId = (state: string): string => `i:${state}`

/** The lines that stand in a state's box under its title. */
export const factLines = (chart: ChartModel, state: ChartState): ReadonlyArray<string> =>
  factsOf(state, chart.transitions).flatMap((fact) => wrap(fact, factColumns))

const headOf = (chart: ChartModel, state: ChartState) => {
  const facts = factLines(chart, state)
  const width = Math.max(
    widthOf(titleOf(state), fontSize.title),
    ...facts.map((fact) => widthOf(fact, fontSize.fact)),
  )
  return {
    width: width + 2 * padding,
    height: padding + lineHeight.title + facts.length * lineHeight.fact + padding / 2,
  }
}

const nodeOf = (chart: ChartModel, state: ChartState): ElkNode => {
  const { width, height } = headOf(chart, state)
  const id = nodeId(state.id)
  if (state.children.length === 0) return { id, width, height }
  const dot = { id: startId(state.id), width: 12, height: 12 }
  return {
    id,
    children: [
      ...(state.kind === "compound" && state.initial.length > 0 ? [dot] : []),
      ...state.children.map((child) => nodeOf(chart, child)),
    ],
    layoutOptions: {
      "elk.padding": `[top=${height + 8},left=${padding + 4},bottom=${padding + 4},right=${padding + 4}]`,
      "elk.nodeSize.constraints": "MINIMUM_SIZE",
      "elk.nodeSize.minimum": `(${width},${height})`,
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
export const elkGraph = (chart: ChartModel, direction: "DOWN" | "RIGHT"): ElkNode => ({
  id: "chart",
  children: [nodeOf(chart, chart.root)],
  edges: [
    ...startsOf(chart.root),
    ...chart.transitions.flatMap((transition) =>
      transition.targets.map((target, index) => {
        const lines = labelLines(transition)
        return {
          id: `${transition.id} ${index}`,
          sources: [nodeId(transition.source)],
          targets: [nodeId(target)],
          labels: [
            {
              text: transition.id,
              width: Math.max(...lines.map(({ text }) => widthOf(text, fontSize.label))) + 6,
              height: lines.length * lineHeight.label + 4,
            },
          ],
        }
      }),
    ),
  ],
  layoutOptions: {
    "elk.algorithm": "layered",
    "elk.direction": direction,
    "elk.hierarchyHandling": "INCLUDE_CHILDREN",
    "elk.edgeRouting": "ORTHOGONAL",
    "elk.layered.spacing.nodeNodeBetweenLayers": "32",
    "elk.layered.spacing.edgeNodeBetweenLayers": "16",
    "elk.layered.spacing.edgeEdgeBetweenLayers": "12",
    "elk.spacing.nodeNode": "28",
    "elk.spacing.edgeNode": "16",
    "elk.spacing.edgeEdge": "12",
    "elk.spacing.edgeLabel": "4",
    "elk.spacing.labelLabel": "4",
    "elk.layered.nodePlacement.strategy": "NETWORK_SIMPLEX",
    "elk.layered.edgeLabels.sideSelection": "SMART_DOWN",
    "elk.json.edgeCoords": "ROOT",
    "elk.json.shapeCoords": "ROOT",
  },
})
