import { InvalidInput, explain, isJsonObject, type JsonObject } from "@entente/protocol"

/** What is wrong with `arguments`, which is there, as the end of a sentence. */
const faults: { readonly [method: string]: (given: unknown) => string | undefined } = {
  // V25-TOOL-10: none at all is absent or `{}`, never null.
  "tools/call": (given) => (isJsonObject(given) ? undefined : "is no object"),
  // V25-PROMPT-01, V26-PROM-01: a server that gets a number has to guess how it is written.
  "prompts/get": (given) => {
    if (!isJsonObject(given)) return "is no object"
    const odd = Object.keys(given).find((name) => typeof given[name] !== "string")
    return odd === undefined ? undefined : `has ${JSON.stringify(odd)}, which is no string`
  },
}

/**
 * What is wrong with the arguments of a typed call, as the error to end with; nothing is sent then. `request`
 * sends whatever it is given.
 */
export const argumentsFault = (
  method: string,
  params: JsonObject | undefined,
  target: string,
): InvalidInput | undefined => {
  const given = params?.["arguments"]
  if (given === undefined || !Object.hasOwn(faults, method)) return undefined
  const fault = faults[method]?.(given)
  if (fault === undefined) return undefined
  const what = `${method}: arguments ${fault}.`
  return new InvalidInput(explain("invalid-input", "input", target, what))
}
