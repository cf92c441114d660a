import { classify, type PeerError } from "@entente/protocol"
import type { HttpRejection } from "@entente/transport"
import { peerError } from "../wire/peer-error.js"

/**
 * The server's own words in a refusal whose id fits no request, such as "server-error": no answer to
 * the request, but the reason why it got none (C121).
 */
export const spokenReason = (
  rejection: HttpRejection,
  request: { readonly method: string; readonly target: string },
): PeerError | undefined => {
  const body = classify(rejection.json)
  return body.kind === "failure" ? peerError(body.message.error, rejection, request) : undefined
}
