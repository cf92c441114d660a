import type { JsonRpcErrorObject, JsonRpcFailure, JsonRpcRequest } from "@entente/protocol"

/** A request that is answered with an error. */
export class Fault extends Error {
  override readonly name = "Fault"
  readonly code: number
  /** Further facts for the peer. */
  readonly data: unknown
  /** The HTTP status it travels with; JSON-RPC errors without a rule of their own use 200. */
  readonly status: number

  constructor(
    code: number,
    message: string,
    options: { readonly data?: unknown; readonly status?: number } = {},
  ) {
    super(message)
    this.code = code
    this.data = options.data
    this.status = options.status ?? 200
  }

  get error(): JsonRpcErrorObject {
    const { code, message, data } = this
    return data === undefined ? { code, message } : { code, message, data }
  }

  /** The answer to a request, or to something whose id could not be read. */
  answer(id: JsonRpcRequest["id"] | null): JsonRpcFailure {
    return { jsonrpc: "2.0", id, error: this.error }
  }
}
