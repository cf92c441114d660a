import { isJsonObject, pointerName, type JsonObject } from "@entente/protocol"

/** What a schema says of null: that it does not conform, that it is one of the values meant, or neither. */
export type NullVerdict = "refused" | "meant" | "unsaid"

/** How much of a schema is looked at for one set of arguments: a server decides how large and how deep it is. */
const limits = { steps: 100_000, depth: 100 }

const listed = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

const own = (object: JsonObject, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined

/** Several schemas that all hold. */
const together = (schemas: ReadonlyArray<unknown>): unknown =>
  schemas.length === 1 ? schemas[0] : schemas.length === 0 ? true : { allOf: schemas }

const conjunction = (verdicts: ReadonlyArray<NullVerdict>): NullVerdict => {
  if (verdicts.includes("refused")) return "refused"
  return verdicts.includes("meant") ? "meant" : "unsaid"
}

const disjunction = (verdicts: ReadonlyArray<NullVerdict>): NullVerdict => {
  if (verdicts.every((verdict) => verdict === "refused")) return "refused"
  return verdicts.includes("meant") ? "meant" : "unsaid"
}

/**
 * Reads in a schema what it says of one place in a value. It knows less than a validator and never more:
 * where it says that null is refused, no value with null there conforms. What it cannot tell (`not`, `if`, a
 * reference that leads out of the schema or in a circle, more than its limits) counts as unsaid.
 */
export class PlaceSchema {
  readonly #root: JsonObject
  /** Draft-07: beside a reference nothing else counts (8.3). */
  readonly #referenceAlone: boolean
  #left: number = limits.steps

  constructor(root: JsonObject) {
    this.#root = root
    this.#referenceAlone = String(root["$schema"]).includes("draft-07")
  }

  /** The schema of a member, written as one schema. */
  member(schema: unknown, name: string, depth: number = 0): unknown {
    return this.#within(schema, depth, (each) => {
      const properties = own(each, "properties")
      if (isJsonObject(properties) && Object.hasOwn(properties, name)) return properties[name]
      // Whether a pattern fits is for the validator; and a member that must not be there has no schema.
      const others = own(each, "additionalProperties")
      return own(each, "patternProperties") === undefined && others !== false ? others : undefined
    })
  }

  /** The schema of an element. */
  element(schema: unknown, index: number, depth: number = 0): unknown {
    return this.#within(schema, depth, (each) => {
      const items = own(each, "items")
      const tuple = Array.isArray(items) ? items : listed(own(each, "prefixItems"))
      if (index < tuple.length) return tuple[index]
      return Array.isArray(items) ? own(each, "additionalItems") : items
    })
  }

  /** Whether a member has to be there whatever else is. */
  requires(schema: unknown, name: string, depth: number = 0): boolean {
    const read = this.#read(schema, depth)
    if (read === undefined) return false
    const inner = (each: unknown) => this.requires(each, name, depth + 1)
    return (
      listed(own(read.schema, "required")).includes(name) ||
      read.all.some(inner) ||
      read.any.some((branches) => branches.every(inner))
    )
  }

  /** What a schema says of null. */
  null(schema: unknown, depth: number = 0): NullVerdict {
    if (schema === false) return "refused"
    const read = this.#read(schema, depth)
    if (read === undefined) return "unsaid"
    const inner = (each: unknown) => this.null(each, depth + 1)
    return conjunction([
      ...ownWords(read.schema),
      ...read.all.map(inner),
      ...read.any.map((branches) => disjunction(branches.map(inner))),
    ])
  }

  #within(schema: unknown, depth: number, find: (schema: JsonObject) => unknown): unknown {
    const read = this.#read(schema, depth)
    if (read === undefined) return true
    const inner = (each: unknown) => this.#within(each, depth + 1, find)
    const found = find(read.schema)
    return together(
      [
        found === undefined ? true : found,
        ...read.all.map(inner),
        ...read.any.map((branches) => ({ anyOf: branches.map(inner) })),
      ].filter((each) => each !== true),
    )
  }

  /** A schema with those that hold as well, and those of which some hold; nothing where it says nothing. */
  #read(
    schema: unknown,
    depth: number,
  ):
    | {
        readonly schema: JsonObject
        readonly all: ReadonlyArray<unknown>
        readonly any: ReadonlyArray<ReadonlyArray<unknown>>
      }
    | undefined {
    if (!isJsonObject(schema) || depth > limits.depth || --this.#left < 0) return undefined
    // References in it are relative to itself.
    if (schema !== this.#root && own(schema, "$id") !== undefined) return undefined
    const reference = own(schema, "$ref")
    const target = typeof reference === "string" ? this.#resolve(reference) : undefined
    const others = reference !== undefined && this.#referenceAlone ? {} : schema
    return {
      schema: others,
      all: [...(target === undefined ? [] : [target]), ...listed(own(others, "allOf"))],
      any: [listed(own(others, "anyOf")), listed(own(others, "oneOf"))].filter(
        ({ length }) => length > 0,
      ),
    }
  }

  /** Where a JSON pointer into the root leads; other references are not followed. */
  #resolve(reference: string): unknown {
    if (reference !== "#" && !reference.startsWith("#/")) return undefined
    let found: unknown = this.#root
    for (const step of reference.split("/").slice(1)) {
      if (typeof found !== "object" || found === null) return undefined
      const name = unescaped(step)
      // An array has its members under their indexes as well.
      found = name === undefined ? undefined : own(found as JsonObject, name)
    }
    return found
  }
}

const unescaped = (step: string): string | undefined => {
  try {
    return pointerName(decodeURIComponent(step))
  } catch {
    return undefined
  }
}

/** What the keywords of one schema say of null by themselves. */
const ownWords = (schema: JsonObject): ReadonlyArray<NullVerdict> => {
  const type = own(schema, "type")
  const values = own(schema, "enum")
  const said: Array<NullVerdict> = []
  if (typeof type === "string" || Array.isArray(type)) {
    said.push([type].flat().includes("null") ? "meant" : "refused")
  }
  if (Array.isArray(values)) said.push(values.includes(null) ? "meant" : "refused")
  if (Object.hasOwn(schema, "const")) said.push(schema["const"] === null ? "meant" : "refused")
  return said
}
