import { repair } from "./repair.js"
import type { Shape } from "./schema/open.js"
import { tolerates, type Note, type ToleranceCode, type TolerancePolicy } from "./tolerance.js"
import { validate, type Mismatch } from "./validate.js"

/** A value that has its shape, perhaps after a deviation was tolerated, or why it has not. */
export type TolerantValidation<T> =
  | { readonly ok: true; readonly value: T; readonly notes: ReadonlyArray<Note> }
  /**
   * `tolerance` names the rule that would have accepted the value, had it not been switched off.
   */
  | (Mismatch & { readonly tolerance?: ToleranceCode })

const noNotes: ReadonlyArray<Note> = []

/**
 * Checks a value as `validate` does. If it fails and holds nulls where members are optional, or empty
 * arrays where objects belong, they are put right in a copy, which is checked again and handed out with a
 * note of the first of each; all else in it is the original. A null that a shape allows, such as
 * `structuredContent`, stays.
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
  const tolerated = repair(shape, value, (code) => tolerates(policy, code))
  const read = validate(shape, tolerated.value)
  if (read.ok) return { ...read, notes: tolerated.notes }
  const whole = repair(shape, value, () => true)
  const refused = whole.notes.find(({ code }) => !tolerates(policy, code))
  return refused !== undefined && validate(shape, whole.value).ok
    ? { ...read, tolerance: refused.code }
    : read
}
