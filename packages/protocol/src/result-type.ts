import type { JsonObject } from "./json-rpc.js"
import { requestRow } from "./method.js"
import { tasksExtension } from "./schema/capability.js"
import type { Validation } from "./validate.js"

/** What a modern result says it is: the end, a question, or a task that will bring the end. */
export type ResultType = "complete" | "input_required" | "task"

const isAllowed = (type: string, method: string, extensions: JsonObject): type is ResultType => {
  switch (type) {
    case "complete":
      return true
    case "input_required":
      return requestRow(method)?.multiRound === true
    case "task":
      return requestRow(method)?.taskable === true && Object.hasOwn(extensions, tasksExtension)
    default:
      return false
  }
}

/**
 * Reads the `resultType` of a modern result, before anything else in it is looked at
 * (V26-RTYPE-05). Absent means complete (V26-RTYPE-01). `input_required` is an answer to three
 * methods only, and `task` to `tools/call`, if the client advertised the extension; any other value
 * makes the result invalid (V26-RTYPE-03, V26-RTYPE-04).
 *
 * @param extensions what the client put under `extensions` in the capabilities of that request.
 * @example
 * readResultType("tools/list", { resultType: "input_required" }) // { ok: false, … }
 */
export const readResultType = (
  method: string,
  result: JsonObject,
  extensions: JsonObject = {},
): Validation<ResultType> => {
  const type = result["resultType"]
  if (type === undefined) return { ok: true, value: "complete" }
  const invalid = (reason: string) => ({ ok: false, pointer: "/resultType", reason }) as const
  if (typeof type !== "string") return invalid("Expected string")
  return isAllowed(type, method, extensions)
    ? { ok: true, value: type }
    : invalid(`not a result type of ${method}`)
}
