import { isJsonObject, jsonPointer } from "@entente/protocol"
import { isNames } from "./keyword-value.js"
import type { Applicator } from "./keywords.js"
import { UnusableSchema } from "./unusable-schema.js"

/** What becomes of one schema, found at a JSON pointer. */
type Visit = (schema: unknown, pointer: string) => unknown

const mapped = (value: unknown, pointer: string, visit: Visit): unknown => {
  if (!isJsonObject(value)) throw new UnusableSchema(pointer, "is not an object")
  // The compiler passes over a member of this name, so it would conform whatever it is.
  if (Object.hasOwn(value, "__proto__")) throw new UnusableSchema(pointer, "has a __proto__")
  return Object.fromEntries(
    Object.entries(value).map(([name, schema]) => [
      name,
      visit(schema, pointer + jsonPointer([name])),
    ]),
  )
}

const listed = (value: unknown, pointer: string, visit: Visit): unknown => {
  if (!Array.isArray(value) || value.length === 0) {
    throw new UnusableSchema(pointer, "is not a list of schemas")
  }
  return value.map((schema: unknown, index) => visit(schema, `${pointer}/${index}`))
}

const rebuilders: {
  readonly [Kind in Applicator]: (value: unknown, pointer: string, visit: Visit) => unknown
} = {
  schema: (value, pointer, visit) => visit(value, pointer),
  schemas: listed,
  schemaMap: mapped,
  patternMap: mapped,
  definitions: mapped,
  items: (value, pointer, visit) =>
    Array.isArray(value) ? listed(value, pointer, visit) : visit(value, pointer),
  dependencies: (value, pointer, visit) =>
    mapped(value, pointer, (each, at) => (isNames(each) ? each : visit(each, at))),
}

/** Whether a keyword of this kind holds other schemas. */
export const isApplicator = (kind: string): kind is Applicator => Object.hasOwn(rebuilders, kind)

/** What stands under a keyword, with each schema in it replaced by what `visit` makes of it. */
export const replaceSubschemas = (
  kind: Applicator,
  value: unknown,
  pointer: string,
  visit: Visit,
): unknown => rebuilders[kind](value, pointer, visit)
