import {
  baseWithId,
  jsonPointer,
  noSchemaBase,
  resolveReference,
  subschemas,
  type JsonObject,
  type SchemaPlace,
} from "@entente/protocol"

const idOf = ({ $id }: JsonObject): string | undefined =>
  typeof $id === "string" ? $id : undefined

/**
 * The schemas inside one, by every name that a reference may use: `$id`, `$anchor`, JSON pointers. What is not
 * found here is nowhere: nothing is fetched, ever (C082, V26-SCHEMA-04).
 */
export class Places {
  readonly root: SchemaPlace
  readonly #named = new Map<string, SchemaPlace>()

  /** The schema has to be of a size and depth that was looked at before. */
  constructor(schema: JsonObject) {
    this.root = { schema, pointer: "", base: noSchemaBase }
    this.#name(noSchemaBase, this.root)
    this.#index(schema, "", noSchemaBase)
  }

  /** The base of what stands inside a schema. */
  baseWithin(schema: JsonObject, base: string): string {
    const id = idOf(schema)
    return baseWithId(id?.startsWith("#") === true ? undefined : id, base)
  }

  /** Where a reference leads, from a schema with that base; undefined where to nothing in here. */
  resolve(reference: string, base: string): SchemaPlace | undefined {
    return resolveReference(reference, base, {
      named: (uri) => this.#named.get(uri),
      baseWithin: (schema, outer) => this.baseWithin(schema, outer),
    })
  }

  /** The first of that name counts. */
  #name(name: string, place: SchemaPlace): void {
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
}
