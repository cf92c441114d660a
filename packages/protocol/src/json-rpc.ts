/** A JSON object as it came from the wire: nothing about its members is known yet. */
export type JsonObject = { readonly [key: string]: unknown }

/** String or integer, never null (V25-RPC-02, V26-ENV-02). Ours are integers that are never reused. */
export type RequestId = string | number

export interface JsonRpcRequest {
  readonly jsonrpc: "2.0"
  readonly id: RequestId
  readonly method: string
  readonly params?: JsonObject
}

export interface JsonRpcNotification {
  readonly jsonrpc: "2.0"
  readonly method: string
  readonly params?: JsonObject
}

export interface JsonRpcResult {
  readonly jsonrpc: "2.0"
  readonly id: RequestId
  readonly result: JsonObject
}

export interface JsonRpcErrorObject {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

/** An error answer. The id is absent or null when the peer could not read it (V25-RPC-06, V26-ENV-09). */
export interface JsonRpcFailure {
  readonly jsonrpc: "2.0"
  readonly id?: RequestId | null
  readonly error: JsonRpcErrorObject
}

export type JsonRpcMessage = JsonRpcRequest | JsonRpcNotification | JsonRpcResult | JsonRpcFailure

/** What a parsed JSON value is, seen as JSON-RPC. */
export type Classified =
  | { readonly kind: "request"; readonly message: JsonRpcRequest }
  | { readonly kind: "notification"; readonly message: JsonRpcNotification }
  | { readonly kind: "result"; readonly message: JsonRpcResult }
  | { readonly kind: "failure"; readonly message: JsonRpcFailure }
  | { readonly kind: "batch"; readonly messages: ReadonlyArray<unknown> }
  | { readonly kind: "invalid"; readonly reason: string }

/** A plain object: neither null nor an array. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isRequestId = (value: unknown): value is RequestId =>
  typeof value === "string" || (typeof value === "number" && Number.isInteger(value))

const invalid = (reason: string): Classified => ({ kind: "invalid", reason })

const isErrorObject = (value: unknown): value is JsonRpcErrorObject =>
  isJsonObject(value) && Number.isInteger(value["code"]) && typeof value["message"] === "string"

/**
 * Sorts a parsed JSON value into the five things it may be, or says why it is none of them. The
 * envelope is judged strictly (V25-RPC-05): exactly one of `result` and `error`, an object result,
 * an integer code. An id of 0 is an id like any other.
 *
 * @example
 * classify({ jsonrpc: "2.0", id: 0, method: "ping" }).kind // "request"
 */
export const classify = (value: unknown): Classified => {
  if (Array.isArray(value)) return { kind: "batch", messages: value }
  if (!isJsonObject(value)) return invalid("not a JSON object")
  if (value["jsonrpc"] !== "2.0") return invalid('"jsonrpc" is not "2.0"')
  // Each cast below names the shape that the checks beside it have just established.
  if (typeof value["method"] === "string") {
    if (value["params"] !== undefined && !isJsonObject(value["params"])) {
      return invalid('"params" is not an object')
    }
    if (!("id" in value)) {
      return { kind: "notification", message: value as unknown as JsonRpcNotification }
    }
    return isRequestId(value["id"])
      ? { kind: "request", message: value as unknown as JsonRpcRequest }
      : invalid("a request whose id is neither string nor integer")
  }
  const hasResult = "result" in value
  const hasError = "error" in value
  if (hasResult === hasError) {
    return invalid(hasResult ? "both result and error" : "neither method, result nor error")
  }
  if (hasError) {
    if (!isErrorObject(value["error"])) return invalid("an error without integer code and message")
    const id = value["id"]
    return id === undefined || id === null || isRequestId(id)
      ? { kind: "failure", message: value as unknown as JsonRpcFailure }
      : invalid("an error whose id is neither string nor integer")
  }
  if (!isRequestId(value["id"])) return invalid("a result without a usable id")
  return isJsonObject(value["result"])
    ? { kind: "result", message: value as unknown as JsonRpcResult }
    : invalid('"result" is not an object')
}
