import { isJsonObject, type InvalidInput, type JsonObject } from "@entente/protocol"
import { refusedInput } from "./request-options.js"
import type { TypedMethod } from "./typed-method.js"

/** Looks at what a server could only answer with a puzzle; the rest is the server's to judge (V26-TOOL-14). */
type Check = (params: JsonObject) => string | undefined

const noString = (params: JsonObject, member: string): string | undefined =>
  typeof params[member] === "string" ? undefined : `${member} is no string.`

/** Absent, or an object: never null (V25-TOOL-10). */
const noObject = (value: unknown, name: string): string | undefined =>
  value === undefined || isJsonObject(value) ? undefined : `${name} is no object.`

/** Strings only (V25-PROMPT-01, V26-PROM-01, V26-COMP-02): nothing is turned into one behind the caller's back. */
const noStrings = (value: unknown, name: string): string | undefined => {
  if (value === undefined) return undefined
  if (!isJsonObject(value)) return `${name} is no object.`
  for (const key of Object.keys(value)) {
    const given = value[key]
    if (typeof given !== "string" && given !== undefined) {
      return `${name}: the value of ${JSON.stringify(key)} is no string.`
    }
  }
  return undefined
}

/** What tells each kind of reference apart from others of its kind. */
const refNames: { readonly [type: string]: string } = {
  "ref/prompt": "name",
  "ref/resource": "uri",
}

const completionFault: Check = ({ ref, argument, context }) => {
  if (!isJsonObject(ref)) return "ref is no object."
  const { type } = ref
  const name =
    typeof type === "string" && Object.hasOwn(refNames, type) ? refNames[type] : undefined
  if (name === undefined) return `ref.type is none of ${Object.keys(refNames).join(", ")}.`
  if (typeof ref[name] !== "string") return `ref.${name} is no string.`
  if (!isJsonObject(argument)) return "argument is no object."
  const fault = noString(argument, "name") ?? noString(argument, "value")
  if (fault !== undefined) return `argument.${fault}`
  if (context === undefined) return undefined
  return isJsonObject(context)
    ? noStrings(context["arguments"], "context.arguments")
    : "context is no object."
}

const checks: { readonly [Method in TypedMethod]: Check } = {
  "tools/call": (params) => noString(params, "name") ?? noObject(params["arguments"], "arguments"),
  "prompts/get": (params) =>
    noString(params, "name") ?? noStrings(params["arguments"], "arguments"),
  "resources/read": (params) => noString(params, "uri"),
  "completion/complete": completionFault,
}

/**
 * What is wrong with the params of a typed call, as the error to end with; nothing is sent then. A few looks,
 * no schema: this is on the way of every call.
 */
export const paramsFault = (
  method: TypedMethod,
  params: object,
  target: string,
): InvalidInput | undefined => {
  const what = isJsonObject(params) ? checks[method](params) : "its params are no object."
  return what === undefined ? undefined : refusedInput(method, what, target)
}
