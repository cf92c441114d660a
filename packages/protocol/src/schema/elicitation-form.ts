import * as Schema from "effect/Schema"
import { open, optional } from "./open.js"

const label = { title: optional(Schema.String), description: optional(Schema.String) }
const text = { ...label, type: Schema.Literal("string"), default: optional(Schema.String) }
const options = Schema.Array(open({ const: Schema.String, title: Schema.String }))

/** Found where a choice is meant but none of the two kinds fits. */
const noChoice = optional(
  Schema.Never.annotate({ expected: "a list of strings, or of const and title" }),
)

/**
 * A line of text. A choice that is none of the two below must not pass for one, or the person would
 * be asked something else than the server meant (V26-ELIC-17).
 */
export class StringField extends Schema.Opaque<StringField>()(
  open({
    ...text,
    enum: noChoice,
    oneOf: noChoice,
    minLength: optional(Schema.Finite),
    maxLength: optional(Schema.Finite),
    /** In the prose of 2025-11-25 alone. */
    pattern: optional(Schema.String),
    format: optional(Schema.Literals(["email", "uri", "date", "date-time"])),
  }),
) {}

/** One of several strings; `enumNames` is the older way to give them titles (V25-ELI-04). */
export class EnumField extends Schema.Opaque<EnumField>()(
  open({
    ...text,
    enum: Schema.Array(Schema.String),
    enumNames: optional(Schema.Array(Schema.String)),
  }),
) {}

/** One of several strings, each with a title. */
export class TitledEnumField extends Schema.Opaque<TitledEnumField>()(
  open({ ...text, oneOf: options }),
) {}

const number = {
  ...label,
  minimum: optional(Schema.Finite),
  maximum: optional(Schema.Finite),
  default: optional(Schema.Finite),
}

/** Any number. */
export class NumberField extends Schema.Opaque<NumberField>()(
  open({ ...number, type: Schema.Literal("number") }),
) {}

/** A whole number. */
export class IntegerField extends Schema.Opaque<IntegerField>()(
  open({ ...number, type: Schema.Literal("integer") }),
) {}

/** Yes or no. */
export class BooleanField extends Schema.Opaque<BooleanField>()(
  open({ ...label, type: Schema.Literal("boolean"), default: optional(Schema.Boolean) }),
) {}

const several = {
  ...label,
  type: Schema.Literal("array"),
  minItems: optional(Schema.Finite),
  maxItems: optional(Schema.Finite),
  default: optional(Schema.Array(Schema.String)),
}

/** Any number of several strings. */
export class MultiSelectField extends Schema.Opaque<MultiSelectField>()(
  open({
    ...several,
    items: open({ type: Schema.Literal("string"), enum: Schema.Array(Schema.String) }),
  }),
) {}

/** Any number of several strings, each with a title. */
export class TitledMultiSelectField extends Schema.Opaque<TitledMultiSelectField>()(
  open({ ...several, items: open({ anyOf: options }) }),
) {}

/**
 * One field of a form: the primitives that MCP allows, and nothing nested (V25-ELI-02,
 * V26-ELIC-10).
 */
export const FormField = Schema.Union([
  StringField,
  EnumField,
  TitledEnumField,
  NumberField,
  IntegerField,
  BooleanField,
  MultiSelectField,
  TitledMultiSelectField,
]).annotate({ expected: "a string, number, integer, boolean or choice" })
export type FormField = typeof FormField.Type

/**
 * The JSON Schema of a form. Anything outside this subset is to be refused, not improvised
 * (V26-ELIC-17).
 */
export class RequestedSchema extends Schema.Opaque<RequestedSchema>()(
  open({
    $schema: optional(Schema.String),
    type: Schema.Literal("object"),
    properties: Schema.Record(Schema.String, FormField),
    required: optional(Schema.Array(Schema.String)),
  }),
) {}
