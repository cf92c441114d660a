import {
  isJsonObject,
  type JsonObject,
  type JsonRpcRequest,
  type RequestId,
} from "@entente/protocol"

/** What goes back to the server. */
export type ServerAnswer =
  | { readonly result: Readonly<Record<string, unknown>> }
  | { readonly error: { readonly code: number; readonly message: string } }

/** Stops the work on a request; `why` in the words of the server, if it was the server who said so. */
export type StopWork = (why?: string) => void

/** Works on a request, answers it once, and may be stopped; see `WireOwner.asked`. */
type Work = (
  request: JsonRpcRequest,
  respond: (answer: ServerAnswer | undefined) => void,
) => StopWork | undefined

/**
 * The requests of the server that have no answer yet. One that the server takes back, or whose channel is
 * gone, is stopped and never answered (V25-CANC-05).
 */
export class ServerRequests {
  readonly #open = new Map<RequestId, { stop: StopWork | undefined }>()
  readonly #work: Work
  readonly #send: (request: JsonRpcRequest, answer: ServerAnswer) => void

  constructor(work: Work, send: (request: JsonRpcRequest, answer: ServerAnswer) => void) {
    this.#work = work
    this.#send = send
  }

  ask(request: JsonRpcRequest): void {
    const { id } = request
    // An id that is used again belongs to the newer question: the older one can no longer be answered.
    this.#open.get(id)?.stop?.()
    const entry: { stop: StopWork | undefined } = { stop: undefined }
    this.#open.set(id, entry)
    entry.stop = this.#work(request, (answer) => {
      if (this.#open.get(id) !== entry) return
      this.#open.delete(id)
      if (answer !== undefined) this.#send(request, answer)
    })
  }

  /** The server takes a request back; an id that is not open means nothing (V25-CANC-06). */
  cancel(params: JsonObject | undefined): void {
    const { requestId: id, reason } = isJsonObject(params) ? params : {}
    if (typeof id !== "string" && typeof id !== "number") return
    const entry = this.#open.get(id)
    this.#open.delete(id)
    entry?.stop?.(typeof reason === "string" ? reason : undefined)
  }

  /** Nobody waits for any of the answers any more. */
  stop(): void {
    const open = [...this.#open.values()]
    this.#open.clear()
    for (const { stop } of open) stop?.()
  }
}
