import {
  isJsonObject,
  rpcCode,
  type Era,
  type JsonObject,
  type JsonRpcRequest,
  type RequestId,
} from "@entente/protocol"
import type { NoteBook } from "./note-book.js"

/** What goes back to the server. */
export type ServerAnswer =
  | { readonly result: Readonly<Record<string, unknown>> }
  | { readonly error: { readonly code: number; readonly message: string } }

/**
 * Answers a request of the server. A legacy server gets `{}` for its ping, in every state
 * (V25-PING-01), and −32601 for what this client did not declare (V25-CAP-04). A modern server may not ask
 * at all and gets nothing, not even an error (V26-ENV-06).
 */
export const answerServer = (
  { method }: JsonRpcRequest,
  era: Era | undefined,
  notes: NoteBook,
): ServerAnswer | undefined => {
  if (era === "modern") {
    notes.add({ code: "server-request-in-modern", detail: method })
    return undefined
  }
  if (method === "ping") return { result: {} }
  notes.add({ code: "server-request-refused", detail: method })
  return {
    error: { code: rpcCode.methodNotFound, message: `This client does not offer ${method}` },
  }
}

/** Works on a request, answers it once, and may be stopped; see `WireOwner.asked`. */
type Work = (
  request: JsonRpcRequest,
  respond: (answer: ServerAnswer | undefined) => void,
) => (() => void) | undefined

/**
 * The requests of the server that have no answer yet. One that the server takes back, or whose channel is
 * gone, is stopped and never answered (V25-CANC-05).
 */
export class ServerRequests {
  readonly #open = new Map<RequestId, { stop: (() => void) | undefined }>()
  readonly #work: Work
  readonly #send: (request: JsonRpcRequest, answer: ServerAnswer) => void

  constructor(work: Work, send: (request: JsonRpcRequest, answer: ServerAnswer) => void) {
    this.#work = work
    this.#send = send
  }

  ask(request: JsonRpcRequest): void {
    const { id } = request
    const entry: { stop: (() => void) | undefined } = { stop: undefined }
    this.#open.set(id, entry)
    entry.stop = this.#work(request, (answer) => {
      if (this.#open.get(id) !== entry) return
      this.#open.delete(id)
      if (answer !== undefined) this.#send(request, answer)
    })
  }

  /** The server takes a request back; an id that is not open means nothing (V25-CANC-06). */
  cancel(params: JsonObject | undefined): void {
    const id = isJsonObject(params) ? params["requestId"] : undefined
    if (typeof id !== "string" && typeof id !== "number") return
    const entry = this.#open.get(id)
    this.#open.delete(id)
    entry?.stop?.()
  }

  /** Nobody waits for any of the answers any more. */
  stop(): void {
    const open = [...this.#open.values()]
    this.#open.clear()
    for (const { stop } of open) stop?.()
  }
}
