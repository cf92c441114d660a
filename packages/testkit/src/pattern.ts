import { isJsonObject } from "@entente/protocol"
import type { Operator } from "./script.js"

const equal = (a: unknown, b: unknown): boolean => {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => equal(item, b[index]))
  }
  if (isJsonObject(a) && isJsonObject(b)) {
    const names = Object.keys(a)
    return (
      names.length === Object.keys(b).length &&
      names.every((name) => Object.hasOwn(b, name) && equal(a[name], b[name]))
    )
  }
  return a === b
}

const present = (value: unknown): boolean => value !== undefined

/** The operators of a pattern, by the member that names them. */
const operators: Record<string, (operand: never, value: unknown) => boolean> = {
  $present: (wanted: boolean, value) => present(value) === wanted,
  $oneOf: (wanted: ReadonlyArray<unknown>, value) => wanted.some((one) => equal(one, value)),
  $noneOf: (refused: ReadonlyArray<unknown>, value) =>
    present(value) && !refused.some((one) => equal(one, value)),
  $lacks: (part: string, value) => typeof value !== "string" || !value.includes(part),
}

/** Whether an object is an operator: its one member names it. */
export const isOperator = (pattern: unknown): pattern is Operator => {
  if (!isJsonObject(pattern)) return false
  const names = Object.keys(pattern)
  return names.length === 1 && names[0] !== undefined && Object.hasOwn(operators, names[0])
}

/**
 * Whether a pattern is found in a value. Objects match in part, and what is not there has no members:
 * so `{ _meta: { progressToken: { $present: false } } }` holds where there is no `_meta` at all.
 *
 * @example
 * matchesPattern({ cursor: { $present: false } }, undefined) // true
 */
export const matchesPattern = (pattern: unknown, value: unknown): boolean => {
  if (isOperator(pattern)) {
    return Object.entries(pattern).every(
      ([name, operand]) => operators[name]?.(operand as never, value), // the operator's own member holds its operand
    )
  }
  if (isJsonObject(pattern)) {
    const object = isJsonObject(value) ? value : {}
    return Object.entries(pattern).every(([name, member]) =>
      matchesPattern(member, Object.hasOwn(object, name) ? object[name] : undefined),
    )
  }
  if (Array.isArray(pattern)) {
    return (
      Array.isArray(value) &&
      value.length === pattern.length &&
      pattern.every((item, index) => matchesPattern(item, value[index]))
    )
  }
  return pattern === value
}
