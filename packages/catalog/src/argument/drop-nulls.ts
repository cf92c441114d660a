import { isJsonObject, jsonPointer, type JsonObject } from "@entente/protocol"
import { PlaceSchema } from "./place-schema.js"
import type { ValuePath, WidenedPlaces } from "./widened-places.js"

/** How much of some arguments is looked into; what is beyond stays as it is. */
const limits = { values: 1_000_000, depth: 200 }

/** Arguments without some nulls, and where those were. */
export interface WithoutNulls {
  readonly arguments: JsonObject
  readonly pointers: ReadonlyArray<string>
}

/** Goes through arguments and the server's schema of them side by side. */
class Removal {
  readonly pointers: Array<string> = []
  readonly #schema: PlaceSchema
  readonly #widened: WidenedPlaces
  readonly #all: boolean
  #left: number = limits.values

  constructor(schema: PlaceSchema, widened: WidenedPlaces, all: boolean) {
    this.#schema = schema
    this.#widened = widened
    this.#all = all
  }

  /** The very value where nothing in it goes. */
  clean(value: unknown, schema: unknown, path: ValuePath): unknown {
    if (path.length > limits.depth || --this.#left < 0) return value
    if (Array.isArray(value)) {
      const cleaned = value.map((element: unknown, index) =>
        this.clean(element, this.#schema.element(schema, index), [...path, index]),
      )
      return cleaned.some((element, index) => element !== value[index]) ? cleaned : value
    }
    return isJsonObject(value) ? this.object(value, schema, path) : value
  }

  object(value: JsonObject, schema: unknown, path: ValuePath): JsonObject {
    const kept: Array<readonly [string, unknown]> = []
    let isSame = true
    for (const [name, member] of Object.entries(value)) {
      const at = [...path, name]
      if (member === null && this.#goes(name, schema, at)) {
        this.pointers.push(jsonPointer(at))
        isSame = false
        continue
      }
      const cleaned =
        typeof member === "object" && member !== null
          ? this.clean(member, this.#schema.member(schema, name), at)
          : member
      if (cleaned !== member) isSame = false
      kept.push([name, cleaned])
    }
    // A member called __proto__ stays a member.
    return isSame ? value : Object.fromEntries(kept)
  }

  #goes(name: string, schema: unknown, path: ValuePath): boolean {
    const isWidened = this.#widened.has(path)
    if ((!isWidened && !this.#all) || this.#schema.requires(schema, name)) return false
    const verdict = this.#schema.null(this.#schema.member(schema, name))
    // A projection widens only what did not allow null, but it may not have said so.
    return isWidened ? verdict !== "meant" : verdict === "refused"
  }
}

/**
 * Takes out nulls that stand for absence. Those that a strict projection asked the model for go unless the
 * server's schema means null there (C085); with `all`, also each that the server's schema refuses where the
 * member may be absent (C091). Elements of arrays stay, because taking one out would move the others.
 */
export const dropNulls = (
  given: JsonObject,
  schema: JsonObject,
  widened: WidenedPlaces,
  all: boolean,
): WithoutNulls => {
  if (!all && widened.isEmpty) return { arguments: given, pointers: [] }
  const removal = new Removal(new PlaceSchema(schema), widened, all)
  const cleaned = removal.object(given, schema, [])
  return { arguments: cleaned, pointers: removal.pointers }
}
