import { request as requestPlain } from "node:http"
import { request as requestSecure } from "node:https"
import type { Dial, Dialling, DialOptions, Settle, Trust } from "./dial.js"
import type { ProxyAddress } from "./proxy-address.js"
import { ProxyFailure } from "./proxy-failure.js"

/**
 * Has a proxy lead a tunnel to a server and speaks TLS through it: the proxy sees neither messages nor
 * headers, and its credentials do not reach the server. A failure before the tunnel stands is the
 * proxy's, one after it the server's.
 */
export const dialThrough = (
  proxy: ProxyAddress & { readonly tls: Trust },
  dial: Dial,
  options: DialOptions,
  settle: Settle,
): Dialling => {
  const { origin, url, headers, tls } = proxy
  const host = options.host ?? options.hostname
  const place = /:\d+$/.test(host) ? host : `${host}:443`
  let secured: Dialling | undefined
  const asking = (url.protocol === "https:" ? requestSecure : requestPlain)({
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port === "" ? undefined : url.port,
    method: "CONNECT",
    path: place,
    headers: { ...headers, host: place },
    agent: false,
    ...tls,
  })
  asking.once("connect", ({ statusCode = 0 }, socket) => {
    if (statusCode < 200 || statusCode > 299) {
      socket.on("error", () => {}).destroy()
      return settle(new ProxyFailure(origin, statusCode), null)
    }
    secured = dial({ ...options, httpSocket: socket }, settle)
  })
  asking.once("error", (cause) => settle(new ProxyFailure(origin, undefined, cause), null))
  asking.end()
  return {
    destroy: (cause) => {
      asking.on("error", () => {}).destroy()
      secured?.destroy(cause)
    },
  }
}
