import {
  createScanner,
  parseTree,
  printParseErrorCode,
  type Node,
  type ParseError,
} from "jsonc-parser"
import { pointerTo } from "../finding.js"
import { LineIndex } from "./line-index.js"
import {
  Budget,
  GivenUp,
  limits,
  type ConfigDocument,
  type ConfigNode,
  type Trouble,
} from "./node.js"

/** What a client allows beyond JSON. */
export interface JsonLeniency {
  readonly comments: boolean
  readonly trailingCommas: boolean
}

/** The parser's own numbers for tokens: its enum exists for its compiler only. */
const token = {
  openBrace: 1,
  closeBrace: 2,
  openBracket: 3,
  closeBracket: 4,
  comma: 5,
  lineComment: 12,
  blockComment: 13,
  lineBreak: 14,
  blank: 15,
  end: 17,
} as const

/**
 * Looks at the tokens before the parser does: it calls itself for every level, so that a text of nothing
 * but brackets would overflow its stack. The first comment and the first trailing comma are told of.
 */
const scan = (text: string, lines: LineIndex, allowed: JsonLeniency): ReadonlyArray<Trouble> => {
  const scanner = createScanner(text)
  const found = new Map<string, Trouble>()
  const tell = (code: "comment" | "trailing-comma", offset: number, detail: string): void => {
    if (!found.has(code)) found.set(code, { code, pointer: "", position: lines.at(offset), detail })
  }
  let depth = 0
  let comma: number | undefined
  for (let kind: number = scanner.scan(); kind !== token.end; kind = scanner.scan()) {
    const offset = scanner.getTokenOffset()
    if (kind === token.lineComment || kind === token.blockComment) {
      if (!allowed.comments) tell("comment", offset, "a comment")
      continue
    }
    if (kind === token.blank || kind === token.lineBreak) continue
    const closes = kind === token.closeBrace || kind === token.closeBracket
    if (closes && comma !== undefined && !allowed.trailingCommas) {
      tell("trailing-comma", comma, "a comma before a closing bracket")
    }
    comma = kind === token.comma ? offset : undefined
    if (closes) depth -= 1
    else if (kind === token.openBrace || kind === token.openBracket) depth += 1
    if (depth > limits.depth) throw new GivenUp("too-deep", "", lines.at(offset))
  }
  return [...found.values()]
}

/** Reads JSON, with comments and trailing commas: where the client refuses them that is told, and they are read. */
export const readJson = (text: string, allowed: JsonLeniency): ConfigDocument => {
  const lines = new LineIndex(text)
  const troubles: Array<Trouble> = [...scan(text, lines, allowed)]
  const errors: Array<ParseError> = []
  const tree = parseTree(text, errors, { allowTrailingComma: true })
  const [error] = errors
  if (tree === undefined || error !== undefined) {
    const offset = error?.offset ?? 0
    const detail = error === undefined ? "ValueExpected" : printParseErrorCode(error.error)
    troubles.unshift({ code: "syntax-error", pointer: "", position: lines.at(offset), detail })
    return { root: undefined, troubles }
  }
  const budget = new Budget()

  const objectOf = (node: Node, depth: number, pointer: string): ConfigNode => {
    const members = new Map<string, ConfigNode>()
    for (const { children: [key, value] = [] } of node.children ?? []) {
      if (key === undefined || value === undefined) continue
      const name = String(key.value)
      const place = pointerTo(pointer, name)
      if (members.has(name)) {
        const position = lines.at(key.offset)
        const detail = "is written twice, and the last one counts"
        troubles.push({ code: "duplicate-member", pointer: place, position, detail })
      }
      members.set(name, nodeOf(value, depth + 1, place))
    }
    return { kind: "object", members, position: lines.at(node.offset) }
  }

  const nodeOf = (node: Node, depth: number, pointer: string): ConfigNode => {
    const position = lines.at(node.offset)
    budget.spend(depth, pointer, position)
    if (node.type === "object") return objectOf(node, depth, pointer)
    if (node.type === "array") {
      const items = (node.children ?? []).map((item, index) =>
        nodeOf(item, depth + 1, pointerTo(pointer, index)),
      )
      return { kind: "list", items, position }
    }
    const value: unknown = node.value
    return {
      kind: "scalar",
      value:
        typeof value === "string" || typeof value === "number" || typeof value === "boolean"
          ? value
          : null,
      position,
    }
  }

  return { root: nodeOf(tree, 0, ""), troubles }
}
