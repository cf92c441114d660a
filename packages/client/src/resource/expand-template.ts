import { InvalidInput, explain, type ResourceTemplate } from "@entente/protocol"
import { excerpt } from "@entente/transport"
import { parseTemplate } from "url-template"

type Text = string | number | boolean

/** What a variable of a template may stand for; null and undefined, and empty lists, stand for nothing. */
export type TemplateValue =
  | Text
  | ReadonlyArray<Text | null | undefined>
  | Readonly<Record<string, Text | null | undefined>>
  | null
  | undefined

/** A template of RFC 6570, by itself or as `client.resources.templates` lists it. */
export type AnyTemplate = string | Pick<ResourceTemplate, "uriTemplate">

/** One expression: an operator or none, and what stands behind it. */
const expression = /\{([+#./;?&]?)([^{}]*)\}/g
/** A variable, and how it is cut short or spread out. The parts of a name cannot overlap, so this is linear. */
const variable = /^((?:\w|%[\dA-Fa-f]{2})+(?:\.(?:\w|%[\dA-Fa-f]{2})+)*)(?::([1-9]\d{0,3})|\*)?$/

/** More characters than this are no template but an attack: each may stand for a long value. */
const maxLength = 8_192

/**
 * The names of the variables of a template, in order: what a form has to ask for, and what `complete` is asked
 * about. Throws `InvalidInput` for what is no template.
 *
 * @example
 * templateVariables("file:///{+path}{?lines,encoding}") // ["path", "lines", "encoding"]
 */
export const templateVariables = (template: AnyTemplate): ReadonlyArray<string> => {
  const text = textOf(template)
  const names = new Set<string>()
  for (const [, , list = ""] of text.matchAll(expression)) {
    for (const [, name = ""] of variablesIn(list, text)) names.add(name)
  }
  return [...names]
}

/**
 * The URI that a resource template stands for, by RFC 6570 in all its four levels (V26-RES-06); `readResource`
 * takes it. A variable without a value is left out, as the RFC wants it. Throws `InvalidInput` for what is no
 * template, and for values that are neither text nor lists of texts.
 *
 * @example
 * expandTemplate("db:///{table}{?limit}", { table: "a/b", limit: 10 }) // "db:///a%2Fb?limit=10"
 */
export const expandTemplate = (
  template: AnyTemplate,
  variables: Readonly<Record<string, TemplateValue>>,
): string => {
  const text = textOf(template)
  // Only what was given: a template may name `constructor`.
  const given: Record<string, Text | Array<Text> | Record<string, Text>> = Object.create(null)
  for (const name of templateVariables(text)) {
    const value = Object.hasOwn(variables, name) ? valueOf(name, variables[name], text) : undefined
    if (value !== undefined) given[name] = value
  }
  const exact = text.replaceAll(expression, (_, operator: string, list: string) => {
    const parts = variablesIn(list, text).map(([part, name = "", most]) =>
      most === undefined ? part : `${name}:${lengthOf(given[name], Number(most))}`,
    )
    return `{${operator}${parts.join(",")}}`
  })
  try {
    return parseTemplate(exact).expand(given)
  } catch (cause) {
    // Half a surrogate pair, or more than a string can hold.
    throw refusal("cannot be filled in with these values", text, cause)
  }
}

/** Prefixes count characters; the parts of a string that JavaScript counts are sometimes half of one. */
const lengthOf = (value: unknown, most: number): number =>
  typeof value === "string" ? [...value].slice(0, most).join("").length || most : most

const variablesIn = (list: string, text: string): ReadonlyArray<RegExpExecArray> =>
  list.split(",").map((part) => {
    const found = variable.exec(part)
    if (found === null) throw refusal(`has no variable in ${excerpt(`{${part}}`)}`, text)
    return found
  })

const textOf = (template: AnyTemplate): string => {
  const text = typeof template === "string" ? template : template.uriTemplate
  if (text.length > maxLength) throw refusal(`is longer than ${maxLength} characters`, text)
  if (/[{}]/.test(text.replaceAll(expression, ""))) {
    throw refusal("has a brace without its other half", text)
  }
  return text
}

const isText = (value: unknown): value is Text =>
  typeof value === "string" || typeof value === "boolean" || Number.isFinite(value)

/** The value without what stands for nothing; nothing where none of it is left (RFC 6570, 2.3). */
const valueOf = (name: string, value: TemplateValue, text: string) => {
  if (value === undefined || value === null) return undefined
  if (isText(value)) return value
  if (typeof value !== "object") throw refusal(`takes no ${typeof value} for ${name}`, text)
  const entries = Object.entries(value).filter(
    ([, member]) => member !== null && member !== undefined,
  )
  const members = entries.map(([key, member]): [string, Text] => {
    if (!isText(member)) throw refusal(`takes texts in ${name}, not ${typeof member}`, text)
    return [key, member]
  })
  if (members.length === 0) return undefined
  return Array.isArray(value) ? members.map(([, member]) => member) : Object.fromEntries(members)
}

const refusal = (why: string, template: string, cause?: unknown): InvalidInput => {
  const what = `The template ${excerpt(template)} ${why}.`
  const fields = explain("invalid-input", "input", "resource template", what)
  return new InvalidInput(cause === undefined ? fields : { ...fields, cause })
}
