import { parse, TomlDate, TomlError } from "smol-toml"
import { pointerTo } from "../finding.js"
import { Budget, limits, type ConfigDocument, type ConfigNode, type Position } from "./node.js"

const headerLine = /^[ \t]*\[{1,2}([^\]\r\n]+)\]/
const keyPart = /"([^"]*)"|'([^']*)'|([\w-]+)/g

/** Where each table begins: the parser keeps no places, so the lines with headers are looked up. */
const headerPositions = (text: string): ReadonlyMap<string, Position> => {
  const positions = new Map<string, Position>()
  for (const [index, line] of text.split("\n").entries()) {
    const [whole, header] = headerLine.exec(line) ?? []
    if (whole === undefined || header === undefined) continue
    const names = [...header.matchAll(keyPart)].map(
      ([, double, single, bare]) => double ?? single ?? bare ?? "",
    )
    const pointer = pointerTo("", ...names)
    if (!positions.has(pointer)) {
      positions.set(pointer, { line: index + 1, column: line.indexOf("[") + 1 })
    }
  }
  return positions
}

/** The reason alone: the rest of the message quotes the lines around, where secrets may be. */
const reasonOf = ({ message }: TomlError): string =>
  (message.split("\n")[0] ?? "").replace(/^Invalid TOML document: /, "")

const isTable = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !(value instanceof Date)

/** Reads TOML 1.0. */
export const readToml = (text: string): ConfigDocument => {
  const positions = headerPositions(text)
  const budget = new Budget()

  const nodeOf = (value: unknown, depth: number, pointer: string): ConfigNode => {
    const position = positions.get(pointer)
    budget.spend(depth, pointer, position)
    if (Array.isArray(value)) {
      const items = value.map((item: unknown, index) =>
        nodeOf(item, depth + 1, pointerTo(pointer, index)),
      )
      return { kind: "list", items, position }
    }
    if (isTable(value)) {
      const members = new Map(
        Object.entries(value).map(([name, member]) => [
          name,
          nodeOf(member, depth + 1, pointerTo(pointer, name)),
        ]),
      )
      return { kind: "object", members, position }
    }
    const plain =
      typeof value === "string" || typeof value === "number" || typeof value === "boolean"
        ? value
        : value instanceof TomlDate
          ? value.toISOString()
          : String(value)
    return { kind: "scalar", value: plain, position }
  }

  try {
    const table = parse(text, { maxDepth: limits.depth, integersAsBigInt: "asNeeded" })
    return { root: nodeOf(table, 0, ""), troubles: [] }
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    const position = { line: error.line, column: error.column }
    const detail = reasonOf(error)
    const code = detail.includes("excessively nested") ? "too-deep" : "syntax-error"
    return { root: undefined, troubles: [{ code, pointer: "", position, detail }] }
  }
}
