import { rpcCode } from "@entente/protocol"
import type { Reply } from "../wire/reply.js"

/** What the refusal of a subscription says about another try (V26-SUB-16). */
export type Refusal =
  /** The server does not know the method. */
  | "never"
  /** Not this one; perhaps another filter. */
  | "not-this"
  /** It is out of order. */
  | "later"

/** Reads a reply as a refusal, where it is one. */
export const refusalOf = (reply: Reply): Refusal | undefined => {
  if (reply._tag === "Rejected") return byStatus(reply.rejection.status)
  if (reply._tag !== "Failure") return undefined
  const { error, status } = reply
  if (error.code === rpcCode.methodNotFound) return "never"
  if (error.code === rpcCode.internalError) return "later"
  return status !== undefined && mayPass(status) ? "later" : "not-this"
}

const byStatus = (status: number): Refusal => {
  if (status === 404 || status === 405 || status === 501) return "never"
  return mayPass(status) ? "later" : "not-this"
}

/** Statuses that speak of the server's condition rather than of the request. */
const mayPass = (status: number): boolean => status === 429 || (status >= 500 && status !== 501)
