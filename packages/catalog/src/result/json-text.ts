import { canonicalJson } from "@entente/client"
import { jsonSizeOf } from "@entente/protocol"

/** How much of a JSON value is taken in at all, and how deep it may be to go as JSON. */
const limits = { values: 1_000_000, depth: 100_000 }
const jsonDepth = 100

/** Escapes, one by one, so that an escaped backslash before a `u` is not taken for the beginning of one. */
const escapes = /\\(?:(u[dD][89a-fA-F][\da-fA-F]{2})|.)/g

const halves = /\p{Surrogate}/gu

/** A text without halves of characters, which some parsers of JSON refuse. */
export const withoutHalves = (text: string): string => text.replaceAll(halves, "\ufffd")

/** A JSON value, as the types of SDKs have it. */
export type Json = null | boolean | number | string | Array<Json> | { [name: string]: Json }

/** A JSON value as a text and, where everybody can take it as such, as a value. */
export interface JsonForms {
  readonly text: string
  readonly value: { readonly of: Json } | undefined
  /** Whether halves of characters were replaced. */
  readonly isRepaired: boolean
}

const write = (value: unknown): string => {
  try {
    return JSON.stringify(value) ?? "null"
  } catch {
    // Too deep for a walk by recursion; this one takes none.
    return canonicalJson(value)
  }
}

/** Both forms of structured content, or a sentence that says why there are none. */
export const jsonForms = (value: unknown): JsonForms | string => {
  try {
    return formsOf(value)
  } catch {
    return "is no JSON"
  }
}

const formsOf = (value: unknown): JsonForms | string => {
  const size = jsonSizeOf(value, limits)
  if (typeof size === "string") return size
  const isFlat = typeof jsonSizeOf(value, { ...limits, depth: jsonDepth }) === "number"
  const written = write(value)
  // Only halves of characters are written as such escapes.
  const text = written.replaceAll(escapes, (escape: string, half: string | undefined) =>
    half === undefined ? escape : "\ufffd",
  )
  const isRepaired = text !== written
  if (!isFlat) return { text, value: undefined, isRepaired }
  // It came from JSON, or comes from it here.
  const of = (isRepaired ? JSON.parse(text) : value) as Json
  return { text, value: { of }, isRepaired }
}
