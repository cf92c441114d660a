import { isJsonObject, type JsonObject } from "./json-rpc.js"
import { requestRow } from "./method.js"
import type { Era } from "./revision.js"
import { validate } from "./validate.js"

const members = ["result", "params"] as const

/**
 * What was probably meant by a message that is none because its `result` or `params` is `[]`: the same with
 * `{}` (C103). Nothing where that is not what is wrong with it.
 */
export const withoutEmptyArray = (
  value: unknown,
): { readonly member: (typeof members)[number]; readonly message: JsonObject } | undefined => {
  if (!isJsonObject(value)) return undefined
  for (const member of members) {
    const held = value[member]
    if (Array.isArray(held) && held.length === 0) {
      return { member, message: { ...value, [member]: {} } }
    }
  }
  return undefined
}

/** Whether an empty object is a whole result of a method: its success says it all (C086). */
export const hasEmptyResult = (method: string, era: Era): boolean => {
  const shape = requestRow(method)?.[era]?.result
  return shape !== undefined && validate(shape, {}).ok
}
