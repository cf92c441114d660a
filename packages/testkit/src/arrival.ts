import { classify, type JsonRpcNotification, type JsonRpcRequest } from "@entente/protocol"
import type { ArrivalKind } from "./script.js"

/** Something the client did, as the peer saw it. */
export interface Arrival {
  readonly kind: ArrivalKind
  /** Milliseconds since 1970, on the clock the peer was opened with. */
  readonly at: number
  /** The channel or HTTP exchange it came on, counted from 1. */
  readonly place: number
  /** The JSON value that was received; on a `disconnect`, the one its exchange began with. */
  readonly message?: unknown
  /** What was received where it is no JSON. */
  readonly text?: string
  /** Absent for what is said on a channel, also where HTTP carries it (HTTP+SSE). */
  readonly httpMethod?: string
  /** With its query. */
  readonly path?: string
  /** Lower-case names. */
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: string
  /** stdio, on `open`: the process that was started. */
  readonly pid?: number
  /** WebSocket, on `disconnect`: the code the client closed with; 1005 without one, 1006 where it was cut. */
  readonly closeCode?: number
}

/** A request that was received. */
export type ReceivedRequest = Arrival & { readonly message: JsonRpcRequest }

export const isRequest = (arrival: Arrival): arrival is ReceivedRequest =>
  arrival.kind === "request"

/** The request or notification in an arrival. */
export const callOf = (arrival: Arrival): JsonRpcRequest | JsonRpcNotification | undefined => {
  const seen = classify(arrival.message)
  return seen.kind === "request" || seen.kind === "notification" ? seen.message : undefined
}

/** Sorts a received text: its kind, and its value where it is JSON. */
export const readText = (text: string): Pick<Arrival, "kind" | "message" | "text"> => {
  let message: unknown
  try {
    message = JSON.parse(text)
  } catch {
    return { kind: "invalid", text }
  }
  const { kind } = classify(message)
  return { kind: kind === "result" || kind === "failure" ? "response" : kind, message }
}
