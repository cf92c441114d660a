import { isJsonObject, metaKey, type JsonObject } from "@entente/protocol"
import type { Agreement } from "@entente/session"

/** What a server says it is. Untrusted: for display and logs only (V26-META-08, V25-META-03). */
export interface ServerInfo {
  readonly name: string
  readonly version: string
  readonly [member: string]: unknown
}

const unnamed: ServerInfo = { name: "unknown", version: "unknown" }

/**
 * Finds the server's own description: in `_meta` of the modern era, where a stray top-level member of an
 * early draft is tolerated (V26-META-09), and in the handshake of the legacy era. It may be missing.
 */
export const serverInfoOf = (agreement: Agreement): ServerInfo => {
  const result: JsonObject = agreement.era === "modern" ? agreement.discover : agreement.initialize
  const meta = result["_meta"]
  const named = isJsonObject(meta) ? meta[metaKey.serverInfo] : undefined
  const info = isJsonObject(named) ? named : result["serverInfo"]
  if (!isJsonObject(info)) return unnamed
  const text = (member: "name" | "version"): string => {
    const value = info[member]
    return typeof value === "string" ? value : unnamed[member]
  }
  return { ...info, name: text("name"), version: text("version") }
}

/** Guidance of the server for the model: untrusted text (V25-LIFE-16, V26-DISC-06). */
export const instructionsOf = (agreement: Agreement): string | undefined => {
  const result: JsonObject = agreement.era === "modern" ? agreement.discover : agreement.initialize
  const { instructions } = result
  return typeof instructions === "string" ? instructions : undefined
}
