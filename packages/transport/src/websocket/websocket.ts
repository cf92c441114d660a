import * as Effect from "effect/Effect"
import { explain, InvalidInput, Unreachable, type TransportError } from "@entente/protocol"
import { CurrentTrace, redactUrl } from "@entente/trace"
import { credentialFingerprint, sendsCookies } from "../credential-fingerprint.js"
import { isLoopback } from "../loopback.js"
import { defaultMaxMessageBytes } from "../framing/message-limit.js"
import { endpointKey } from "../http/endpoint-key.js"
import { isExchangeFailure } from "../http/exchange-failure.js"
import type { HeaderRecord, HeaderSupplier } from "../http/request-decorator.js"
import { RequestHeaders } from "../http/request-headers.js"
import { currentTimers } from "../timers.js"
import type { Transport } from "../transport.js"
import { takeCredentials } from "../http/url-credentials.js"
import { defaultLiveness, type Liveness } from "./liveness.js"
import { platformSocket, type PlatformWebSocketConstructor } from "./platform-socket.js"
import type { OpenSocket } from "./socket-port.js"
import {
  checkedSubprotocols,
  defaultSubprotocols,
  type SubprotocolSupplier,
} from "./subprotocol.js"
import { WebSocketChannel } from "./websocket-channel.js"

export interface WebSocketOptions {
  /** Sent with the handshake. Node only: browsers let nobody choose headers. */
  readonly headers?: HeaderRecord
  /** Asked for headers before every handshake, also when the connection is opened again. Node only. */
  readonly requestHeaders?: HeaderSupplier
  /**
   * What the server is offered; it must select the first. Further entries may carry a token, which is
   * the one way to send it from a browser: `["mcp", "bearer.…"]`. Default `["mcp"]`; an empty list
   * offers none. A function is asked before every handshake.
   */
  readonly subprotocols?: ReadonlyArray<string> | SubprotocolSupplier
  /** The largest message accepted, in bytes. Default 16 MiB. */
  readonly maxMessageBytes?: number
  readonly timeouts?: {
    /** Milliseconds until the socket must be open, TLS and handshake included. Default 10 000. */
    readonly connect?: number
  }
  /** Pings a silent server, and gives it up without an answer. Node only: browsers cannot ping. */
  readonly liveness?: Partial<Liveness> | false
  /** Allow `ws:` to other machines, where everybody on the way can read along. Default `false`. */
  readonly allowInsecure?: boolean
  /** Opens sockets with this constructor, as browsers have it; it can neither send headers nor ping. */
  readonly WebSocket?: PlatformWebSocketConstructor
}

const defaultConnectTimeout = 10_000

/**
 * A server behind a WebSocket. This is a *custom* transport: MCP does not define it, and what is spoken
 * here is the convention of the official SDK's first version. The subprotocol is `mcp`, each text frame
 * is one JSON-RPC message, and a request is cancelled by `notifications/cancelled`. A socket has no
 * session that could be resumed: with it everything under way is lost, and the next one begins with a
 * handshake of its own (V25-CUST-03, V26-CUST-05, C119).
 *
 * On Node it uses `ws`, elsewhere the platform's `WebSocket`. Throws `InvalidInput` for a URL, a header
 * or a subprotocol that can't be one, and for `ws:` to another machine (V26-CUST-07).
 *
 * @example
 * webSocket("wss://example.com/mcp", { headers: { Authorization: "Bearer …" } })
 */
export const webSocket = (url: string | URL, options: WebSocketOptions = {}): Transport => {
  const endpoint = parseEndpoint(url)
  const credentials = takeCredentials(endpoint)
  const target = redactUrl(endpoint.href)
  const clearText = endpoint.protocol === "ws:" && !isLoopback(endpoint.hostname)
  if (clearText && options.allowInsecure !== true) throw insecure(target)
  const { requestHeaders, subprotocols = defaultSubprotocols, liveness = {} } = options
  const fixed = { ...credentials, ...options.headers }
  if (options.WebSocket !== undefined) refuseHeaders(target, fixed, requestHeaders)
  const headers = new RequestHeaders({ target, fixed, suppliers: [] })
  if (typeof subprotocols !== "function") checkedSubprotocols(subprotocols, target)
  const maxMessageBytes = options.maxMessageBytes ?? defaultMaxMessageBytes
  const head = { method: "GET", url: endpoint } as const

  const checkedHeaders = async () =>
    headers.of(head, {}, requestHeaders && (await requestHeaders(head)))
  const offered = async () =>
    typeof subprotocols === "function"
      ? checkedSubprotocols(await subprotocols(), target)
      : subprotocols
  return {
    kind: "websocket",
    target,
    key: endpointKey(endpoint, target),
    reach: isLoopback(endpoint.hostname) ? "machine" : "anywhere",
    credentials: () =>
      requestHeaders !== undefined || typeof subprotocols === "function" || sendsCookies()
        ? undefined
        : credentialFingerprint(endpoint.href, Object.entries(fixed).toSorted(), subprotocols),
    open: Effect.gen(function* () {
      const trace = yield* CurrentTrace
      // Made before the socket: its timers still run while the socket is being closed.
      const timers = yield* currentTimers
      const request = {
        url: endpoint,
        headers: yield* supplied(target, "headers", checkedHeaders),
        subprotocols: yield* supplied(target, "subprotocols", offered),
        maxMessageBytes,
      }
      const openSocket = yield* loadSocket(options)
      const context = {
        target,
        request,
        trace,
        timers,
        connectTimeout: options.timeouts?.connect ?? defaultConnectTimeout,
        liveness: liveness === false ? liveness : { ...defaultLiveness, ...liveness },
        clearText,
      }
      const channel = yield* Effect.acquireRelease(
        Effect.sync(() => new WebSocketChannel(context)),
        ({ close }) => close,
      )
      yield* channel.open(openSocket)
      return channel
    }),
  }
}

const loadSocket = ({ WebSocket }: WebSocketOptions): Effect.Effect<OpenSocket> =>
  WebSocket === undefined
    ? Effect.promise(async () => (await import("#websocket")).openSocket)
    : Effect.succeed(platformSocket(WebSocket))

/**
 * What functions of the caller give. Their failure may pass, and counts as such: a token is hard to get
 * while the network is away.
 */
const supplied = <A>(target: string, what: string, supply: () => Promise<A>) =>
  Effect.tryPromise({
    try: supply,
    catch: (cause): TransportError => {
      if (isExchangeFailure(cause) && cause._tag !== "InvalidInput") return cause
      const message = `The ${what} of the WebSocket could not be had from their supplier.`
      const hint = "The cause in this error says what is wrong with it."
      return new Unreachable({ ...explain("unreachable", "open", target, message, hint), cause })
    },
  })

const parseEndpoint = (url: string | URL): URL => {
  const endpoint = URL.canParse(String(url)) ? new URL(url) : undefined
  if (endpoint !== undefined && /^wss?:$/.test(endpoint.protocol)) return endpoint
  const shown = redactUrl(String(url))
  const what = `${JSON.stringify(shown)} is no ws or wss URL.`
  throw new InvalidInput(explain("invalid-input", "input", shown, what))
}

const refuseHeaders = (
  target: string,
  fixed: HeaderRecord,
  supplier: HeaderSupplier | undefined,
): void => {
  if (Object.keys(fixed).length === 0 && supplier === undefined) return
  const what = "The constructor given in the option WebSocket cannot send headers."
  const hint = "Leave it out on Node, or send the token as a further subprotocol."
  throw new InvalidInput(explain("invalid-input", "input", target, what, hint))
}

const insecure = (target: string): InvalidInput => {
  const what = "A ws: URL to another machine sends every message, and every token, in the clear."
  const hint =
    "Use wss:. If the network between the two is yours, allow it: allowInsecure, or --insecure."
  return new InvalidInput(explain("invalid-input", "input", target, what, hint))
}
