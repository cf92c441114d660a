import type { PartialReason } from "@entente/pagination"
import { rpcCode, type EntenteError } from "@entente/protocol"
import type { ListingDoubt } from "@entente/session"

/** Why a list is not complete, or out of date, in a form that survives JSON. */
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

const doubts: { readonly [Doubt in ListingDoubt]: string } = {
  changed: "The server says that the list has changed.",
  missed: "For a while the server could not have been heard.",
  lost: "The connection was lost.",
  expired: "The time is over for which the server said that the list holds.",
  failed: "The list was to be read again, and could not be.",
}

/** Why a list may be out of date: what stopped the reading of it, where that is why. */
export const doubtReason = (doubt: ListingDoubt, failure: ListReason | undefined): ListReason =>
  doubt === "failed" && failure !== undefined ? failure : { code: doubt, message: doubts[doubt] }
