import type { PartialReason } from "@entente/pagination"
import { rpcCode, type EntenteError } from "@entente/protocol"

/** Why a list is not complete, in a form that survives JSON. */
export interface ListReason {
  /** The guard that stopped it, or the code of the error that did. */
  readonly code: string
  readonly message: string
  /** `error.code` of the server's answer, where that was the reason. */
  readonly rpcCode?: number
}

/** What stopped a walk, in words. */
export const reasonOf = (reason: PartialReason<EntenteError>): ListReason => {
  if (reason.code !== "page-failed") return { code: reason.code, message: reason.message }
  const { error } = reason
  if (error._tag !== "PeerError") return { code: error.code, message: error.message }
  const advertised =
    error.rpcCode === rpcCode.methodNotFound
      ? "; the server had advertised the capability for it"
      : ""
  return { code: error.code, message: `${error.message}${advertised}`, rpcCode: error.rpcCode }
}
