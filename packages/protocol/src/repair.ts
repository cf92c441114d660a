import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import { isJsonObject, type JsonObject } from "./json-rpc.js"
import type { Shape } from "./schema/open.js"
import type { Note, ToleranceCode } from "./tolerance.js"
import { jsonPointer } from "./json-pointer.js"
import { validate } from "./validate.js"

/** The deviations that a walk over a value can put right. */
const repairs = ["null-is-absent", "empty-array-as-object"] as const satisfies Array<ToleranceCode>
export type RepairCode = (typeof repairs)[number]

/** A value, perhaps a copy that was put right, with one note for each kind of deviation in it. */
export interface Repaired {
  readonly value: unknown
  readonly notes: ReadonlyArray<Note & { readonly code: RepairCode }>
}

const acceptsNull = (type: SchemaAST.AST): boolean =>
  SchemaAST.isUnknown(type) ||
  SchemaAST.isNull(type) ||
  (SchemaAST.isUnion(type) && type.types.some(acceptsNull))

const shapes = new WeakMap<SchemaAST.AST, Shape>()

const fits = (type: SchemaAST.AST, value: unknown): boolean => {
  const shape = shapes.get(type) ?? Schema.make<Schema.Codec<unknown>>(type)
  shapes.set(type, shape)
  return validate(shape, value).ok
}

/**
 * One walk over a value along its description. It drops the nulls that stand where a member is optional
 * and null means nothing, puts `{}` in the place of a `[]` that stands where only an object can, and
 * copies only what lies on the way to them: what comes back unchanged held none.
 */
class Walk {
  /** A JSON pointer to the first deviation of each kind. */
  first: ReadonlyMap<RepairCode, string> = new Map()
  readonly #path: Array<string | number> = []
  readonly #wanted: (code: RepairCode) => boolean

  constructor(wanted: (code: RepairCode) => boolean) {
    this.#wanted = wanted
  }

  clean(type: SchemaAST.AST, value: unknown): unknown {
    if (this.#isObjectInDisguise(type, value)) {
      this.#note("empty-array-as-object")
      return {}
    }
    if (SchemaAST.isUnion(type)) return this.#inAlternatives(type, value)
    if (SchemaAST.isArrays(type) && Array.isArray(value)) return this.#inArray(type, value)
    if (SchemaAST.isObjects(type) && isJsonObject(value)) return this.#inObject(type, value)
    return value
  }

  /** C103: some languages cannot tell an empty list from an empty object. One that is not empty is a list. */
  #isObjectInDisguise(type: SchemaAST.AST, value: unknown): boolean {
    return (
      Array.isArray(value) &&
      value.length === 0 &&
      this.#wanted("empty-array-as-object") &&
      !fits(type, value) &&
      fits(type, {})
    )
  }

  #note(code: RepairCode): void {
    if (!this.first.has(code)) this.first = new Map(this.first).set(code, jsonPointer(this.#path))
  }

  #inObject(object: SchemaAST.Objects, value: JsonObject): JsonObject {
    let copy: Record<string, unknown> | undefined
    const visit = (name: string, type: SchemaAST.AST) => {
      this.#path.push(name)
      if (this.#isNothing(type, value[name])) {
        this.#note("null-is-absent")
        copy ??= { ...value }
        delete copy[name]
      } else {
        const member = this.clean(type, value[name])
        // The member is an own one of the copy already, so even `__proto__` is set like any other.
        if (member !== value[name]) (copy ??= { ...value })[name] = member
      }
      this.#path.pop()
    }
    for (const { name, type } of object.propertySignatures) {
      if (typeof name === "string" && Object.hasOwn(value, name)) visit(name, type)
    }
    for (const { type } of object.indexSignatures) {
      for (const name of Object.keys(value)) visit(name, type)
    }
    return copy ?? value
  }

  #isNothing(type: SchemaAST.AST, member: unknown): boolean {
    return (
      member === null &&
      this.#wanted("null-is-absent") &&
      SchemaAST.isOptional(type) &&
      !acceptsNull(type)
    )
  }

  #inArray({ rest: [type] }: SchemaAST.Arrays, value: ReadonlyArray<unknown>): unknown {
    if (type === undefined) return value
    let copy: Array<unknown> | undefined
    value.forEach((element, index) => {
      this.#path.push(index)
      const kept = this.clean(type, element)
      if (kept !== element) (copy ??= [...value])[index] = kept
      this.#path.pop()
    })
    return copy ?? value
  }

  /** The value as it is, if it fits; or else put right as far as it then fits one of them. */
  #inAlternatives(union: SchemaAST.Union, value: unknown): unknown {
    if (fits(union, value)) return value
    const { first } = this
    for (const type of union.types) {
      const kept = this.clean(type, value)
      if (kept !== value && fits(type, kept)) return kept
      this.first = first
    }
    return value
  }
}

/**
 * Puts right what is wrong with a value, as far as it is one of the wanted repairs. Nothing of the original
 * is touched; what needs no repair is handed out as it is.
 */
export const repair = (
  shape: Shape,
  value: unknown,
  wanted: (code: RepairCode) => boolean,
): Repaired => {
  const walk = new Walk(wanted)
  const repaired = walk.clean(shape.ast, value)
  const notes = [...walk.first].map(([code, detail]) => ({ code, detail }))
  return { value: repaired, notes }
}
