import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import { isJsonObject, type JsonObject } from "./json-rpc.js"
import type { Shape } from "./schema/open.js"
import { tolerates, type Note, type ToleranceCode, type TolerancePolicy } from "./tolerance.js"
import { jsonPointer, validate, type Mismatch } from "./validate.js"

/** A value that has its shape, perhaps after a deviation was tolerated, or why it has not. */
export type TolerantValidation<T> =
  | { readonly ok: true; readonly value: T; readonly notes: ReadonlyArray<Note> }
  /**
   * `tolerance` names the rule that would have accepted the value, had it not been switched off.
   */
  | (Mismatch & { readonly tolerance?: ToleranceCode })

const code = "null-is-absent" satisfies ToleranceCode

const noNotes: ReadonlyArray<Note> = []

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
 * One walk over a value along its description. It drops the nulls that stand where a member is
 * optional and null means nothing, and copies only what lies on the way to them: what comes back
 * unchanged held none.
 */
class NullDrop {
  /** A JSON pointer to the first null that was dropped. */
  first = ""
  readonly #path: Array<string | number> = []

  clean(type: SchemaAST.AST, value: unknown): unknown {
    if (SchemaAST.isUnion(type)) return this.#inAlternatives(type, value)
    if (SchemaAST.isArrays(type) && Array.isArray(value)) return this.#inArray(type, value)
    if (SchemaAST.isObjects(type) && isJsonObject(value)) return this.#inObject(type, value)
    return value
  }

  #inObject(object: SchemaAST.Objects, value: JsonObject): JsonObject {
    let copy: Record<string, unknown> | undefined
    const visit = (name: string, type: SchemaAST.AST) => {
      this.#path.push(name)
      if (value[name] === null && SchemaAST.isOptional(type) && !acceptsNull(type)) {
        if (this.first === "") this.first = jsonPointer(this.#path)
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

  /** The value as it is, if it fits; or else without the nulls that keep it from fitting. */
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
 * Checks a value as `validate` does. If it fails and holds nulls where members are optional, they
 * are dropped from a copy, which is checked again and handed out with a note of the first; all else
 * in it is the original. A null that a shape allows, such as `structuredContent`, stays.
 *
 * @example
 * validateTolerantly(Tool, { name: "x", title: null, inputSchema: { type: "object" } }, {})
 * // { ok: true, value: { name: "x", … }, notes: [{ code: "null-is-absent", detail: "/title" }] }
 */
export const validateTolerantly = <T>(
  shape: Shape<T>,
  value: unknown,
  policy: TolerancePolicy,
): TolerantValidation<T> => {
  const asSent = validate(shape, value)
  if (asSent.ok) return { ok: true, value: asSent.value, notes: noNotes }
  const nulls = new NullDrop()
  const repaired = nulls.clean(shape.ast, value)
  if (repaired === value) return asSent
  const again = validate(shape, repaired)
  if (!tolerates(policy, code)) return again.ok ? { ...asSent, tolerance: code } : asSent
  return again.ok ? { ...again, notes: [{ code, detail: nulls.first }] } : again
}
