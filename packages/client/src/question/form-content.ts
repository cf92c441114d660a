import {
  isJsonObject,
  jsonPointer,
  type FormField,
  type Mismatch,
  type RequestedSchema,
} from "@entente/protocol"
import type { FormContent } from "./handlers.js"
import { checkField } from "./form-field.js"

type Value = FormContent[string]

const fieldsOf = ({ properties }: RequestedSchema): ReadonlyArray<[string, FormField]> =>
  Object.entries(properties)

/** A form's content is made of names the server chose, so it is never built by assignment. */
const contentOf = (entries: ReadonlyArray<readonly [string, Value]>): FormContent =>
  Object.fromEntries(entries)

/**
 * The values that a form begins with: the `default` of every field that has one. A default that its own
 * field would refuse is left out.
 *
 * @example
 * defaultsOf({ type: "object", properties: { size: { type: "string", default: "m" } } }) // { size: "m" }
 */
export const defaultsOf = (form: RequestedSchema): FormContent =>
  contentOf(
    fieldsOf(form).flatMap(([name, field]) => {
      const value = field.default
      const fits = value !== undefined && typeof checkField(field, value) !== "object"
      return fits ? [[name, value] as const] : []
    }),
  )

/** What fields are called that ask for secrets; forms must not have any (V26-ELIC-15). */
const secret =
  /pass(?:word|phrase|code)|passwd|\bpwd\b|\bpin\b|secret|token|api[-_ ]?key|private[-_ ]?key|credential|\bcvv\b|\bcvc\b|\bssn\b/i

/** The fields whose name or title sounds like a secret. */
export const secretFieldsOf = (form: RequestedSchema): ReadonlyArray<string> =>
  fieldsOf(form).flatMap(([name, { title = "" }]) =>
    secret.test(name) || secret.test(title) ? [name] : [],
  )

/** Keywords with which a form says more than a form can: what they demand would go unseen. */
const beyondForms = {
  root: ["$ref", "allOf", "anyOf", "oneOf", "not", "if", "patternProperties", "dependentRequired"],
  field: ["$ref", "allOf", "anyOf", "not", "if", "const", "properties", "prefixItems"],
  /** A choice exists of strings alone. */
  plain: ["enum", "oneOf"],
} as const

const has = (schema: object, keywords: ReadonlyArray<string>): string | undefined =>
  keywords.find((keyword) => Object.hasOwn(schema, keyword))

/**
 * What in a form is outside the subset that MCP allows, beyond its shape. Such a form is refused and not
 * improvised (V25-ELI-02, V26-ELIC-17).
 */
export const checkForm = (form: RequestedSchema): Mismatch | undefined => {
  const root = has(form, beyondForms.root)
  if (root !== undefined)
    return { ok: false, pointer: jsonPointer([root]), reason: "no keyword of forms" }
  for (const [name, field] of fieldsOf(form)) {
    const keyword =
      has(field, beyondForms.field) ??
      (field.type === "string" ? undefined : has(field, beyondForms.plain))
    if (keyword !== undefined) {
      const pointer = jsonPointer(["properties", name, keyword])
      return { ok: false, pointer, reason: "no keyword of forms" }
    }
  }
  const missing = form.required?.findIndex((name) => !Object.hasOwn(form.properties, name)) ?? -1
  return missing < 0
    ? undefined
    : { ok: false, pointer: `/required/${missing}`, reason: "a field that the form does not have" }
}

/** An answer that may be sent, the fields whose pattern nobody checked, or what is wrong with it. */
export type FilledForm =
  | { readonly ok: true; readonly content: FormContent; readonly unchecked: ReadonlyArray<string> }
  | Mismatch

/** Fills an answer up with defaults and checks all of it; nothing the form does not have goes out. */
export const fillForm = (form: RequestedSchema, given: unknown = {}): FilledForm => {
  const wrong = (name: string | undefined, reason: string): Mismatch => ({
    ok: false,
    pointer: jsonPointer(name === undefined ? ["content"] : ["content", name]),
    reason,
  })
  if (!isJsonObject(given)) return wrong(undefined, "expected an object")
  const defaults = defaultsOf(form)
  const strange = Object.keys(given).find((name) => !Object.hasOwn(form.properties, name))
  if (strange !== undefined) return wrong(strange, "a field that the form does not have")
  const entries: Array<readonly [string, Value]> = []
  const unchecked: Array<string> = []
  for (const [name, field] of fieldsOf(form)) {
    const own = Object.hasOwn(given, name) ? given[name] : undefined
    const value = own === undefined && Object.hasOwn(defaults, name) ? defaults[name] : own
    if (value === undefined) {
      if (form.required?.includes(name) === true) return wrong(name, "the field is required")
      continue
    }
    const check = checkField(field, value)
    if (typeof check === "object") return wrong(name, `expected ${check.expected}`)
    if (check !== undefined) unchecked.push(name)
    entries.push([name, value as Value]) // just checked
  }
  return { ok: true, content: contentOf(entries), unchecked }
}
