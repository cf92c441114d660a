import { isJsonObject } from "@entente/protocol"

const member = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as { readonly [name: string]: unknown })[name] // an own member was just found
    : undefined

const at = (pointer: string, message: unknown): unknown =>
  pointer
    .split("/")
    .slice(1)
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce(member, message)

const asText = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "")

/**
 * A step with its placeholders replaced by what they point at in the message that is answered. What is
 * not there becomes `undefined`, which JSON leaves out.
 *
 * @example
 * fill({ progressToken: { $from: "/params/_meta/progressToken" } }, message)
 */
export const fill = (value: unknown, message: unknown): unknown => {
  if (Array.isArray(value)) return value.map((item) => fill(item, message))
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value)
  const [name, pointer] = entries[0] ?? []
  if (entries.length === 1 && typeof pointer === "string") {
    if (name === "$from") return at(pointer, message)
    if (name === "$text") return asText(at(pointer, message))
  }
  return Object.fromEntries(entries.map(([name, inner]) => [name, fill(inner, message)]))
}
