import { contains, overlap, piecesOf } from "./geometry.js"
import type { Layout } from "./layout.js"

const count = <A, B>(
  as: ReadonlyArray<A>,
  bs: ReadonlyArray<B>,
  isBad: (a: A, b: B) => boolean,
): number => as.reduce((sum, a) => sum + bs.filter((b) => isBad(a, b)).length, 0)

/**
 * How often something stands where something else is to be read: labels on labels, on heads or on the edges
 * of boxes, lines through labels or heads, heads that do not fit into their boxes. None is what is wanted.
 */
export const countOverlaps = ({ states, arrows, width, height }: Layout): number => {
  const labels = arrows.flatMap(({ place }) => (place === undefined ? [] : [place]))
  const lines = arrows.flatMap(({ points }) => piecesOf(points))
  const heads = states.map(({ headPlace }) => headPlace)
  const boxes = states.map(({ box }) => box)
  const picture = { x: 0, y: 0, width, height }
  return (
    count(labels, labels, (a, b) => a !== b && overlap(a, b)) +
    count(labels, boxes, (label, box) => overlap(label, box) && !contains(box, label)) +
    count(labels, heads, overlap) +
    count(lines, labels, overlap) +
    count(lines, heads, overlap) +
    count([...labels, ...lines], [picture], (inner, outer) => !contains(outer, inner)) +
    states.filter(({ box, headPlace }) => !contains(box, headPlace)).length
  )
}
