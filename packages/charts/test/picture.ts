import { elementsIn, readXml, type Element } from "./xml.js"

/** Left, top, right, bottom. */
interface Area {
  readonly what: string
  readonly x1: number
  readonly y1: number
  readonly x2: number
  readonly y2: number
}

const classOf = ({ attributes }: Element): string => attributes["class"] ?? ""
const isState = (element: Element): boolean => classOf(element).startsWith("state ")
const numberOf = ({ attributes }: Element, name: string): number => Number(attributes[name])

const sizes: Readonly<Record<string, number>> = { title: 13 }

const unescaped = (text: string): string => text.replaceAll(/&\w+;/g, "x")

/** The ink of a text: a monospace character is 0.6 of the size wide, or twice that. */
const inkOf = (element: Element): Area => {
  const size = sizes[classOf(element)] ?? 11
  const said = unescaped(
    elementsIn(element)
      .map(({ text }) => text)
      .join(""),
  )
  const columns = [...said].reduce(
    (sum, one) => sum + ((one.codePointAt(0) ?? 0) >= 0x1100 ? 2 : 1),
    0,
  )
  const x1 = numberOf(element, "x")
  const y = numberOf(element, "y")
  return { what: said, x1, y1: y - size * 0.75, x2: x1 + columns * size * 0.6, y2: y + size * 0.2 }
}

const areaOf = (element: Element, what: string): Area => {
  const x1 = numberOf(element, "x")
  const y1 = numberOf(element, "y")
  return { what, x1, y1, x2: x1 + numberOf(element, "width"), y2: y1 + numberOf(element, "height") }
}

/** The straight pieces of a path; round bends count as corners. */
const piecesOf = (path: string): ReadonlyArray<Area> => {
  const steps = [...path.matchAll(/([MLQ])([\d.]+) ([\d.]+)(?= ?([\d.]+)? ?([\d.]+)?)/g)]
  const corners = steps.flatMap(([, kind, x, y], index) =>
    kind === "L" && index < steps.length - 1 ? [] : [{ x: Number(x), y: Number(y) }],
  )
  return corners.slice(1).map((to, index) => {
    const from = corners[index] ?? to
    return {
      what: "a line",
      x1: Math.min(from.x, to.x),
      y1: Math.min(from.y, to.y),
      x2: Math.max(from.x, to.x),
      y2: Math.max(from.y, to.y),
    }
  })
}

const meet = (a: Area, b: Area): boolean => a.x1 < b.x2 && b.x1 < a.x2 && a.y1 < b.y2 && b.y1 < a.y2

const holds = (outer: Area, inner: Area): boolean =>
  outer.x1 <= inner.x1 && outer.y1 <= inner.y1 && outer.x2 >= inner.x2 && outer.y2 >= inner.y2

/** What is in a picture, read back from its bytes and not from the code that made them. */
export const readPicture = (svg: string) => {
  const root = readXml(svg)
  const all = elementsIn(root)
  const states = all.filter(isState).map((element) => {
    const name = element.attributes["data-state"] ?? ""
    const [box] = element.children.filter((child) => classOf(child) === "box")
    if (box === undefined) throw new Error(`no box: ${name}`)
    return {
      name,
      isLeaf: !classOf(element).includes("composite"),
      classes: classOf(element),
      box: areaOf(box, name),
      boxes: element.children.filter((child) => classOf(child) === "box").length,
      texts: element.children.filter((child) => child.name === "text").map(inkOf),
    }
  })
  const transitions = all.filter((element) => classOf(element) === "transition")
  return {
    width: numberOf(root, "width"),
    height: numberOf(root, "height"),
    states,
    transitions: transitions.map(({ attributes }) => attributes["data-transition"]),
    labels: transitions.flatMap((element) =>
      element.children.filter(({ name }) => name === "text").map(inkOf),
    ),
    arrows: all.filter((element) => classOf(element) === "arrow").length,
    lines: all
      .filter((element) => classOf(element) === "arrow")
      .flatMap(({ attributes }) => piecesOf(attributes["d"] ?? "")),
    starts: all.filter((element) => classOf(element) === "start").length,
  }
}

/** Everything in a picture that makes it hard to read; empty when nothing does. */
export const overlapsIn = (svg: string): ReadonlyArray<string> => {
  const { width, height, states, labels, lines } = readPicture(svg)
  const picture = { what: "the picture", x1: 0, y1: 0, x2: width, y2: height }
  const texts = [...labels, ...states.flatMap((state) => state.texts)]
  const pairs = <A extends Area, B extends Area>(
    as: ReadonlyArray<A>,
    bs: ReadonlyArray<B>,
    isBad: (a: A, b: B) => boolean,
    says: string,
  ): ReadonlyArray<string> =>
    as.flatMap((a) => bs.filter((b) => isBad(a, b)).map((b) => `${a.what} ${says} ${b.what}`))
  return [
    ...pairs(texts, texts, (a, b) => a !== b && meet(a, b), "stands on"),
    ...pairs(lines, texts, meet, "crosses"),
    ...pairs(
      labels,
      states.map(({ box }) => box),
      (label, box) => meet(label, box) && !holds(box, label),
      "leaves",
    ),
    ...pairs(
      lines,
      states.filter(({ isLeaf }) => isLeaf).map(({ box }) => box),
      meet,
      "runs through",
    ),
    ...states.flatMap(({ box, texts: own }) =>
      pairs(own, [box], (text) => !holds(box, text), "does not fit into"),
    ),
    ...pairs(
      [...texts, ...lines, ...states.map(({ box }) => box)],
      [picture],
      (one) => !holds(picture, one),
      "is outside",
    ),
  ]
}
