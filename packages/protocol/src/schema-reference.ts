import { isJsonObject, type JsonObject } from "./json-rpc.js"
import { jsonPointer, pointerName } from "./json-pointer.js"

/** A JSON Schema inside another one. */
export interface SchemaPlace {
  readonly schema: unknown
  /** A JSON pointer to it, from the root. */
  readonly pointer: string
  /** The URI that references inside it are relative to. */
  readonly base: string
}

/** What references are relative to where no `$id` says otherwise; nothing is ever found there. */
export const noSchemaBase = "schema:/"

const absolute = (reference: string, base: string): URL | undefined =>
  URL.canParse(reference, base) ? new URL(reference, base) : undefined

const withoutFragment = ({ href }: URL): string => href.replace(/#.*$/s, "")

const fragmentOf = ({ hash }: URL): string | undefined => {
  try {
    return decodeURIComponent(hash.slice(1))
  } catch {
    return undefined
  }
}

/** The base of what stands inside a schema with that `$id`. */
export const baseWithId = (id: string | undefined, base: string): string => {
  const url = id === undefined ? undefined : absolute(id, base)
  return url === undefined ? base : withoutFragment(url)
}

/** What a schema knows of the names inside it. */
export interface SchemaNames {
  /** The place of a URI, with an anchor as its fragment or without one. */
  readonly named: (uri: string) => SchemaPlace | undefined
  readonly baseWithin: (schema: JsonObject, base: string) => string
}

/**
 * Where a reference leads, from a schema with that base: to a name, or from one along a JSON pointer. What is
 * not found so is nowhere: nothing is fetched, ever (V26-SCHEMA-04, V26-SCHEMA-07).
 */
export const resolveReference = (
  reference: string,
  base: string,
  names: SchemaNames,
): SchemaPlace | undefined => {
  const url = absolute(reference, base)
  const fragment = url && fragmentOf(url)
  if (url === undefined || fragment === undefined) return undefined
  const resource = withoutFragment(url)
  if (fragment !== "" && !fragment.startsWith("/")) return names.named(`${resource}#${fragment}`)
  const start = names.named(resource)
  return start && follow(start, fragment.split("/").slice(1), names)
}

const follow = (
  start: SchemaPlace,
  steps: ReadonlyArray<string>,
  { baseWithin }: SchemaNames,
): SchemaPlace | undefined => {
  let { schema, pointer, base } = start
  for (const step of steps) {
    const name = pointerName(step)
    const within: unknown = schema
    // Own members only: `#/constructor` leads nowhere.
    if (typeof within !== "object" || within === null || !Object.hasOwn(within, name)) {
      return undefined
    }
    schema = (within as JsonObject)[name] // an array has its members under their indexes as well
    pointer += jsonPointer([name])
    if (isJsonObject(schema)) base = baseWithin(schema, base)
  }
  return { schema, pointer, base }
}
