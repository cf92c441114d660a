import { isJsonObject, jsonPointer, type JsonObject } from "@entente/protocol"
import { dialectOf, type SchemaDialect } from "./dialect.js"
import { keywords } from "./keywords.js"
import { isApplicator, replaceSubschemas } from "./subschemas.js"
import { UnusableSchema } from "./unusable-schema.js"

/** A schema inside the one that a server sent. */
export interface Place {
  readonly schema: unknown
  /** A JSON pointer to it. */
  readonly pointer: string
  /** The URI that references inside it are relative to. */
  readonly base: string
}

/** What references are relative to where no `$id` says otherwise; nothing is ever found there. */
const noBase = "schema:/"

const join = (reference: string, base: string): URL | undefined => {
  try {
    return new URL(reference, base)
  } catch {
    return undefined
  }
}

const withoutFragment = ({ href }: URL): string => href.replace(/#.*$/s, "")

const fragmentOf = ({ hash }: URL): string | undefined => {
  try {
    return decodeURIComponent(hash.slice(1))
  } catch {
    return undefined
  }
}

/**
 * The names that the schemas inside one schema have: `$id`, `$anchor`, and JSON pointers. A reference leads
 * to one of these or nowhere: nothing is fetched, ever (V26-SCHEMA-04, V26-SCHEMA-07).
 */
export class References {
  readonly root: Place
  readonly #dialect: SchemaDialect
  readonly #places = new Map<string, Place>()
  readonly #dynamicAnchors = new Map<string, number>()

  constructor(schema: JsonObject, dialect: SchemaDialect) {
    this.#dialect = dialect
    this.root = { schema, pointer: "", base: noBase }
    this.#name(noBase, this.root)
    this.#index(this.root)
  }

  /** The base of what stands inside a schema. */
  baseWithin(schema: JsonObject, base: string): string {
    const id = this.#idOf(schema)
    const url = id === undefined ? undefined : join(id, base)
    return url === undefined ? base : withoutFragment(url)
  }

  /** Where a reference leads, from a schema with that base. */
  resolve(reference: string, base: string): Place | undefined {
    const url = join(reference, base)
    const fragment = url && fragmentOf(url)
    if (url === undefined || fragment === undefined) return undefined
    const resource = withoutFragment(url)
    if (fragment !== "" && !fragment.startsWith("/")) {
      return this.#places.get(`${resource}#${fragment}`)
    }
    const start = this.#places.get(resource)
    return start && this.#follow(start, fragment.split("/").slice(1))
  }

  /** Whether what a `$dynamicRef` means depends on the way by which it was reached. */
  isDynamic(reference: string): boolean {
    const [, anchor = ""] = reference.split("#")
    return (this.#dynamicAnchors.get(anchor) ?? 0) > 1
  }

  #idOf(schema: JsonObject): string | undefined {
    const { $id, $ref } = schema
    if (typeof $id !== "string") return undefined
    // Draft-07: beside `$ref` nothing counts, and `#name` is an anchor (8.2.3, 8.3).
    const none = this.#dialect === "draft-07" && ($ref !== undefined || $id.startsWith("#"))
    return none ? undefined : $id
  }

  #anchorsOf({ $id, $anchor, $dynamicAnchor }: JsonObject): ReadonlyArray<string> {
    const written =
      this.#dialect === "2020-12"
        ? [$anchor, $dynamicAnchor]
        : [typeof $id === "string" && $id.startsWith("#") ? $id.slice(1) : undefined]
    return written.filter((anchor) => typeof anchor === "string")
  }

  #index({ schema, pointer, base: outer }: Place): void {
    if (!isJsonObject(schema)) return
    if (schema["$schema"] !== undefined && dialectOf(schema) !== this.#dialect) {
      throw new UnusableSchema(`${pointer}/$schema`, "names another dialect than the root")
    }
    const base = this.baseWithin(schema, outer)
    const place = { schema, pointer, base }
    if (base !== outer) this.#name(base, place)
    for (const anchor of new Set(this.#anchorsOf(schema))) this.#name(`${base}#${anchor}`, place)
    const dynamic = schema["$dynamicAnchor"]
    if (typeof dynamic === "string") {
      this.#dynamicAnchors.set(dynamic, (this.#dynamicAnchors.get(dynamic) ?? 0) + 1)
    }
    for (const [keyword, kind] of keywords[this.#dialect]) {
      const value = Object.hasOwn(schema, keyword) ? schema[keyword] : undefined
      if (value === undefined || !isApplicator(kind)) continue
      replaceSubschemas(kind, value, pointer + jsonPointer([keyword]), (each, at) =>
        this.#index({ schema: each, pointer: at, base }),
      )
    }
  }

  #name(name: string, place: Place): void {
    if (this.#places.has(name)) {
      throw new UnusableSchema(place.pointer, "has the same $id or anchor as another schema")
    }
    this.#places.set(name, place)
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
