import buildConnector from "undici/lib/core/connect.js"
import type { Dispatcher } from "undici"
import type { Dial, Dialling, Trust } from "./dial.js"
import type { HttpEngineOptions, HttpRequest } from "./http-engine.js"
import { proxyFor, type Environment, type ProxyAddress } from "./proxy-address.js"
import { ProxyFailure } from "./proxy-failure.js"

/** The way to one origin. */
export interface Route {
  /** Where its connections lead: to the server, or to a proxy that reads each request. */
  readonly origin: string
  readonly dial: Dial
  readonly options: (request: HttpRequest) => Dispatcher.DispatchOptions
  /** The proxy on the way, as errors name it. */
  readonly proxy: string | undefined
  /** What an answer is that the server never gave. */
  readonly refusal: (status: number, headers: AnswerHeaders) => ProxyFailure | undefined
}

export type AnswerHeaders = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/** Finds the way to the origin of a URL. Throws `ProxyFailure` where that is through a proxy that is none. */
export const routeTo = (
  url: URL,
  { proxy, certificateAuthority }: HttpEngineOptions,
  environment: Environment,
): Route => {
  const tls: Trust = certificateAuthority === undefined ? {} : { ca: certificateAuthority }
  // Its own deadline would run on the clock of the platform; 0 leaves it out.
  const dial = buildConnector({ ...tls, timeout: 0 }) as Dial // it returns its socket
  const through = proxyFor(url, proxy, environment)
  if (through === undefined) return direct(url, dial)
  return url.protocol === "https:"
    ? tunnelled(url, dial, through, tls)
    : forwarded(url, dial, through)
}

const own = ({ method, url, headers, body }: HttpRequest): Dispatcher.DispatchOptions => ({
  method,
  path: url.pathname + url.search,
  headers,
  body: body ?? null,
})

const direct = ({ origin }: URL, dial: Dial): Route => ({
  origin,
  dial,
  options: own,
  proxy: undefined,
  refusal: () => undefined,
})

/** The proxy is told by CONNECT where to lead a tunnel, and sees nothing of what is in it. */
const tunnelled = ({ origin }: URL, dial: Dial, proxy: ProxyAddress, tls: Trust): Route => ({
  origin,
  dial: (options, settle) => {
    let dialling: Dialling | undefined
    let given: Error | undefined
    // Few need it, and it brings two more modules of Node.
    import("./proxy-tunnel.js").then(
      ({ dialThrough }) => {
        if (given === undefined) dialling = dialThrough({ ...proxy, tls }, dial, options, settle)
      },
      (cause: Error) => settle(cause, null),
    )
    return {
      destroy: (cause) => {
        given = cause
        dialling?.destroy(cause)
      },
    }
  },
  options: own,
  proxy: proxy.origin,
  refusal: () => undefined,
})

/** The proxy reads each request, and is told by its first line where it goes. */
const forwarded = (server: URL, dial: Dial, proxy: ProxyAddress): Route => ({
  origin: proxy.origin,
  dial: (options, settle) =>
    // Its certificate is the proxy's own, not that of the server which the headers name.
    dial({ ...options, servername: "" }, (...[cause, socket]) =>
      cause === null
        ? settle(null, socket)
        : settle(new ProxyFailure(proxy.origin, undefined, cause), null),
    ),
  options: (request) => ({
    ...own(request),
    path: server.origin + request.url.pathname + request.url.search,
    headers: { ...request.headers, ...proxy.headers, host: server.host },
  }),
  proxy: proxy.origin,
  refusal: (status, headers) =>
    status === 407 || (status >= 400 && isOfProxy(headers))
      ? new ProxyFailure(proxy.origin, status)
      : undefined,
})

/** A proxy may say that an answer is its own (RFC 9209); the oldest one has a word for it, too. */
const isOfProxy = (headers: AnswerHeaders): boolean =>
  headers["x-squid-error"] !== undefined ||
  /;\s*error=/.test([headers["proxy-status"] ?? ""].flat().join(", "))
