import { isJsonObject } from "@entente/protocol"
import { callOf, type Arrival } from "./arrival.js"
import { at } from "./placeholder.js"

/** The parameter that `Mcp-Name` repeats, by method (V26-HDR-03, V26-HDR-04). */
const namedBy: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
  "tasks/get": "taskId",
  "tasks/update": "taskId",
  "tasks/cancel": "taskId",
}

/** A header value as its sender meant it: plain, or Base64 between markers (V26-XHDR-09). */
const decoded = (value: string | undefined): string | undefined => {
  const base64 = value === undefined ? undefined : /^=\?base64\?(.*)\?=$/.exec(value)?.[1]
  if (base64 === undefined) return value
  try {
    return new TextDecoder().decode(
      Uint8Array.from(atob(base64), (character) => character.codePointAt(0) ?? 0),
    )
  } catch {
    return undefined
  }
}

/**
 * Whether the headers of a modern request repeat its body: the version, the method, and the name where
 * the method has one (V26-HDR-01, V26-HDR-02, V26-HDR-03).
 */
export const isMirrored = (arrival: Arrival): boolean => {
  const call = callOf(arrival)
  if (call === undefined) return true
  const headers = arrival.headers ?? {}
  const meta = call.params?.["_meta"]
  const version = isJsonObject(meta) ? meta["io.modelcontextprotocol/protocolVersion"] : undefined
  const nameAt = Object.hasOwn(namedBy, call.method) ? namedBy[call.method] : undefined
  const name = nameAt === undefined ? undefined : call.params?.[nameAt]
  return (
    (version === undefined || headers["mcp-protocol-version"] === version) &&
    headers["mcp-method"] === call.method &&
    (name === undefined || decoded(headers["mcp-name"]) === name)
  )
}

/** Whether a header says what a value in the body says; a value that is not there has none. */
const repeats = (header: string | undefined, value: unknown): boolean => {
  if (value === undefined || value === null) return header === undefined
  const said = decoded(header)
  // Integers are compared as numbers (V26-XHDR-12).
  if (typeof value === "number") return said !== undefined && /^-?\d/.test(said) && +said === value
  return said === String(value)
}

/** Whether all these headers repeat what their JSON pointers lead to in the message (V26-XHDR-12). */
export const repeatsAll = (
  { headers = {}, message }: Arrival,
  pointers: Readonly<Record<string, string>>,
): boolean =>
  Object.entries(pointers).every(([name, pointer]) =>
    repeats(headers[name.toLowerCase()], at(pointer, message)),
  )
