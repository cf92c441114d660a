import { isJsonObject } from "./json-rpc.js"
import type { Revision } from "./revision.js"

/** What one side must have declared before a message may be sent. */
export interface Gate {
  /**
   * Whose capabilities count: those of the side that gets the message, or of the one that sends it.
   */
  readonly owner: "receiver" | "sender"
  /** The capability as people write it, for example `resources.subscribe`. */
  readonly capability: string
  readonly path: ReadonlyArray<string>
  /** The revision that introduced the capability; before it there is no gate. */
  readonly since?: Revision
}

/** The side that gets the message declared this. */
export const receiver = (capability: string): Gate => ({
  owner: "receiver",
  capability,
  path: capability.split("."),
})

/** The side that sends the message declared this. */
export const sender = (capability: string): Gate => ({ ...receiver(capability), owner: "sender" })

/** One of the sides declared this extension (V26-EXT-01). */
export const extension = (owner: Gate["owner"], id: string): Gate => ({
  owner,
  capability: `extensions.${id}`,
  path: ["extensions", id],
})

/**
 * Whether capabilities open a gate. An object, even an empty one, declares a capability; a flag has
 * to be true (V25-CAP-01, V25-CAP-03).
 */
export const opens = (capabilities: unknown, gate: Gate): boolean => {
  let found = capabilities
  for (const name of gate.path) {
    if (!isJsonObject(found) || !Object.hasOwn(found, name)) return false
    found = found[name]
  }
  return found !== undefined && found !== null && found !== false
}
