import {
  rpcCode,
  type JsonObject,
  type JsonRpcFailure,
  type JsonRpcRequest,
  type JsonRpcResult,
  type RequestId,
} from "@entente/protocol"
import { Fault } from "./fault.js"

/** What a request is answered with; `status` is the HTTP status it would travel with. */
export interface Answer {
  readonly message: JsonRpcResult | JsonRpcFailure
  readonly status: number
}

/** The requests of one peer that are being worked on, so that they can be cancelled. */
export class InFlight {
  readonly #running = new Map<RequestId, AbortController>()

  /** Does the work of a request. There is no answer to one that was cancelled (V26-CANC-04). */
  async run(
    { id, method }: JsonRpcRequest,
    work: (signal: AbortSignal) => JsonObject | Promise<JsonObject>,
  ): Promise<Answer | undefined> {
    const controller = new AbortController()
    this.#running.set(id, controller)
    try {
      const result = await work(controller.signal)
      return { message: { jsonrpc: "2.0", id, result }, status: 200 }
    } catch (error) {
      if (controller.signal.aborted) return undefined
      const fault =
        error instanceof Fault ? error : new Fault(rpcCode.internalError, `${method} went wrong`)
      return { message: fault.answer(id), status: fault.status }
    } finally {
      this.#running.delete(id)
    }
  }

  /** Cancels one request; an id that is not in flight is ignored (V26-CANC-06). */
  cancel(id: unknown): void {
    if (typeof id === "string" || typeof id === "number") this.#running.get(id)?.abort()
  }

  cancelAll(): void {
    for (const controller of this.#running.values()) controller.abort()
  }
}
