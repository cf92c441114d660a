import { isJsonObject } from "@entente/protocol"
import type { Arrival } from "./arrival.js"

const member = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as { readonly [name: string]: unknown })[name] // an own member was just found
    : undefined

/** What a JSON pointer leads to; nothing where it leads nowhere. */
export const at = (pointer: string, message: unknown): unknown =>
  pointer
    .split("/")
    .slice(1)
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce(member, message)

const asText = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "")

const asJson = (text: string | undefined): unknown => {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return text
  }
}

/** What placeholders are read from. */
type Source = Pick<Arrival, "message" | "headers">

const readers: Readonly<Record<string, (operand: string, source: Source) => unknown>> = {
  $from: (pointer, { message }) => at(pointer, message),
  $text: (pointer, { message }) => asText(at(pointer, message)),
  $header: (name, { headers }) => asJson(headers?.[name.toLowerCase()]),
}

/**
 * A step with its placeholders replaced by what they point at in what is answered. What is not there
 * becomes `undefined`, which JSON leaves out.
 *
 * @example
 * fill({ progressToken: { $from: "/params/_meta/progressToken" } }, arrival)
 */
export const fill = (value: unknown, source: Source): unknown => {
  if (Array.isArray(value)) return value.map((item) => fill(item, source))
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value)
  const [name = "", operand] = entries[0] ?? []
  if (entries.length === 1 && typeof operand === "string" && Object.hasOwn(readers, name)) {
    return readers[name]?.(operand, source)
  }
  return Object.fromEntries(entries.map(([name, inner]) => [name, fill(inner, source)]))
}
