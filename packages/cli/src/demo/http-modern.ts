import type { IncomingMessage } from "node:http"
import { requestRow, rpcCode, type JsonRpcRequest, type Revision } from "@entente/protocol"
import { Fault } from "./fault.js"
import { header, type Exchange } from "./http-exchange.js"
import { InFlight } from "./in-flight.js"
import type { Library } from "./library.js"
import { checkMeta, claimedVersion, modernResult } from "./modern.js"

/** Undoes the Base64 form of values that are no plain header text (V26-XHDR-09). */
const decode = (value: string): string => {
  const wrapped = /^=\?base64\?(.*)\?=$/.exec(value)
  return wrapped === null ? value : Buffer.from(wrapped[1] ?? "", "base64").toString("utf8")
}

/** Refuses a request whose headers say something else than its body (V26-HDR-09). */
const checkHeaders = (request: JsonRpcRequest, incoming: IncomingMessage): void => {
  // Some methods repeat one member of their params, too (V26-HDR-03).
  const named = requestRow(request.method)?.modern?.mirrors
  const expected = [
    ["MCP-Protocol-Version", claimedVersion(request)],
    ["Mcp-Method", request.method],
    ...(named === undefined ? [] : [["Mcp-Name", request.params?.[named]] as const]),
  ] as const
  for (const [name, value] of expected) {
    const sent = header(incoming, name.toLowerCase())
    if (sent === undefined || decode(sent) !== value) {
      throw new Fault(rpcCode.headerMismatch, `The header ${name} does not match the body`, {
        status: 400,
      })
    }
  }
}

/** Answers a modern POST; if the client leaves, the request is cancelled (V26-HTTP-10). */
export const answerModern = async (
  request: JsonRpcRequest,
  incoming: IncomingMessage,
  exchange: Exchange,
  left: AbortSignal,
  server: {
    readonly library: Library
    readonly version: string
    readonly supported: ReadonlyArray<Revision>
  },
): Promise<void> => {
  const inFlight = new InFlight()
  left.addEventListener("abort", () => inFlight.cancelAll(), { once: true })
  const answer = await inFlight.run(request, (signal) => {
    checkMeta(request)
    checkHeaders(request, incoming)
    return modernResult(
      request,
      { params: request.params ?? {}, notify: exchange.notify, signal },
      server,
    )
  })
  exchange.reply(answer)
}
