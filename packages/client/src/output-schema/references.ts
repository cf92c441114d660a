import {
  baseWithId,
  isJsonObject,
  jsonPointer,
  noSchemaBase,
  resolveReference,
  type JsonObject,
  type SchemaPlace,
} from "@entente/protocol"
import { dialectOf, type SchemaDialect } from "./dialect.js"
import { keywords } from "./keywords.js"
import { isApplicator, replaceSubschemas } from "./subschemas.js"
import { UnusableSchema } from "./unusable-schema.js"

/**
 * The names that the schemas inside one schema have: `$id`, `$anchor`, and JSON pointers. A reference leads
 * to one of these or nowhere: nothing is fetched, ever (V26-SCHEMA-04, V26-SCHEMA-07).
 */
export class References {
  readonly root: SchemaPlace
  readonly #dialect: SchemaDialect
  readonly #places = new Map<string, SchemaPlace>()
  readonly #dynamicAnchors = new Map<string, number>()

  constructor(schema: JsonObject, dialect: SchemaDialect) {
    this.#dialect = dialect
    this.root = { schema, pointer: "", base: noSchemaBase }
    this.#name(noSchemaBase, this.root)
    this.#index(this.root)
  }

  /** The base of what stands inside a schema. */
  baseWithin(schema: JsonObject, base: string): string {
    return baseWithId(this.#idOf(schema), base)
  }

  /** Where a reference leads, from a schema with that base. */
  resolve(reference: string, base: string): SchemaPlace | undefined {
    return resolveReference(reference, base, {
      named: (uri) => this.#places.get(uri),
      baseWithin: (schema, outer) => this.baseWithin(schema, outer),
    })
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

  #index({ schema, pointer, base: outer }: SchemaPlace): void {
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

  #name(name: string, place: SchemaPlace): void {
    if (this.#places.has(name)) {
      throw new UnusableSchema(place.pointer, "has the same $id or anchor as another schema")
    }
    this.#places.set(name, place)
  }
}
