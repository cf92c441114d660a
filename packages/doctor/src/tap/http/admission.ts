import type { IncomingHttpHeaders } from "node:http"
import { isLoopback } from "@entente/transport"

/** The host in an address, without its port; undefined for what is no address. */
const hostOf = (address: string): string | undefined => {
  try {
    return new URL(address).hostname
  } catch {
    return undefined
  }
}

const isThisMachine = (address: string): boolean => {
  const host = hostOf(address)
  return host !== undefined && isLoopback(host)
}

/**
 * Why a request is not let through, as a sentence; undefined where it is. A page in a browser may give its own
 * name the address of this machine, and would then reach whatever listens here: its name shows in `Host`, and
 * where the page came from in `Origin` (V25-SEC-03).
 */
export const refusalOf = ({ host, origin }: IncomingHttpHeaders): string | undefined => {
  if (host === undefined || !isThisMachine(`http://${host}`)) {
    return "The Host header does not name this machine."
  }
  // `null` is what pages say that have no origin to show; it names nobody.
  return origin === undefined || isThisMachine(origin)
    ? undefined
    : "The Origin header names a page that is not of this machine."
}
