import { isJsonObject, jsonPointer, subschemas, type JsonObject } from "@entente/protocol"

/** A schema as the server sent it, and where. */
export interface Place {
  readonly schema: unknown
  /** A JSON pointer to it, from the root of the schema. */
  readonly pointer: string
  /** The URI that references inside it are relative to. */
  readonly base: string
}

/** What references are relative to where no `$id` says otherwise; nothing is ever found there. */
const noBase = "schema:/"

const join = (reference: string, base: string): URL | undefined =>
  URL.canParse(reference, base) ? new URL(reference, base) : undefined

const resourceOf = ({ href }: URL): string => href.replace(/#.*$/s, "")

const decoded = (fragment: string): string | undefined => {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return undefined
  }
}

const idOf = ({ $id }: JsonObject): string | undefined =>
  typeof $id === "string" ? $id : undefined

/**
 * The schemas inside one, by every name that a reference may use: `$id`, `$anchor`, JSON pointers. What is not
 * found here is nowhere: nothing is fetched, ever (C082, V26-SCHEMA-04).
 */
export class Places {
  readonly root: Place
  readonly #named = new Map<string, Place>()

  /** The schema has to be of a size and depth that was looked at before. */
  constructor(schema: JsonObject) {
    this.root = { schema, pointer: "", base: noBase }
    this.#name(noBase, this.root)
    this.#index(schema, "", noBase)
  }

  /** The base of what stands inside a schema. */
  baseWithin(schema: JsonObject, base: string): string {
    const id = idOf(schema)
    const url = id === undefined || id.startsWith("#") ? undefined : join(id, base)
    return url === undefined ? base : resourceOf(url)
  }

  /** Where a reference leads, from a schema with that base; undefined where to nothing in here. */
  resolve(reference: string, base: string): Place | undefined {
    const url = join(reference, base)
    const fragment = url && decoded(url.hash.slice(1))
    if (url === undefined || fragment === undefined) return undefined
    const resource = resourceOf(url)
    if (fragment !== "" && !fragment.startsWith("/")) {
      return this.#named.get(`${resource}#${fragment}`)
    }
    const start = this.#named.get(resource)
    return start && this.#follow(start, fragment.split("/").slice(1))
  }

  /** The first of that name counts. */
  #name(name: string, place: Place): void {
    if (!this.#named.has(name)) this.#named.set(name, place)
  }

  #index(schema: JsonObject, pointer: string, outer: string): void {
    const base = this.baseWithin(schema, outer)
    const place = { schema, pointer, base }
    if (base !== outer) this.#name(base, place)
    const id = idOf(schema)
    if (id?.startsWith("#") === true) this.#name(`${base}${id}`, place)
    for (const anchor of [schema["$anchor"], schema["$dynamicAnchor"]]) {
      if (typeof anchor === "string") this.#name(`${base}#${anchor}`, place)
    }
    for (const inner of subschemas(schema)) {
      this.#index(inner.schema, pointer + jsonPointer(inner.steps), base)
    }
  }

  #follow(start: Place, steps: ReadonlyArray<string>): Place | undefined {
    let { schema, pointer, base } = start
    for (const step of steps) {
      const name = step.replaceAll("~1", "/").replaceAll("~0", "~")
      const within: unknown = schema
      // Own members only: `#/constructor` leads nowhere.
      if (typeof within !== "object" || within === null || !Object.hasOwn(within, name)) {
        return undefined
      }
      schema = (within as JsonObject)[name] // an array has its members under their indexes as well
      pointer += jsonPointer([name])
      if (isJsonObject(schema)) base = this.baseWithin(schema, base)
    }
    return { schema, pointer, base }
  }
}
