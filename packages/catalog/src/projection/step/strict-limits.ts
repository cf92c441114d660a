import type { StrictLimits } from "../../provider/schema-rules.js"
import { namedTypes, typesOf } from "../schema/json-type.js"
import type { SchemaNode } from "../schema/schema-node.js"

/** How much a strict schema holds of what providers count. */
export interface Measure {
  readonly properties: number
  readonly levels: number
  readonly characters: number
  readonly enumValues: number
  readonly unions: number
  /** Of the `enum` of texts that is the longest beyond the number of values from which texts are counted. */
  readonly longEnumCharacters: number
}

const lengthOf = (value: unknown): number =>
  typeof value === "string" ? value.length : (JSON.stringify(value)?.length ?? 0)

const sum = (numbers: Iterable<number>): number => {
  let total = 0
  for (const each of numbers) total += each
  return total
}

const ownOf = (node: SchemaNode, longEnum: number): Omit<Measure, "levels"> => {
  const names = [...(node.members("properties")?.keys() ?? [])]
  const definitions = [...(node.members("$defs")?.keys() ?? [])]
  const listed = node.data("enum")
  const values: ReadonlyArray<unknown> = Array.isArray(listed) ? listed : []
  const constants = node.has("const") ? [node.data("const")] : []
  const isUnion = node.has("anyOf") || (namedTypes(node)?.length ?? 0) > 1
  return {
    properties: names.length,
    characters: sum([...names, ...definitions, ...values, ...constants].map(lengthOf)),
    enumValues: values.length,
    unions: isUnion ? 1 : 0,
    longEnumCharacters: values.length > longEnum ? sum(values.map(lengthOf)) : 0,
  }
}

/** Counts a schema. References are not followed: what they lead to is counted where it stands. */
export const measure = (node: SchemaNode, longEnum = Number.POSITIVE_INFINITY): Measure => {
  const own = ownOf(node, longEnum)
  const inner = [...node.children()].map(([child]) => measure(child, longEnum))
  const total = (key: keyof Measure) => sum(inner.map((each) => each[key]))
  const most = (key: keyof Measure) => Math.max(0, ...inner.map((each) => each[key]))
  return {
    properties: own.properties + total("properties"),
    levels: most("levels") + (typesOf(node).includes("object") ? 1 : 0),
    characters: own.characters + total("characters"),
    enumValues: own.enumValues + total("enumValues"),
    unions: own.unions + total("unions"),
    longEnumCharacters: Math.max(own.longEnumCharacters, most("longEnumCharacters")),
  }
}

const words: Readonly<Record<keyof Measure, string>> = {
  properties: "properties",
  levels: "levels of objects",
  characters: "characters of names and values",
  enumValues: "values in its enums",
  unions: "schemas of several types",
  longEnumCharacters: "characters in one long enum",
}

/** Why a schema holds too much for strict mode; undefined where it does not. */
export const excess = (measured: Measure, limits: StrictLimits): string | undefined => {
  for (const key of [
    "properties",
    "levels",
    "characters",
    "enumValues",
    "longEnumCharacters",
  ] as const) {
    const limit = limits[key]
    if (limit !== undefined && measured[key] > limit) {
      return `has ${measured[key]} ${words[key]}, and ${limit} are taken`
    }
  }
  return undefined
}

/** How much strict mode one request has left. */
export class StrictAllowance {
  readonly #limits: StrictLimits
  #tools = 0
  #unions = 0

  constructor(limits: StrictLimits) {
    this.#limits = limits
  }

  /** Takes a tool in, or says why there is no room left for it. */
  take({ unions }: Measure): string | undefined {
    const { tools = Number.POSITIVE_INFINITY, unions: most = Number.POSITIVE_INFINITY } =
      this.#limits
    if (this.#tools + 1 > tools) return `is one more than the ${tools} strict tools of a request`
    if (this.#unions + unions > most) {
      return `brings the schemas of several types in a request to ${this.#unions + unions}, and ${most} are taken`
    }
    this.#tools += 1
    this.#unions += unions
    return undefined
  }
}
