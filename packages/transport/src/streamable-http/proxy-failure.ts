import { explain, HttpRejected, Unreachable } from "@entente/protocol"

/** A proxy did not let a request through; the server has nothing to do with it. */
export class ProxyFailure extends Error {
  override readonly name = "ProxyFailure"
  /** Its address, without credentials. */
  readonly proxy: string
  /** What it answered, where it answered at all. */
  readonly status: number | undefined

  constructor(proxy: string, status: number | undefined, cause?: unknown) {
    super(`the proxy ${proxy} did not let the request through`, { cause })
    this.proxy = proxy
    this.status = status
  }
}

/**
 * What a failure of a proxy means: a refusal stands until somebody changes something; a proxy that is
 * away or cannot reach the server may do better the next time.
 */
export const proxyFailed = (
  target: string,
  place: string,
  { proxy, status }: ProxyFailure,
  reason: string,
  cause: unknown,
): HttpRejected | Unreachable => {
  if (status === undefined) {
    const what = `The proxy ${proxy} on the way to ${place} failed: ${reason}.`
    return new Unreachable({ ...explain("proxy-failed", "request", target, what), cause })
  }
  const what = `The proxy ${proxy} refused the way to ${place} with HTTP ${status}.`
  const hint =
    status === 407
      ? "Put name and password into the address of the proxy: http://name:password@host:port."
      : undefined
  const fields = explain("proxy-failed", "request", target, what, hint)
  return status >= 500
    ? new Unreachable({ ...fields, status })
    : new HttpRejected({ ...fields, status, body: "" })
}
