import { PeerError, explain, type JsonRpcErrorObject } from "@entente/protocol"
import { excerpt } from "@entente/transport"

/** A JSON-RPC error as its caller gets it; `status` where it came over HTTP and was not 2xx. */
export const peerError = (
  { code, message, data }: JsonRpcErrorObject,
  status: number | undefined,
  { method, target }: { readonly method: string; readonly target: string },
): PeerError => {
  const what = `${method} was answered with ${status === undefined ? "" : `HTTP ${status}, `}error ${code}: ${excerpt(message)}.`
  return new PeerError({
    ...explain("peer-error", "request", target, what),
    method,
    rpcCode: code,
    rpcMessage: message,
    ...(data === undefined ? {} : { data }),
    ...(status === undefined ? {} : { status }),
  })
}
