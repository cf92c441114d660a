import type {
  FormField,
  IntegerField,
  MultiSelectField,
  NumberField,
  StringField,
  TitledMultiSelectField,
} from "@entente/protocol"
import { formats } from "./format.js"
import { matchesPattern } from "./pattern.js"

/** Nothing to say, what was expected instead, or that the field's pattern could not be checked. */
export type FieldCheck = undefined | { readonly expected: string } | "pattern-unchecked"

/** Code points, as JSON Schema counts. */
const lengthOf = (text: string): number => {
  let length = 0
  for (const _ of text) length++
  return length
}

const within = (
  amount: number,
  least: number | undefined,
  most: number | undefined,
  what: string,
): FieldCheck => {
  if (least !== undefined && amount < least) return { expected: `${what} of at least ${least}` }
  if (most !== undefined && amount > most) return { expected: `${what} of at most ${most}` }
  return undefined
}

/** The values of a choice: given as such, or each with a title (V25-ELI-04, V26-ELIC-11). */
export const choicesOf = (field: FormField): ReadonlyArray<string> | undefined => {
  // What the members hold was established when the form was read; see `RequestedSchema`.
  const {
    enum: values,
    oneOf,
    anyOf,
  } = (field.type === "array" ? field.items : field) as {
    readonly enum?: ReadonlyArray<string>
    readonly oneOf?: ReadonlyArray<{ readonly const: string }>
    readonly anyOf?: ReadonlyArray<{ readonly const: string }>
  }
  return values ?? (field.type === "array" ? anyOf : oneOf)?.map((option) => option.const)
}

const checkText = (field: StringField, value: string): FieldCheck => {
  const { minLength, maxLength, format, pattern } = field
  const wrong = within(lengthOf(value), minLength, maxLength, "a length")
  if (wrong !== undefined) return wrong
  if (format !== undefined && !formats[format](value)) return { expected: `the format ${format}` }
  if (pattern === undefined) return undefined
  const matches = matchesPattern(pattern, value)
  if (matches === undefined) return "pattern-unchecked"
  return matches ? undefined : { expected: "a text of the pattern that the form demands" }
}

const checkNumber = (field: NumberField | IntegerField, value: number): FieldCheck =>
  within(value, field.minimum, field.maximum, "a number")

const checkSeveral = (
  field: MultiSelectField | TitledMultiSelectField,
  value: ReadonlyArray<unknown>,
): FieldCheck => {
  const choices = new Set<unknown>(choicesOf(field))
  return value.every((item) => choices.has(item))
    ? within(value.length, field.minItems, field.maxItems, "a number of choices")
    : { expected: "only choices that are offered" }
}

/**
 * Checks one value against its field: the small, closed subset of JSON Schema that forms consist of
 * (V25-ELI-07, V26-ELIC-13). What it expected never quotes the value.
 */
export const checkField = (field: FormField, value: unknown): FieldCheck => {
  switch (field.type) {
    case "string": {
      if (typeof value !== "string") return { expected: "a string" }
      const choices = choicesOf(field)
      if (choices === undefined) return checkText(field as StringField, value) // no choice: a text
      return choices.includes(value) ? undefined : { expected: "one of the choices offered" }
    }
    case "number":
    case "integer":
      if (typeof value !== "number" || !Number.isFinite(value)) return { expected: "a number" }
      return field.type === "integer" && !Number.isInteger(value)
        ? { expected: "a whole number" }
        : checkNumber(field, value)
    case "boolean":
      return typeof value === "boolean" ? undefined : { expected: "true or false" }
    case "array":
      return Array.isArray(value) ? checkSeveral(field, value) : { expected: "a list of choices" }
  }
}
