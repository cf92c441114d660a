import type { ChartState } from "../model/chart-model.js"
import type { Point, Rectangle } from "./geometry.js"
import { labelGap, labelMargin, type Label } from "./label-lines.js"
import type { Layout, PlacedArrow, PlacedState } from "./layout.js"
import { lineHeight } from "./measure.js"
import { styleSheet, type Theme } from "./theme.js"

/** Radius of the corners of boxes and bends, in pixels. */
const corner = { box: 8, bend: 5 } as const

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
}

/** Text as it may stand in XML; what may not stand there at all is left out. */
export const xmlText = (text: string): string =>
  text
    // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "")
    .replaceAll(/[&<>"]/g, (character) => escapes[character] ?? "")

const number = (value: number): string => String(Math.round(value * 10) / 10)

const rectangle = ({ x, y, width, height }: Rectangle, radius: number): string =>
  `<rect class="box" x="${number(x)}" y="${number(y)}" width="${number(width)}" height="${number(height)}" rx="${radius}"/>`

const shrunk = ({ x, y, width, height }: Rectangle): Rectangle => ({
  x: x + 4,
  y: y + 4,
  width: width - 8,
  height: height - 8,
})

const text = (name: string, x: number, y: number, said: string): string =>
  `<text class="${name}" x="${number(x)}" y="${number(y)}">${xmlText(said)}</text>`

/** A point on the way from one point to another, at a distance from the first. */
const toward = (from: Point, to: Point, distance: number): Point => {
  const length = Math.hypot(to.x - from.x, to.y - from.y)
  const share = length === 0 ? 0 : Math.min(distance, length / 2) / length
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share }
}

const at = ({ x, y }: Point): string => `${number(x)} ${number(y)}`

/** A line through all points, with round bends. */
const pathOf = (points: ReadonlyArray<Point>): string => {
  const [first, ...rest] = points
  if (first === undefined) return ""
  const bends = rest.map((point, index) => {
    const next = rest[index + 1]
    if (next === undefined) return `L${at(point)}`
    const before = points[index] ?? point
    return `L${at(toward(point, before, corner.bend))}Q${at(point)} ${at(toward(point, next, corner.bend))}`
  })
  return `M${at(first)}${bends.join("")}`
}

/** One transition's lines, each a text with a span for every colour. */
const labelText = ({ transition, lines }: Label, x: number, top: number): string => {
  const texts = lines.map((line, index) => {
    const spans = line.map(
      ({ part, text: said }, place) =>
        `<tspan class="${part}">${xmlText(place === line.length - 1 ? said : `${said} `)}</tspan>`,
    )
    const y = top + (index + 1) * lineHeight.label - 4
    return `<text xml:space="preserve" x="${number(x)}" y="${number(y)}">${spans.join("")}</text>`
  })
  const { id, description } = transition
  const title = description === undefined ? "" : `<title>${xmlText(description)}</title>`
  return `<g class="transition" data-transition="${id}">${title}${texts.join("")}</g>`
}

const arrow = ({ points, labels, place }: PlacedArrow, head: string): string => {
  const line = `<path class="arrow" d="${pathOf(points)}" marker-end="url(#${head})"/>`
  if (place === undefined) return line
  let top = place.y + labelMargin
  const texts = labels.map((label) => {
    const drawn = labelText(label, place.x + labelMargin, top)
    top += label.lines.length * lineHeight.label + labelGap
    return drawn
  })
  const ids = labels.map(({ transition }) => transition.id).join(" ")
  return `<g class="way" data-transitions="${ids}">${line}${texts.join("")}</g>`
}

export interface DrawOptions {
  /** Default: `auto`. */
  readonly theme?: Theme
  /** The ids of the states that are active, to be lit. */
  readonly active?: ReadonlySet<string>
}

/** A state: its box, and its head as it is written into it. */
const stateOf = (
  { state, box, head, headPlace }: PlacedState,
  classes: ReadonlyArray<string>,
): string => {
  const { x, y } = headPlace
  const under = y + head.titles.length * lineHeight.title
  return [
    `<g class="${classes.join(" ")}" data-state="${xmlText(state.id)}">`,
    ...(state.description === undefined ? [] : [`<title>${xmlText(state.description)}</title>`]),
    rectangle(box, state.kind === "history" ? box.height / 2 : corner.box),
    ...(state.kind === "final" ? [rectangle(shrunk(box), corner.box - 3)] : []),
    ...head.titles.map((line, index) => text("title", x, y + index * lineHeight.title + 11, line)),
    ...head.facts.map((line, index) => text("fact", x, under + index * lineHeight.fact + 10, line)),
    "</g>",
  ].join("")
}

/** Draws a chart that has been laid out, as a picture that stands alone: no script, no font, no address. */
export const drawSvg = (
  { chart, width, height, states, starts, arrows }: Layout,
  { theme = "auto", active = new Set() }: DrawOptions = {},
): string => {
  // Two pictures in one page must not answer to the same ids.
  const id = (part: string): string => `${chart.id.replace(/[^A-Za-z0-9]/g, "_")}-${part}`
  const regions = new Set(
    states.flatMap(({ state }) => (state.kind === "parallel" ? state.children : [])),
  )
  const classesOf = (state: ChartState): ReadonlyArray<string> => [
    "state",
    state.kind,
    ...(state.children.length > 0 ? ["composite"] : []),
    ...(regions.has(state) ? ["region"] : []),
    ...(active.has(state.id) ? ["lit"] : []),
  ]
  const dots = starts.map(
    ({ x, y, width: size }) =>
      `<circle class="start" cx="${number(x + size / 2)}" cy="${number(y + size / 2)}" r="${number(size / 2)}"/>`,
  )
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="entente-chart" role="img" aria-labelledby="${id("name")} ${id("about")}" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<title id="${id("name")}">${xmlText(chart.id)}</title>`,
    `<desc id="${id("about")}">${xmlText(chart.description ?? "")}</desc>`,
    `<style>${styleSheet(theme)}</style>`,
    `<defs><marker id="${id("head")}" viewBox="0 0 8 8" refX="7.5" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="head" d="M0 0.5L8 4L0 7.5Z"/></marker></defs>`,
    `<rect class="ground" width="${width}" height="${height}"/>`,
    ...states.map((placed) => stateOf(placed, classesOf(placed.state))),
    ...dots,
    ...arrows.map((one) => arrow(one, id("head"))),
    "</svg>",
    "",
  ].join("\n")
}
