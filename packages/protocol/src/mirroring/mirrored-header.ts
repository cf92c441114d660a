import type { JsonObject } from "../json-rpc.js"
import { jsonPointer } from "../json-pointer.js"
import { encodeHeaderValue } from "../wire-header.js"
import { argumentAt, type MirroredParameter, type MirroredType } from "./mirrored-parameter.js"

/** The headers that repeat arguments of a call, or the argument that can't be repeated. */
export type MirroredHeaders =
  | { readonly ok: true; readonly headers: Readonly<Record<string, string>> }
  | {
      readonly ok: false
      /** A JSON pointer from `arguments` to the value. */
      readonly pointer: string
      /** What it had to be, in plain words. It never quotes the value. */
      readonly reason: string
    }

interface Conversion {
  readonly expected: string
  /** The value as text, or nothing where it is of another type. */
  readonly text: (value: unknown) => string | undefined
}

/** Half of a pair that stands alone is no character: the body would say something else than its bytes. */
const loneSurrogate = /\p{Surrogate}/u

/** By the type in the schema (V26-XHDR-08, V26-XHDR-17). */
const conversions: { readonly [Type in MirroredType]: Conversion } = {
  string: {
    expected: "a string of whole characters",
    text: (value) => (typeof value === "string" && !loneSurrogate.test(value) ? value : undefined),
  },
  integer: {
    expected: "an integer between -(2^53 - 1) and 2^53 - 1",
    text: (value) => (Number.isSafeInteger(value) ? String(value) : undefined),
  },
  boolean: {
    expected: "true or false",
    text: (value) => (typeof value === "boolean" ? String(value) : undefined),
  },
}

/**
 * The headers `Mcp-Param-…` of a call, encoded so that nothing in a value can reach further than its header
 * (V26-XHDR-01, V26-XHDR-09, V26-SEC-06). An argument that is missing or null has none (V26-XHDR-07); one of
 * another type than its schema names is not sent at all (V26-XHDR-17).
 *
 * @example
 * mirroredHeaders([{ path: ["depot"], name: "Depot", type: "string" }], { depot: "Liège" })
 * // { ok: true, headers: { "Mcp-Param-Depot": "=?base64?TGnDqGdl?=" } }
 */
export const mirroredHeaders = (
  parameters: ReadonlyArray<MirroredParameter>,
  args: JsonObject | undefined,
): MirroredHeaders => {
  const headers: Record<string, string> = {}
  for (const { path, name, type } of parameters) {
    const value = argumentAt(path, args)
    if (value === undefined || value === null) continue
    const { expected, text } = conversions[type]
    const said = text(value)
    if (said === undefined) {
      return { ok: false, pointer: jsonPointer(path), reason: `Expected ${expected}` }
    }
    headers[`Mcp-Param-${name}`] = encodeHeaderValue(said)
  }
  return { ok: true, headers }
}
