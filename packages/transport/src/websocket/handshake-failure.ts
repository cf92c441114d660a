import { explain, HttpRejected, Unreachable, type TransportError } from "@entente/protocol"
import { redactUrl } from "@entente/trace"
import { rejectionError } from "../http/rejection-error.js"
import { redirectLocation, suggestedAddress } from "../http/redirect.js"
import { unreachable } from "../http/unreachable.js"
import type { HttpRejection } from "../transport.js"
import { endOf } from "./close-code.js"
import type { SocketEnd } from "./socket-port.js"

const hint =
  "Check that the URL is a WebSocket endpoint; a Streamable HTTP one begins with http or https."

/**
 * A handshake that was answered with an HTTP status. Redirects are not followed: the credentials of
 * the handshake were meant for this address (V25-CUST-02, V26-CUST-07).
 */
export const handshakeRejected = (
  rejection: HttpRejection,
  url: URL,
  target: string,
): TransportError => {
  const { status, headers } = rejection
  const location = redirectLocation(status, headers)
  if (location === undefined) return rejectionError(rejection, target, "open", hint)
  const to = URL.canParse(location, url.href) ? webSocketAddress(url, location) : undefined
  const place = redactUrl(to?.href ?? location)
  const what = `The redirect (${status}) to ${place} was not followed: a WebSocket is opened where it is asked for.`
  const advice = to && `If you trust that address, use it directly: ${place}`
  const fields = explain("redirect-refused", "open", target, what, advice)
  return new HttpRejected({ ...fields, status, body: "" })
}

const webSocketAddress = (from: URL, location: string): URL => {
  const to = new URL(location, from)
  to.protocol = to.protocol.replace(/^http/, "ws")
  return suggestedAddress(from, to)
}

/** A handshake that came to nothing, without an HTTP status to show for it. */
export const handshakeBroke = (
  end: SocketEnd,
  url: URL,
  target: string,
  maxMessageBytes: number,
): TransportError => {
  const { fault } = end
  if (fault?.kind === "Network") return unreachable(target, url, fault.cause, "open")
  if (fault !== undefined) return endOf(end, target, maxMessageBytes)
  const what = "The WebSocket could not be opened, and this platform does not say why."
  const advice =
    "Check the address, and that the server allows this Origin and selects the subprotocol; for one that selects none set subprotocols: []. The console may say more."
  return new Unreachable(explain("unreachable", "open", target, what, advice))
}

export const handshakeTimedOut = (url: URL, target: string, ms: number): Unreachable =>
  unreachable(target, url, new Error(`no WebSocket within ${ms} ms`), "open")
