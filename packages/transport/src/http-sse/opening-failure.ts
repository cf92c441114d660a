import {
  AuthorizationRequired,
  explain,
  HttpRejected,
  parseChallenges,
  ProtocolViolation,
  Unreachable,
  type TransportError,
} from "@entente/protocol"
import { redactUrl } from "@entente/trace"
import { sampleOf } from "../framing/message-lines.js"
import type { ExchangeFailure } from "../http/exchange-failure.js"
import type { HttpRejection } from "../transport.js"

/** What helps with everything that is no stream of this transport. */
const elsewhere =
  "HTTP+SSE begins with a GET on its event stream, often at /sse: check that the URL is that one."

const shown = (text: string): string =>
  text.trim() === "" ? "no body" : JSON.stringify(sampleOf(text))

/** The GET was answered with a status that is not 2xx. */
export const streamRefused = (rejection: HttpRejection, target: string): TransportError => {
  const { status, headers, text } = rejection
  const what = `The GET for the event stream was answered with HTTP ${status}: ${shown(text)}.`
  if (status === 401 || status === 403) {
    const code = status === 401 ? "authorization-required" : "forbidden"
    const challenges = parseChallenges(headers["www-authenticate"] ?? "")
    return new AuthorizationRequired({ ...explain(code, "open", target, what), status, challenges })
  }
  if (status === 429 || status >= 500) {
    return new Unreachable({ ...explain("outage", "open", target, what), status })
  }
  const fields = explain("http-status", "open", target, what, elsewhere)
  return new HttpRejected({ ...fields, status, body: sampleOf(text) })
}

/** The GET was answered with something else than a stream of events. */
export const noEventStream = (
  status: number,
  mediaType: string,
  text: string,
  target: string,
): TransportError => {
  const type = mediaType === "" ? "without a Content-Type" : `with ${mediaType}`
  const what = `The GET for the event stream was answered with HTTP ${status} ${type}: ${shown(text)}.`
  return new ProtocolViolation(explain("unexpected-content", "open", target, what, elsewhere))
}

/** There is a stream of events, but it is not one of this transport. */
export const noEndpoint = (why: string, target: string): TransportError => {
  const what = `The event stream names no address for messages: ${why}.`
  return new ProtocolViolation(explain("unexpected-content", "open", target, what, elsewhere))
}

/** The stream is open and silent. */
export const endpointOverdue = (ms: number, target: string): TransportError => {
  const what = `The event stream named no address for messages within ${ms} ms.`
  const hint = `${elsewhere} A proxy that buffers event streams looks the same.`
  return new Unreachable(explain("unreachable", "open", target, what, hint))
}

/** The address that the stream names must not be used. */
export const endpointRefused = (
  reference: string,
  reason: string,
  target: string,
): TransportError => {
  const place = JSON.stringify(sampleOf(redactUrl(reference.slice(0, 2_000))))
  const what = `The address for messages, ${place}, was refused, because ${reason}.`
  return new ProtocolViolation(explain("endpoint-refused", "open", target, what))
}

/** What kept the GET from being answered at all, as far as opening a transport may fail with it. */
export const notAsked = (failure: ExchangeFailure, target: string): TransportError => {
  if (failure._tag !== "InvalidInput") return failure
  // A supplier of headers failed: it may do better next time, as a server that cannot be reached may.
  const what = `The event stream could not be asked for. ${failure.message}`
  const fields = explain("unreachable", "open", target, what, failure.hint)
  return new Unreachable({ ...fields, cause: failure })
}
