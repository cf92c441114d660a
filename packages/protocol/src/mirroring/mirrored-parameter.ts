import { isJsonObject, type JsonObject } from "../json-rpc.js"
import { jsonPointer } from "../json-pointer.js"
import { isHeaderName } from "../wire-header.js"
import { subschemas } from "./subschemas.js"

/** The types an argument may have that leaves as a header (V26-XHDR-03 c). */
export type MirroredType = "string" | "integer" | "boolean"

/** An argument of a tool that goes into a header as well, where everything on the way can read it. */
export interface MirroredParameter {
  /** The members of `arguments` that lead to it. */
  readonly path: ReadonlyArray<string>
  /** What the annotation calls it: the header is `Mcp-Param-` and this. */
  readonly name: string
  readonly type: MirroredType
}

/** What an annotation may do wrong, in the order of V26-XHDR-03, and a schema too large to be looked through. */
export type AnnotationRule =
  | "not-a-token"
  | "not-unique"
  | "not-primitive"
  | "integer-out-of-range"
  | "not-statically-reachable"
  | "too-large"

const sentences: { readonly [Rule in AnnotationRule]: string } = {
  "not-a-token": "x-mcp-header is no name that a header can have",
  "not-unique": "x-mcp-header is taken by another property; case does not count",
  "not-primitive": "x-mcp-header stands on something else than a string, an integer or a boolean",
  "integer-out-of-range": "x-mcp-header stands on an integer that is allowed no safe value",
  "not-statically-reachable": "x-mcp-header stands where more than properties leads to",
  "too-large": "the schema is too large to be looked through for x-mcp-header",
}

/** The first annotation that breaks a rule. */
export interface AnnotationFault {
  readonly ok: false
  readonly rule: AnnotationRule
  /** A JSON pointer from the schema to the place that is annotated. */
  readonly pointer: string
  /** The rule's name, and what it means, in plain words; nothing of the schema is quoted. */
  readonly reason: string
}

export type MirroredParameters =
  | { readonly ok: true; readonly parameters: ReadonlyArray<MirroredParameter> }
  | AnnotationFault

/** How much of a schema is looked through: no honest one comes near. */
export const annotationBounds = { depth: 200, schemas: 100_000 } as const

const keyword = "x-mcp-header"

/**
 * Which arguments of a tool leave as headers, by the annotations `x-mcp-header` of its `inputSchema`, or
 * the first annotation that breaks a rule: then the tool may not be offered over HTTP (V26-XHDR-03,
 * V26-XHDR-04). The whole schema is looked through, also where no annotation may be (V26-XHDR-06); a `$ref`
 * is not followed, because what it leads to may not be annotated either.
 *
 * @example
 * mirroredParameters({ type: "object", properties: { depot: { type: "string", "x-mcp-header": "Depot" } } })
 * // { ok: true, parameters: [{ path: ["depot"], name: "Depot", type: "string" }] }
 */
export const mirroredParameters = (inputSchema: JsonObject): MirroredParameters => {
  const search = new Search()
  search.visit(inputSchema, 0)
  return search.fault ?? { ok: true, parameters: search.parameters }
}

/** One walk through a schema, in document order. */
class Search {
  readonly parameters: Array<MirroredParameter> = []
  fault: AnnotationFault | undefined
  readonly #names = new Set<string>()
  readonly #steps: Array<string | number> = []
  #schemas = 0
  /** How many steps on the way here were none of `properties`. */
  #detours = 0

  visit(schema: JsonObject, depth: number): void {
    if (++this.#schemas > annotationBounds.schemas || depth > annotationBounds.depth) {
      return this.#fail("too-large")
    }
    if (Object.hasOwn(schema, keyword)) this.#read(schema)
    for (const { schema: inner, keyword, steps } of subschemas(schema)) {
      if (this.fault !== undefined) return
      const detour = keyword === "properties" ? 0 : 1
      this.#steps.push(...steps)
      this.#detours += detour
      this.visit(inner, depth + 1)
      this.#detours -= detour
      this.#steps.length -= steps.length
    }
  }

  #read(schema: JsonObject): void {
    if (this.#detours > 0) return this.#fail("not-statically-reachable")
    const { [keyword]: name, type } = schema
    if (typeof name !== "string" || !isHeaderName(name)) return this.#fail("not-a-token")
    // A nullable `type: ["string", "null"]`, and none at all, are nowhere allowed (T-25).
    if (!isMirroredType(type)) return this.#fail("not-primitive")
    if (type === "integer" && allowsNoSafeInteger(schema)) return this.#fail("integer-out-of-range")
    const folded = name.toLowerCase()
    if (this.#names.has(folded)) return this.#fail("not-unique")
    this.#names.add(folded)
    // Only `properties` leads here, so that every second step is the name of a member.
    const path = this.#steps.filter((_, index) => index % 2 === 1).map(String)
    this.parameters.push({ path, name, type })
  }

  #fail(rule: AnnotationRule): void {
    const pointer = jsonPointer(this.#steps)
    this.fault ??= { ok: false, rule, pointer, reason: `${rule}: ${sentences[rule]}` }
  }
}

const isMirroredType = (type: unknown): type is MirroredType =>
  type === "string" || type === "integer" || type === "boolean"

/**
 * Whether no value that a schema of an integer allows can be told exactly by every receiver (V26-XHDR-03 d).
 * Bounds wider than that are common and harmless: the values that are really given are looked at.
 */
const allowsNoSafeInteger = (schema: JsonObject): boolean => {
  const named = Object.hasOwn(schema, "const") ? [schema["const"]] : schema["enum"]
  if (Array.isArray(named)) return !named.some(Number.isSafeInteger)
  const above = (value: unknown) => typeof value === "number" && value > Number.MAX_SAFE_INTEGER
  const below = (value: unknown) => typeof value === "number" && value < Number.MIN_SAFE_INTEGER
  return above(schema["minimum"]) || below(schema["maximum"])
}

/** The value of an argument, where its path leads to one; only through members of its own. */
export const argumentAt = (path: ReadonlyArray<string>, args: JsonObject | undefined): unknown => {
  let value: unknown = args
  for (const member of path) {
    if (!isJsonObject(value) || !Object.hasOwn(value, member)) return undefined
    value = value[member]
  }
  return value
}
