import { rpcCode, type Era, type JsonRpcRequest } from "@entente/protocol"
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
