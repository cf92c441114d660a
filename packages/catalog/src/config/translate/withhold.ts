import { hasLiteral, literalText, type Part, type Template } from "../template/template.js"
import { variableName } from "./reference.js"

/** The scheme of a credential is no secret, and it is wanted beside the reference. */
const scheme = /^(?:Bearer|Basic|Token|ApiKey|Digest) +/i

/** A run of characters that could be a key. In a text with references such a run is rare otherwise. */
const keyLike = /[A-Za-z0-9_+=-]{12,}/

const withoutDefault = (part: Part): Part =>
  part.kind === "variable" ? { kind: "variable", name: part.name } : part

/** A value that may be written into another file, and the variable that has to be set for it. */
export interface Withheld {
  readonly template: Template
  /** The variable that now stands where something was written down. */
  readonly variable: string | undefined
  /** Whether a default was left out. */
  readonly defaultLost: boolean
}

/**
 * Takes what was written down out of the value of a variable or a header: nobody can tell which of them are
 * secrets, so all are taken for one. References stay.
 */
export const withhold = (template: Template, variable: string): Withheld => {
  const defaultLost = template.some(
    (part) => part.kind === "variable" && (part.otherwise ?? "") !== "",
  )
  const whole = literalText(template)
  const replaced = (before: string): Withheld => ({
    template: [
      ...(before === "" ? [] : [{ kind: "text", text: before } as const]),
      { kind: "variable", name: variable },
    ],
    variable,
    defaultLost,
  })
  if (whole === "") return { template, variable: undefined, defaultLost }
  if (whole !== undefined) return replaced(scheme.exec(whole)?.[0] ?? "")
  const suspicious =
    hasLiteral(template) && template.some((part) => part.kind === "text" && keyLike.test(part.text))
  return suspicious
    ? replaced("")
    : { template: template.map(withoutDefault), variable: undefined, defaultLost }
}

/** The variable that takes the place of a header's value. */
export const headerVariable = (server: string, header: string): string =>
  variableName(server, header.toLowerCase() === "authorization" ? "token" : header)

/** The variable that takes the place of a secret in an argument: named after its flag. */
export const argumentVariable = (
  server: string,
  index: number,
  argument: string,
  before: string | undefined,
): string => {
  const [, flag] =
    /^--?([\w-]+)=/.exec(argument) ?? /^--?([\w-]+)$/.exec(before ?? "") ?? ([] as const)
  return variableName(server, flag ?? `argument ${index + 1}`)
}
