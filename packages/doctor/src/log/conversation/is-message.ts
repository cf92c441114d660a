import { isJsonObject } from "@entente/protocol"

const isEnvelope = (value: unknown): boolean =>
  isJsonObject(value) && Object.hasOwn(value, "jsonrpc")

/** Whether a value is meant as a JSON-RPC message, or a batch of them; it may be a wrong one. */
export const isMessage = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 && value.every(isEnvelope) : isEnvelope(value)
