import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { explain, InvalidInput } from "@entente/protocol"
import { redactText, redactUrl, type RedactionPolicy, type Trace } from "@entente/trace"
import { defaultMaxMessageBytes, RecordingLog } from "@entente/transport/tapping"
import { blindness, looking } from "../blindness.js"
import { refusalOf } from "./admission.js"
import { Conversations } from "./conversations.js"
import { ExchangeObserver } from "./exchange-observer.js"
import { badGateway, forward } from "./forward.js"
import { headerRecord } from "./passing-headers.js"
import { UpstreamWays } from "./upstream-ways.js"
import type { Watch } from "./watch.js"
import { WayPast } from "./way-past.js"

export interface TapHttpOptions {
  /** The server. Every path of its origin is handed on. */
  readonly url: string | URL
  /** Where to listen, on 127.0.0.1. Default 0: a port that the system gives. */
  readonly port?: number
  /** Hears of everything. Nothing secret reaches it; see `redaction`. */
  readonly trace: Trace
  /** What else is secret among the handles that are numbered; the trace has a policy of its own. */
  readonly redaction?: RedactionPolicy
  /** The longest message that is read for the trace, in bytes. Longer ones pass like all others. Default 16 MiB. */
  readonly maxMessageBytes?: number
}

/** A tap that listens. */
export interface HttpTap extends AsyncDisposable {
  /** What a client is to be given instead of the server's URL; it has the same path and query. */
  readonly url: string
  /** Closes every connection, and waits until that is done. */
  readonly close: () => Promise<void>
}

/** Headers that a client may send, in bytes; servers have limits of their own. */
const maxHeaderSize = 128 * 1024

const loopback = "127.0.0.1"

/**
 * Listens on this machine and hands everything on to the server behind a URL: as it comes, unchanged but for
 * `Host`, `Location` and the headers of the connections. A copy becomes events, as `record` of the
 * transports writes them, each conversation as a channel of its own. Requests that a page of another origin
 * could have made are refused. Rejects where the port cannot be had, with `InvalidInput` for what is no URL.
 *
 * @example
 * await using tap = await tapHttp({ url: "https://example.com/mcp", trace })
 * console.log(tap.url) // http://127.0.0.1:41234/mcp
 */
export const tapHttp = async (options: TapHttpOptions): Promise<HttpTap> => {
  const { trace, redaction, port = 0, maxMessageBytes = defaultMaxMessageBytes } = options
  const endpoint = endpointOf(options.url)
  const target = redactUrl(endpoint.href)
  const recording = new RecordingLog(trace, redaction === undefined ? {} : { redaction })
  const conversations = new Conversations(recording, target)
  const wayPast = new WayPast(trace)
  const { handles } = recording
  const watch: Watch = {
    trace,
    handles,
    conversations,
    wayPast,
    target,
    endpoint,
    maxMessageBytes,
  }
  const ways = new UpstreamWays(endpoint.protocol === "https:")
  const blind = blindness(trace)
  const look = looking(blind)
  let exchanges = 0
  let own = ""
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const refusal = refusalOf(request.headers) ?? pathRefusal(request)
    if (refusal !== undefined) return refuse(response, refusal, trace)
    const { url: path = "/", method = "GET", rawHeaders } = request
    // OPTIONS may ask for the server as a whole.
    const url = new URL(endpoint.origin + (path === "*" ? "" : path))
    const observed = { exchange: ++exchanges, method, url, headers: headerRecord(rawHeaders) }
    const observer = look(() => new ExchangeObserver(watch, observed), undefined)
    try {
      forward({ request, response, url, own, target, ways, observer, blind })
    } catch (cause) {
      // Node reads requests that it would not write.
      const why = cause instanceof Error ? cause.message : "unknown"
      trace.emit({ type: "note", code: "tap-refused", detail: why })
      badGateway(response, `The tap cannot hand this request on: ${redactText(why)}.`)
    }
  }
  const server = createServer({ maxHeaderSize, noDelay: true, requestTimeout: 0 }, handle)
  // How long a connection rests is the server's to say, and its end is handed on.
  server.keepAliveTimeout = 0
  const listening = await new Promise<number>((resolve, reject) => {
    server.once("error", reject)
    server.listen(port, loopback, () => {
      const address = server.address()
      resolve(typeof address === "object" && address !== null ? address.port : port)
    })
  })
  own = `http://${loopback}:${listening}`
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => {
    closing ??= new Promise<void>((resolve) => {
      server.close(() => {
        conversations.close()
        resolve()
      })
      server.closeAllConnections()
      ways.close()
    })
    return closing
  }
  return {
    url: own + endpoint.pathname + endpoint.search,
    close,
    [Symbol.asyncDispose]: close,
  }
}

const endpointOf = (given: string | URL): URL => {
  const href = String(given)
  const url = URL.canParse(href) ? new URL(href) : undefined
  const fault =
    url === undefined || !/^https?:$/.test(url.protocol)
      ? `${redactUrl(href)} is no http or https URL.`
      : url.username !== "" || url.password !== ""
        ? "The URL has a name or a password in it. Give them to the client: the tap adds nothing to what it sends."
        : undefined
  if (url === undefined || fault !== undefined) {
    throw new InvalidInput(explain("invalid-input", "input", redactUrl(href), fault ?? ""))
  }
  return url
}

/** A proxy would be asked for whole addresses; this is none, and leads to one server only. */
const pathRefusal = ({ url = "" }: IncomingMessage): string | undefined =>
  url.startsWith("/") || url === "*" ? undefined : "The tap is no proxy for other addresses."

const refuse = (response: ServerResponse, why: string, trace: Trace): void => {
  trace.emit({ type: "note", code: "tap-refused", detail: why })
  const text = `${why} The tap lets only this machine through.\n`
  response.writeHead(403, {
    "Content-Type": "text/plain; charset=utf-8",
    "Content-Length": Buffer.byteLength(text),
    Connection: "close",
  })
  response.end(text)
}
