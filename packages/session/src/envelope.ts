import {
  encodeHeaderValue,
  isJsonObject,
  metaKey,
  mirroredName,
  type JsonObject,
  type JsonRpcMessage,
  type JsonRpcNotification,
  type JsonRpcRequest,
  type LegacyRevision,
  type LoggingLevel,
  type ModernRevision,
  type ProgressToken,
  type TraceContext,
} from "@entente/protocol"
import { parseSessionId, type SessionId } from "./session-id.js"

/** Who this client is to a modern server: it says so on every request. It has no session. */
export interface ModernIdentity {
  readonly era: "modern"
  readonly revision: ModernRevision
  /** Absent when the host does not want it known (V26-META-03). */
  readonly clientInfo?: JsonObject
  readonly clientCapabilities: JsonObject
  /** Whether there are headers to fill. */
  readonly http: boolean
}

/** Who this client is to a legacy server: that was said once, at `initialize`. */
export interface LegacyIdentity {
  readonly era: "legacy"
  /** Absent until a version is agreed on. */
  readonly revision: LegacyRevision | undefined
  /** Whether `initialize` itself carries `MCP-Protocol-Version` (C027). */
  readonly versionHeader: boolean
  readonly session?: { readonly id: SessionId }
  readonly http: boolean
}

export type Identity = ModernIdentity | LegacyIdentity

/** A message as it goes out, with the headers that belong to it; without HTTP there are none. */
export interface Dressed {
  readonly message: JsonRpcMessage
  readonly headers: Readonly<Record<string, string>>
  /**
   * Legacy HTTP only: what a GET carries that goes on with the answer's stream (V25-HTTP-29). A modern
   * stream is never resumed (V26-HTTP-07).
   */
  readonly resume?: ResumeHeaders
}

/** Headers for a GET, given those of the answer whose stream it resumes. */
export type ResumeHeaders = (
  answer: Readonly<Record<string, string>>,
) => Readonly<Record<string, string>>

/** What one request wants beside what its identity puts on every message. */
export interface Wishes {
  /** In both eras (V25-PROG-01, V26-PROG-01). */
  readonly progressToken?: ProgressToken
  /** In both eras: where the request stands in a trace (V26-TRACE-01, V25-META-06). */
  readonly trace?: TraceContext
  /** Modern only: instead of the identity's, for this request alone (V26-META-05). */
  readonly capabilities?: JsonObject
  /** Modern only: which log messages the server may send for this request (V26-LOG-01). */
  readonly logLevel?: LoggingLevel
  /** Modern HTTP only: `Mcp-Param-*` headers, encoded (V26-XHDR-01). */
  readonly mirrored?: Readonly<Record<string, string>>
}

/** Puts on a message what an identity wants on it. It never changes the message it is given. */
export type Dresser = (message: JsonRpcMessage, wishes?: Wishes) => Dressed

type Headers = Dressed["headers"]

const noHeaders: Headers = Object.freeze({})

const withMeta = (message: JsonRpcRequest, own: JsonObject): JsonRpcRequest => {
  const { params } = message
  if (params === undefined) return { ...message, params: { _meta: own } }
  // What is added stands first: a spread that is added to gives every object a shape of its own in V8, and a
  // call costs twice as much. `Object.assign` below is there for the same reason.
  if (!Object.hasOwn(params, "_meta")) return { ...message, params: { _meta: own, ...params } }
  const theirs = params["_meta"]
  return {
    ...message,
    params: { ...params, _meta: isJsonObject(theirs) ? { ...theirs, ...own } : own },
  }
}

const modernDresser = (identity: ModernIdentity): Dresser => {
  const { revision, clientInfo, clientCapabilities, http } = identity
  const own: JsonObject = {
    [metaKey.protocolVersion]: revision,
    [metaKey.clientCapabilities]: clientCapabilities,
    ...(clientInfo === undefined ? {} : { [metaKey.clientInfo]: clientInfo }),
  }
  const versionOnly: Headers = { "MCP-Protocol-Version": revision }
  const headersFor = ({ method, params }: JsonRpcRequest | JsonRpcNotification): Headers => {
    const name = params && mirroredName(method, params)
    // Encoded for safety alone: a method name of the protocol is its own encoding (V26-HDR-02).
    const mirrored = encodeHeaderValue(method)
    return name === undefined
      ? { "Mcp-Method": mirrored, ...versionOnly }
      : { "Mcp-Method": mirrored, "Mcp-Name": name, ...versionOnly }
  }
  const wished = ({ progressToken, capabilities, logLevel, trace }: Wishes): JsonObject => {
    const meta: Record<string, unknown> = Object.assign({}, own, trace)
    if (capabilities !== undefined) meta[metaKey.clientCapabilities] = capabilities
    if (logLevel !== undefined) meta[metaKey.logLevel] = logLevel
    if (progressToken !== undefined) meta["progressToken"] = progressToken
    return meta
  }
  return (message, wishes) => {
    if (!("method" in message)) return { message, headers: http ? versionOnly : noHeaders }
    const headers = http ? headersFor(message) : noHeaders
    if (!("id" in message)) return { message, headers }
    if (wishes === undefined) return { message: withMeta(message, own), headers }
    const { mirrored } = wishes
    return {
      message: withMeta(message, wished(wishes)),
      headers: http && mirrored !== undefined ? { ...headers, ...mirrored } : headers,
    }
  }
}

/** What would tell a dual-era server that this is a modern request (V26-ERA-14). */
const modernKeys: ReadonlySet<string> = new Set([
  metaKey.protocolVersion,
  metaKey.clientCapabilities,
  metaKey.clientInfo,
  metaKey.logLevel,
])

const withoutModernMeta = (message: JsonRpcMessage): JsonRpcMessage => {
  if (!("method" in message)) return message
  const theirs = message.params?.["_meta"]
  if (!isJsonObject(theirs) || !Object.keys(theirs).some((key) => modernKeys.has(key))) {
    return message
  }
  const kept = Object.entries(theirs).filter(([key]) => !modernKeys.has(key))
  return { ...message, params: { ...message.params, _meta: Object.fromEntries(kept) } }
}

const legacyDresser = ({ revision, versionHeader, session, http }: LegacyIdentity): Dresser => {
  const headers: Headers = http
    ? {
        ...(revision === undefined ? {} : { "MCP-Protocol-Version": revision }),
        ...(session === undefined ? {} : { "MCP-Session-Id": session.id }),
      }
    : noHeaders
  const initializeHeaders = (params: JsonObject | undefined): Headers => {
    const offered = params?.["protocolVersion"]
    return http && versionHeader && typeof offered === "string"
      ? { "MCP-Protocol-Version": encodeHeaderValue(offered) }
      : noHeaders
  }
  const resume: ResumeHeaders = () => headers
  return (message, wishes) => {
    const plain = withWishes(withoutModernMeta(message), wishes)
    // A session begins with an `initialize` that knows no session (V25-HTTP-30, V25-HTTP-38).
    if ("method" in message && message.method === "initialize") {
      const opening = { message: plain, headers: initializeHeaders(message.params) }
      return http ? { ...opening, resume: resumeOpening } : opening
    }
    return http ? { message: plain, headers, resume } : { message: plain, headers }
  }
}

/** What a legacy request can wish for. */
const withWishes = (
  message: JsonRpcMessage,
  { progressToken, trace }: Wishes = {},
): JsonRpcMessage => {
  if (progressToken === undefined && trace === undefined) return message
  if (!("method" in message) || !("id" in message)) return message
  return withMeta(message, progressToken === undefined ? { ...trace } : { ...trace, progressToken })
}

/** While `initialize` is answered there is no version yet, but perhaps a session. */
const resumeOpening: ResumeHeaders = (answer) => {
  const id = parseSessionId(answer["mcp-session-id"] ?? "")
  return id === undefined ? noHeaders : { "MCP-Session-Id": id }
}

/**
 * Makes the one place that decides which `_meta` and which headers go with a message. What an identity
 * fixes is computed here, once; the function it gives is called for every message.
 *
 * - Modern: version, capabilities and client on every request, over the caller's `_meta` and without
 *   loss of the rest (V26-META-01 … V26-META-03); the version, the method and the name mirrored in
 *   headers (V26-HDR-01 … V26-HDR-05); never a session id (V26-HDR-11).
 * - Legacy: no modern `_meta` (V26-ERA-14); the session id and the negotiated version on everything but
 *   `initialize` (V25-HTTP-29, V25-HTTP-38).
 *
 * @example
 * const dress = makeDresser({ era: "modern", revision: "2026-07-28", clientCapabilities: {}, http: true })
 * dress({ jsonrpc: "2.0", id: 1, method: "tools/list" }).headers["Mcp-Method"] // "tools/list"
 */
export const makeDresser = (identity: Identity): Dresser =>
  identity.era === "modern" ? modernDresser(identity) : legacyDresser(identity)
