import type { JsonObject } from "./json-rpc.js"
import { requestRow } from "./method.js"

const opening = "=?base64?"
const closing = "?="

/**
 * Printable ASCII without a space at either end; a tab counts as a control character (V26-XHDR-11).
 */
const plain = /^(?:[!-~](?:[ -~]*[!-~])?)?$/

const looksEncoded = (value: string): boolean =>
  value.startsWith(opening) && value.endsWith(closing)

/**
 * A string as the value of an MCP header. Plain text goes as it is; anything else, and plain text
 * that would be taken for the encoded form, goes as Base64 of its UTF-8 bytes between two marks
 * (V26-HDR-05, V26-XHDR-09, V26-XHDR-10). The result is always safe in a header (V26-SEC-06).
 *
 * @example
 * encodeHeaderValue("Liège") // "=?base64?TGnDqGdl?="
 */
export const encodeHeaderValue = (value: string): string => {
  if (plain.test(value) && !looksEncoded(value)) return value
  let bytes = ""
  for (const byte of new TextEncoder().encode(value)) bytes += String.fromCharCode(byte)
  return `${opening}${btoa(bytes)}${closing}`
}

/**
 * The value of `Mcp-Name` for a modern request, encoded, or nothing where the method has none: a
 * tool's or prompt's name, a resource's URI, a task's id (V26-HDR-03, V26-HDR-04).
 */
export const mirroredName = (method: string, params: JsonObject): string | undefined => {
  const member = requestRow(method)?.modern?.mirrors
  const name = member === undefined ? undefined : params[member]
  return typeof name === "string" ? encodeHeaderValue(name) : undefined
}

/** `token` of RFC 9110, section 5.6.2. */
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

/** Whether a header can have this name (V26-XHDR-03 a). */
export const isHeaderName = (name: string): boolean => token.test(name)

/** What HTTP allows in a value: no control character but the tab, and nothing beyond one byte. */
const fieldValue = /^[\t -~\u0080-\u00ff]*$/

/**
 * What is wrong with a header that the caller wants to send, or nothing. A line break would let a
 * value become a second header (V26-SEC-06). The answer does not quote the value, which may be a
 * secret.
 *
 * @example
 * headerFault("X-Tenant", "a\r\nX-Admin: 1") // 'the value of header "X-Tenant" has a character …'
 */
export const headerFault = (name: string, value: string): string | undefined => {
  if (!isHeaderName(name)) return `${JSON.stringify(name)} is not the name of a header`
  if (!fieldValue.test(value)) {
    return `the value of header ${JSON.stringify(name)} has a character that no header may have`
  }
  return undefined
}
