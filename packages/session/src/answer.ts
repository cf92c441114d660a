import {
  isJsonObject,
  type AuthorizationRequired,
  type InvalidInput,
  type JsonObject,
  type JsonRpcErrorObject,
  type NotTolerated,
  type ProcessReport,
  type ProtocolViolation,
  type TransportError,
} from "@entente/protocol"
import { outcomeLimit, plainText, stringsIn } from "./plain-text.js"

/**
 * What came back to `server/discover`, `initialize` or `notifications/initialized`. Every way in which
 * an exchange can end is data, so that a chart decides and nothing is thrown past it. Texts of peers are
 * redacted by whoever makes the answer.
 */
export type Answer =
  /** A JSON-RPC result; over HTTP with the session id of its response headers, as it was received. */
  | { readonly _tag: "Result"; readonly result: JsonObject; readonly sessionId?: string }
  /** A JSON-RPC error, whatever its id (V26-ENV-10); `status` where it came over HTTP. */
  | { readonly _tag: "Error"; readonly error: JsonRpcErrorObject; readonly status?: number }
  /** An HTTP status without JSON-RPC in its body. */
  | {
      readonly _tag: "Status"
      readonly status: number
      readonly text: string
      /** What the server asks to wait before the next try, in milliseconds. */
      readonly retryAfterMs?: number
    }
  /** A 2xx, or a line, that is no valid answer. */
  | { readonly _tag: "Invalid"; readonly error: ProtocolViolation }
  /** The deadline passed; `process` says how a child process stood by then. */
  | { readonly _tag: "Silence"; readonly afterMs: number; readonly process?: ProcessReport }
  /**
   * Nothing can come back: the process ended, the network failed, nothing could be sent at all, or this
   * side left because of a deviation that it does not tolerate.
   */
  | { readonly _tag: "Gone"; readonly error: TransportError | InvalidInput | NotTolerated }
  /** 401 or 403. */
  | { readonly _tag: "Unauthorized"; readonly error: AuthorizationRequired }

/**
 * How the exchanges of a transport look: one shared stream (stdio, WebSocket), the exchanges of Streamable
 * HTTP, or the event stream and POSTs of 2024-11-05, which no modern server speaks.
 */
export type Dialect = "stream" | "http" | "http+sse"

const list = (names: ReadonlyArray<string>): string => names.slice(0, 10).join(", ")

const renderResult = (result: JsonObject): string => {
  const { protocolVersion, supportedVersions } = result
  if (typeof protocolVersion === "string") return `a result for version ${protocolVersion}`
  return Array.isArray(supportedVersions)
    ? `a result that names ${list(stringsIn(supportedVersions))}`
    : `a result with the members ${list(Object.keys(result))}`
}

const renderError = (error: JsonRpcErrorObject, status: number | undefined): string => {
  const named = isJsonObject(error.data) ? stringsIn(error.data["supported"]) : []
  return [
    status === undefined ? "" : `HTTP ${status}, `,
    `error ${error.code}: ${error.message}`,
    named.length > 0 ? ` (supported: ${list(named)})` : "",
  ].join("")
}

const render = (answer: Answer): string => {
  switch (answer._tag) {
    case "Result":
      return renderResult(answer.result)
    case "Error":
      return renderError(answer.error, answer.status)
    case "Status":
      return `HTTP ${answer.status}: ${answer.text.trim() === "" ? "no body" : answer.text}`
    case "Silence":
      return `no answer within ${answer.afterMs} ms`
    case "Invalid":
    case "Gone":
      return answer.error.message
    case "Unauthorized":
      return `HTTP ${answer.error.status}: ${answer.error.message}`
  }
}

/** An answer as the outcome of an attempt: one line in plain words, at most `outcomeLimit` long. */
export const outcomeOf = (answer: Answer): string => plainText(render(answer), outcomeLimit)
