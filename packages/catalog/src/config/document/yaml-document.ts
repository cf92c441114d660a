import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  type Node,
  type ParsedNode,
} from "yaml"
import { pointerTo } from "../finding.js"
import {
  Budget,
  GivenUp,
  limits,
  type ConfigDocument,
  type ConfigNode,
  type Position,
  type Trouble,
} from "./node.js"

/** Indicators and blanks at the start of a line, each of which may open a level. */
const leading = /^[ \t]*(?:[-?:][ \t]+)*/
const longestLeading = 1_000

/**
 * Refuses what would take the parser down before it can say so: levels opened on one line, deep
 * indentation (it becomes a regular expression of that length), brackets in brackets. Brackets inside
 * texts count too; a file with that many more opening than closing ones is no configuration.
 */
const refuseDeep = (text: string): void => {
  let depth = 0
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
    const position = { line: index + 1, column: 1 }
    const [start = ""] = leading.exec(line) ?? []
    if (start.length > longestLeading || start.replaceAll(/[ \t]/g, "").length > limits.depth) {
      throw new GivenUp("too-deep", "", position)
    }
    for (const character of line) {
      if (character === "[" || character === "{") depth += 1
      else if ((character === "]" || character === "}") && depth > 0) depth -= 1
      if (depth > limits.depth) throw new GivenUp("too-deep", "", position)
    }
  }
}

/** The kind of error alone: its message may quote the file, where secrets are. */
const reasonOf = (code: string): string => code.toLowerCase().replaceAll("_", " ")

/**
 * Reads YAML 1.2. What an alias stands for counts each time it is used, so that a few lines which stand
 * for billions of values are given up on.
 */
export const readYaml = (text: string): ConfigDocument => {
  refuseDeep(text)
  const lineCounter = new LineCounter()
  const positionOf = (offset: number): Position => {
    const { line, col } = lineCounter.linePos(offset)
    return { line: Math.max(line, 1), column: Math.max(col, 1) }
  }
  const document = parseDocument(text, {
    lineCounter,
    prettyErrors: false,
    uniqueKeys: false, // told of below, with its place
    logLevel: "silent",
  })
  const troubles: Array<Trouble> = []
  const [error] = document.errors
  if (error !== undefined) {
    const position = positionOf(error.pos[0])
    const detail = reasonOf(error.code)
    return { root: undefined, troubles: [{ code: "syntax-error", pointer: "", position, detail }] }
  }
  const budget = new Budget()
  /** By name, what was marked so most recently. */
  const anchors = new Map<string, Node>()

  const scalarOf = (value: unknown, position: Position | undefined): ConfigNode => ({
    kind: "scalar",
    value:
      typeof value === "string" || typeof value === "number" || typeof value === "boolean"
        ? value
        : value === null || value === undefined
          ? null
          : String(value),
    position,
  })

  const nodeOf = (node: Node | null, depth: number, pointer: string): ConfigNode => {
    const position = node?.range == null ? undefined : positionOf(node.range[0])
    budget.spend(depth, pointer, position)
    if (node === null) return scalarOf(null, position)
    if (isAlias(node)) {
      const target = anchors.get(node.source)
      return target === undefined ? scalarOf(null, position) : nodeOf(target, depth + 1, pointer)
    }
    if ((isMap(node) || isSeq(node) || isScalar(node)) && node.anchor !== undefined) {
      anchors.set(node.anchor, node)
    }
    if (isSeq<ParsedNode>(node)) {
      const items = node.items.map((item, index) =>
        nodeOf(item, depth + 1, pointerTo(pointer, index)),
      )
      return { kind: "list", items, position }
    }
    if (!isMap<ParsedNode, ParsedNode | null>(node)) {
      return scalarOf(isScalar(node) ? node.value : null, position)
    }
    const members = new Map<string, ConfigNode>()
    for (const { key, value } of node.items) {
      const name = nodeOf(key, depth + 1, pointer)
      if (name.kind !== "scalar") continue // no client has members with such names
      const text = String(name.value)
      const place = pointerTo(pointer, text)
      if (members.has(text)) {
        const detail = "is written twice, which many readers of YAML refuse"
        troubles.push({ code: "duplicate-member", pointer: place, position: name.position, detail })
      }
      members.set(text, nodeOf(value, depth + 1, place))
    }
    return { kind: "object", members, position }
  }

  return { root: nodeOf(document.contents, 0, ""), troubles }
}
