import { request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http"
import { request as httpsRequest } from "node:https"
import { bareMessage } from "@entente/protocol"
import { unreachable } from "@entente/transport/tapping"
import { looking } from "../blindness.js"
import { noCopy, relay } from "../relay.js"
import type { ExchangeObserver } from "./exchange-observer.js"
import { headerRecord, passingHeaders } from "./passing-headers.js"
import type { UpstreamWays } from "./upstream-ways.js"

export interface Forwarding {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Where the request goes. */
  readonly url: URL
  /** The address under which the client knows the tap, for redirects. */
  readonly own: string
  readonly target: string
  readonly ways: UpstreamWays
  /** Absent where it cannot look. */
  readonly observer: ExchangeObserver | undefined
  readonly blind: (cause: unknown) => void
}

/** A body of unknown length has to be sent as such, also where Node does not expect a body. */
const bodyFraming = ({ headers }: IncomingMessage): ReadonlyArray<string> =>
  headers["transfer-encoding"] === undefined ? [] : ["Transfer-Encoding", "chunked"]

/**
 * Hands one request on to the server and its answer back, both as they come. Whoever lets go of the exchange,
 * the other one learns of it; a server that cannot be reached is a 502.
 */
export const forward = (forwarding: Forwarding): void => {
  const { request, response, url, own, target, ways, observer, blind } = forwarding
  const { agent, done } = ways.take(request)
  const begin = url.protocol === "https:" ? httpsRequest : httpRequest
  const upstream = begin({
    agent,
    method: request.method ?? "GET",
    hostname: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: url.port,
    // As it was written: an address that is parsed and put together again is not always the same.
    path: request.url ?? "/",
    headers: [
      ...passingHeaders(request.rawHeaders, (name, value) => (name === "host" ? url.host : value)),
      ...bodyFraming(request),
    ],
  })
  const look = looking(blind)
  let answered = false
  const fail = (cause: unknown): void => {
    if (answered || response.destroyed) return
    answered = true
    const error = unreachable(target, url, cause)
    look(() => observer?.failed(error), undefined)
    // A connection that the server closes just when it is used again looks the same to the client as without us.
    if (upstream.reusedSocket) return void response.destroy()
    badGateway(response, `The tap got no answer. ${bareMessage(error)}`)
  }
  upstream.on("socket", (socket) => ways.follow(request, socket))
  upstream.on("error", fail)
  upstream.on("response", (answer) => {
    try {
      passHead(answer, response, (location) => mapped(location, url, own))
    } catch (cause) {
      // Node reads heads that it would not write.
      upstream.destroy()
      return fail(cause)
    }
    answered = true
    const status = answer.statusCode ?? 502
    const headers = headerRecord(answer.rawHeaders)
    const copy = look(() => observer?.answered(status, headers), undefined) ?? noCopy
    const left = (): void => void upstream.destroy()
    const cutOff = (): void => void response.destroy()
    void relay({ from: answer, to: response, copy, cutOff, left, blind })
  })
  response.on("close", () => {
    done()
    if (response.writableFinished) return
    upstream.destroy()
    look(() => observer?.aborted(), undefined)
  })
  void relay({
    from: request,
    to: upstream,
    copy: observer?.requestBody ?? noCopy,
    cutOff: () => void upstream.destroy(),
    // A server may answer before it has read everything.
    left: () => {},
    blind,
  })
}

const passHead = (
  answer: IncomingMessage,
  response: ServerResponse,
  placed: (location: string) => string,
): void => {
  const { statusCode = 502, statusMessage = "", rawHeaders, headers } = answer
  response.sendDate = false
  if (headers.connection?.toLowerCase() === "close") response.shouldKeepAlive = false
  const revise = (name: string, value: string): string =>
    name === "location" ? placed(value) : value
  response.writeHead(statusCode, statusMessage, passingHeaders(rawHeaders, revise))
  // A stream may be silent for long after its head.
  response.flushHeaders()
}

/** The tap's own word, where the server has none. */
export const badGateway = (response: ServerResponse, why: string): void => {
  const text = `${why}\n`
  // A reason that could not be written would be taken again.
  response.writeHead(502, "Bad Gateway", {
    "Content-Type": "text/plain; charset=utf-8",
    "Content-Length": Buffer.byteLength(text),
  })
  response.end(text)
}

/** A redirect within the server leads back to the tap. */
const mapped = (location: string, url: URL, own: string): string =>
  location.toLowerCase().startsWith(url.origin) &&
  /^(?:[/?#]|$)/.test(location.slice(url.origin.length))
    ? own + location.slice(url.origin.length)
    : location
