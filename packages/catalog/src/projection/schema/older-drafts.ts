import { isJsonObject, type JsonObject } from "@entente/protocol"

/** A keyword of 2020-12 with its value, and the keyword under which the server wrote it. */
export interface Written {
  readonly keyword: string
  readonly value: unknown
  readonly from: string
}

type Upgrade = (value: unknown, schema: JsonObject) => ReadonlyArray<Omit<Written, "from">>

const pick = (value: JsonObject, is: (member: unknown) => boolean): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => is(member)))

/** Draft-04: a flag beside the bound itself. */
const exclusive =
  (bound: string, keyword: string): Upgrade =>
  (value, schema) => {
    if (value === true && typeof schema[bound] === "number") {
      return [{ keyword, value: schema[bound] }]
    }
    return typeof value === "boolean" ? [] : [{ keyword, value }]
  }

/** What keywords of older drafts are in 2020-12, where they are something else. */
const upgrades: Readonly<Record<string, Upgrade>> = {
  items: (value) => [{ keyword: Array.isArray(value) ? "prefixItems" : "items", value }],
  additionalItems: (value, { items }) =>
    Array.isArray(items) ? [{ keyword: "items", value }] : [],
  exclusiveMinimum: exclusive("minimum", "exclusiveMinimum"),
  exclusiveMaximum: exclusive("maximum", "exclusiveMaximum"),
  $recursiveRef: (value) => [{ keyword: "$dynamicRef", value }],
  dependencies: (value) => {
    if (!isJsonObject(value)) return []
    const names = pick(value, Array.isArray)
    const schemas = pick(value, (member) => !Array.isArray(member))
    return [
      ...(Object.keys(names).length > 0 ? [{ keyword: "dependentRequired", value: names }] : []),
      ...(Object.keys(schemas).length > 0 ? [{ keyword: "dependentSchemas", value: schemas }] : []),
    ]
  },
}

const once = (value: unknown): unknown =>
  Array.isArray(value) && new Set(value).size < value.length ? [...new Set(value)] : value

/** Names and types that are listed twice are refused by the meta-schema, and mean the same once. */
const listing: Readonly<Record<string, (value: unknown) => unknown>> = {
  type: once,
  required: once,
  dependentRequired: (value) =>
    isJsonObject(value)
      ? Object.fromEntries(Object.entries(value).map(([name, names]) => [name, once(names)]))
      : value,
}

/** The keywords of a schema of any draft, as 2020-12 has them, in the order in which they were sent. */
export const asWritten = (schema: JsonObject): ReadonlyArray<Written> =>
  Object.keys(schema).flatMap((from) => {
    const value = schema[from]
    const upgrade = Object.hasOwn(upgrades, from) ? upgrades[from] : undefined
    const written = upgrade === undefined ? [{ keyword: from, value }] : upgrade(value, schema)
    return written.map(({ keyword, value }) => {
      const listed = Object.hasOwn(listing, keyword) ? listing[keyword] : undefined
      return { keyword, value: listed === undefined ? value : listed(value), from }
    })
  })

/** Drafts in which nothing counts beside `$ref` (draft-07, 8.3). */
export const referenceStandsAlone = ({ $schema }: JsonObject): boolean =>
  typeof $schema === "string" && /\/draft-0[3-7]\//.test($schema)
