import {
  PeerError,
  explain,
  isJsonObject,
  rpcCode,
  type JsonObject,
  type JsonRpcErrorObject,
} from "@entente/protocol"
import { redactHeaders } from "@entente/trace"
import { excerpt } from "@entente/transport"

/** How an error travelled: told only where that was HTTP with a status that is not 2xx. */
export interface Refusal {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** What an error means beyond its number. */
interface Meaning {
  readonly code: PeerError["code"]
  readonly uri?: string
  readonly requiredCapabilities?: JsonObject
}

const noMeaning: Meaning = { code: "peer-error" }

/**
 * Codes that mean one thing in answer to one method, and nothing elsewhere (V26-RES-02, V26-ERR-03). Of all
 * others nothing is concluded (V26-ERR-01).
 */
const meaningOf = (method: string, code: number, data: unknown): Meaning => {
  const details: JsonObject = isJsonObject(data) ? data : {}
  if (code === rpcCode.missingClientCapability) {
    const { requiredCapabilities: needed } = details
    const told = isJsonObject(needed) ? { requiredCapabilities: needed } : {}
    return { code: "client-capability-missing", ...told }
  }
  const missing = code === rpcCode.resourceNotFound || code === rpcCode.invalidParams
  if (method !== "resources/read" || !missing) return noMeaning
  const { uri } = details
  return { code: "resource-not-found", ...(typeof uri === "string" ? { uri } : {}) }
}

/** A JSON-RPC error as its caller gets it, with everything that came with it (V26-ERR-04). */
export const peerError = (
  { code, message, data }: JsonRpcErrorObject,
  { status, headers }: Refusal,
  { method, target }: { readonly method: string; readonly target: string },
): PeerError => {
  const over = status === undefined ? "" : `HTTP ${status}, `
  const what = `${method} was answered with ${over}error ${code}: ${excerpt(message)}.`
  const meaning = meaningOf(method, code, data)
  return new PeerError({
    ...explain(meaning.code, "request", target, what),
    ...meaning,
    method,
    rpcCode: code,
    rpcMessage: message,
    ...(data === undefined ? {} : { data }),
    ...(status === undefined ? {} : { status }),
    ...(headers === undefined ? {} : { headers: redactHeaders(headers) }),
  })
}
