import type { SchemaPlace } from "@entente/protocol"

/** A schema under `$defs`. */
interface Definition {
  readonly name: string
  readonly place: SchemaPlace
}

/** What a definition may be called without any escapes. */
const foreign = /[^a-zA-Z0-9_.-]+/g

/** The schemas that references lead to, under the names that they have under `$defs` at the root. */
export class Definitions implements Iterable<Definition> {
  readonly #byPointer = new Map<string, Definition>()
  readonly #taken = new Set<string>()

  /** The name for a schema: the server's own where it can be, and the same whenever it is asked for. */
  nameOf(place: SchemaPlace): string {
    const known = this.#byPointer.get(place.pointer)
    if (known !== undefined) return known.name
    const last = place.pointer.slice(place.pointer.lastIndexOf("/") + 1)
    const plain = last.replaceAll(foreign, "_").slice(0, 60) || "root"
    let name = plain
    for (let count = 2; this.#taken.has(name); count++) name = `${plain}_${count}`
    this.#taken.add(name)
    this.#byPointer.set(place.pointer, { name, place })
    return name
  }

  /** Whether a reference leads to the schema at that pointer. */
  has(pointer: string): boolean {
    return this.#byPointer.has(pointer)
  }

  /** In the order in which they were asked for; those that are asked for meanwhile come last. */
  [Symbol.iterator](): Iterator<Definition> {
    return this.#byPointer.values()
  }
}
