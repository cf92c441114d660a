import { isJsonObject, metaKeyFault, type JsonObject } from "@entente/protocol"

/** An id as text: an answer may give a number back as its digits (C053). Anything else is no id. */
export const idText = (id: unknown): string | undefined =>
  typeof id === "string" || typeof id === "number" ? String(id) : undefined

/** The members of a message, whatever it is. */
export const partsOf = (message: unknown) => {
  const parts = isJsonObject(message) ? message : {}
  const { method, params } = parts
  return {
    id: idText(parts["id"]),
    method: typeof method === "string" ? method : undefined,
    params: isJsonObject(params) ? params : undefined,
    result: parts["result"],
    error: isJsonObject(parts["error"]) ? parts["error"] : undefined,
  }
}

/** The parameters of a message as text, but for `_meta`, which each client writes for itself. */
export const paramsText = (message: unknown): string => {
  const { params } = partsOf(message)
  if (params === undefined) return ""
  const { _meta, ...own } = params
  return JSON.stringify(own)
}

/** What a caller wrote into `_meta`: keys of the protocol are put on by the client that sends. */
export const ownMeta = (params: JsonObject): JsonObject | undefined => {
  const meta = params["_meta"]
  if (!isJsonObject(meta)) return undefined
  const own = Object.entries(meta).filter(
    ([key]) => metaKeyFault(key) === undefined && !ofThisCall.has(key),
  )
  return own.length === 0 ? undefined : Object.fromEntries(own)
}

/** What names one call and no other. */
const ofThisCall: ReadonlySet<string> = new Set(["progressToken", "traceparent", "tracestate"])
