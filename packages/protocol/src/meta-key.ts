import { metaKey } from "./schema/meta.js"

/** Reserved names that a caller may give a value to; the rest of the reserved ones is the protocol's own. */
const forCallers: ReadonlySet<string> = new Set([
  "progressToken",
  "traceparent",
  "tracestate",
  "baggage",
  metaKey.relatedTask,
])

/** A label begins with a letter and ends with a letter or digit (V25-META-04, V26-META-10). */
const prefix = /^(?:[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?\.)*[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?$/
const name = /^(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)?$/

/** 2025-06-18 reserves more than its successors: these words anywhere but in the last place (V25-META-05). */
const isReserved = (labels: ReadonlyArray<string>): boolean =>
  labels.some(
    (label, at) =>
      (label === "modelcontextprotocol" || label === "mcp") && (at === 1 || at < labels.length - 1),
  )

/**
 * What is wrong with a key that a caller wants to put into `_meta`, or nothing. Keys are
 * `prefix/name` or a bare name; prefixes of the protocol are refused.
 *
 * @example
 * metaKeyFault("com.example/ticket") // undefined
 * metaKeyFault("io.mcp/ticket") // "its prefix is reserved for the protocol"
 */
export const metaKeyFault = (key: string): string | undefined => {
  if (forCallers.has(key)) return undefined
  const slash = key.indexOf("/")
  const given = slash === -1 ? undefined : key.slice(0, slash)
  if (!name.test(key.slice(slash + 1))) return "its name has a character that no name may have"
  if (given === undefined) return undefined
  if (!prefix.test(given)) return "its prefix is not a list of labels with dots between"
  return isReserved(given.split(".")) ? "its prefix is reserved for the protocol" : undefined
}

/**
 * What is wrong with the id of an extension, or nothing. It is written like a key of `_meta`, and its prefix is
 * not optional (V26-EXT-02); the protocol's own prefix is for extensions of the protocol.
 *
 * @example
 * extensionIdFault("io.modelcontextprotocol/tasks") // undefined
 * extensionIdFault("tasks") // "it has no prefix"
 */
export const extensionIdFault = (id: string): string | undefined => {
  const slash = id.indexOf("/")
  if (slash === -1) return "it has no prefix"
  if (!prefix.test(id.slice(0, slash)))
    return "its prefix is not a list of labels with dots between"
  return name.test(id.slice(slash + 1))
    ? undefined
    : "its name has a character that no name may have"
}
