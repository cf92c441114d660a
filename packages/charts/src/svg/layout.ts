import bundled from "elkjs/lib/elk.bundled.js"
import type { ELK, ElkNode } from "elkjs/lib/elk-api.js"
import { statesIn, type ChartModel, type ChartState } from "../model/chart-model.js"
import { elkGraph, headId, nodeId, padding, type Plan } from "./elk-graph.js"
import { overlap, piecesOf, type Point, type Rectangle } from "./geometry.js"
import { headOf, type Head } from "./head.js"
import type { Label } from "./label-lines.js"
import { waysOf } from "./ways.js"

/** The bundle is CommonJS whose default export is the class; its declarations say otherwise. */
const Elk = bundled as unknown as new () => ELK

/** It keeps nothing from one layout to the next, and takes as long to make as a layout does. */
const elk = new Elk()

/** A state that has found its place. */
export interface PlacedState {
  readonly state: ChartState
  readonly box: Rectangle
  readonly head: Head
  /** Where the head stands in the box. */
  readonly headPlace: Rectangle
}

/** An arrow that has found its way. */
export interface PlacedArrow {
  /** None for the arrow from a dot to the state in which a state begins. */
  readonly labels: ReadonlyArray<Label>
  readonly points: ReadonlyArray<Point>
  /** Where the labels stand, one under the other. */
  readonly place: Rectangle | undefined
}

/** A chart with a place for everything in it. */
export interface Layout {
  readonly chart: ChartModel
  readonly width: number
  readonly height: number
  /** In document order, so that a state comes before those inside it. */
  readonly states: ReadonlyArray<PlacedState>
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

const nodesIn = (node: ElkNode): ReadonlyArray<ElkNode> => [
  node,
  ...(node.children ?? []).flatMap(nodesIn),
]

/** The leftmost place for a head at which no line runs through it; the left end if there is none. */
const freePlace = (box: Rectangle, head: Head, lines: ReadonlyArray<Rectangle>): Rectangle => {
  const at = (x: number): Rectangle => ({
    x,
    y: box.y + padding,
    width: head.width,
    height: head.height,
  })
  const left = box.x + padding
  const right = box.x + box.width - padding - head.width
  return (
    [left, ...lines.map(({ x, width }) => x + width + 6)]
      .filter((x) => x >= left && x <= right)
      .toSorted((a, b) => a - b)
      .map(at)
      .find((place) => !lines.some((line) => overlap(line, place))) ?? at(left)
  )
}

/** Finds a place for everything in a chart. The same chart is always laid out the same way. */
export const layOut = async (chart: ChartModel, plan: Plan): Promise<Layout> => {
  const ways = waysOf(chart, plan.columns)
  const graph = await elk.layout(elkGraph(chart, ways, plan))
  const nodes = new Map(nodesIn(graph).map((node) => [node.id, node]))
  const byId = new Map(ways.map((way) => [way.id, way]))
  const arrows = (graph.edges ?? []).map(({ id, sections = [], labels = [] }) => ({
    labels: byId.get(id)?.labels ?? [],
    points: sections.flatMap(({ startPoint, bendPoints = [], endPoint }) => [
      startPoint,
      ...bendPoints,
      endPoint,
    ]),
    place: labels[0] && placeOf(labels[0]),
  }))
  const lines = arrows.flatMap(({ points }) => piecesOf(points))
  return {
    chart,
    width: Math.ceil(graph.width ?? 0),
    height: Math.ceil(graph.height ?? 0),
    states: statesIn(chart.root).map((state) => {
      const box = placeOf(nodes.get(nodeId(state.id)) ?? {})
      const head = headOf(chart, state)
      const ownPlace = nodes.get(headId(state.id))
      const headPlace = ownPlace === undefined ? freePlace(box, head, lines) : placeOf(ownPlace)
      return { state, box, head, headPlace }
    }),
    starts: [...nodes].flatMap(([id, node]) => (id.startsWith("i:") ? [placeOf(node)] : [])),
    arrows,
  }
}
