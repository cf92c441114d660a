import bundled from "elkjs/lib/elk.bundled.js"
import type { ELK, ElkExtendedEdge, ElkNode } from "elkjs/lib/elk-api.js"
import {
  statesIn,
  type ChartModel,
  type ChartState,
  type ChartTransition,
} from "../model/chart-model.js"
import { elkGraph, nodeId } from "./elk-graph.js"

/** The bundle is CommonJS whose default export is the class; its declarations say otherwise. */
const Elk = bundled as unknown as new () => ELK

/** A rectangle, in pixels from the upper left corner. */
export interface Rectangle {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface Point {
  readonly x: number
  readonly y: number
}

/** An arrow that has found its way. */
export interface PlacedArrow {
  /** Absent for the arrow from a dot to the state in which a state begins. */
  readonly transition: ChartTransition | undefined
  readonly points: ReadonlyArray<Point>
  /** Where its label stands. */
  readonly label: Rectangle | undefined
}

/** A chart with a place for everything in it. */
export interface Layout {
  readonly chart: ChartModel
  readonly width: number
  readonly height: number
  /** The box of every state; in document order, so that a state comes before those inside it. */
  readonly boxes: ReadonlyArray<{ readonly state: ChartState; readonly box: Rectangle }>
  /** The dots where states begin. */
  readonly starts: ReadonlyArray<Rectangle>
  readonly arrows: ReadonlyArray<PlacedArrow>
}

const placeOf = ({ x = 0, y = 0, width = 0, height = 0 }: Partial<Rectangle>): Rectangle => ({
  x,
  y,
  width,
  height,
})

const edgesOf = ({ edges }: ElkNode): ReadonlyArray<ElkExtendedEdge> => edges ?? []

const nodesIn = (node: ElkNode): ReadonlyArray<ElkNode> => [
  node,
  ...(node.children ?? []).flatMap(nodesIn),
]

/** Finds a place for everything in a chart. The same chart is always laid out the same way. */
export const layOut = async (
  chart: ChartModel,
  { direction = "DOWN" }: { readonly direction?: "DOWN" | "RIGHT" } = {},
): Promise<Layout> => {
  const graph = await new Elk().layout(elkGraph(chart, direction))
  const nodes = new Map(nodesIn(graph).map((node) => [node.id, node]))
  const transitions = new Map(chart.transitions.map((transition) => [transition.id, transition]))
  return {
    chart,
    width: Math.ceil(graph.width ?? 0),
    height: Math.ceil(graph.height ?? 0),
    boxes: statesIn(chart.root).flatMap((state) => {
      const node = nodes.get(nodeId(state.id))
      return node === undefined ? [] : [{ state, box: placeOf(node) }]
    }),
    starts: [...nodes].flatMap(([id, node]) => (id.startsWith("i:") ? [placeOf(node)] : [])),
    arrows: edgesOf(graph).map(({ id, sections = [], labels = [] }) => ({
      transition: transitions.get(id.split(" ")[0] ?? ""),
      points: sections.flatMap(({ startPoint, bendPoints = [], endPoint }) => [
        startPoint,
        ...bendPoints,
        endPoint,
      ]),
      label: labels[0] && placeOf(labels[0]),
    })),
  }
}
