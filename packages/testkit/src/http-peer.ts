import type { IncomingMessage, ServerResponse } from "node:http"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { readText, type Arrival } from "./arrival.js"
import type { Medium } from "./check-script.js"
import { endpointOf } from "./endpoint.js"
import { httpExchange } from "./http-exchange.js"
import { bodyOf, patientServer, receivedHead } from "./http-request.js"
import { authority, loopback, scopedPeer, type Address } from "./loopback.js"
import { makePeer, type Peer } from "./peer.js"
import { makePlayer } from "./play.js"
import type { ArrivalKind, Script } from "./script.js"

const notices = new Set<ArrivalKind>([
  "request",
  "notification",
  "response",
  "batch",
  "invalid",
  "bodiless",
])

const medium: Medium = {
  name: "http",
  plays: new Set([
    "result",
    "error",
    "message",
    "raw",
    "http",
    "event",
    "comment",
    "delay",
    "silence",
    "destroy",
  ]),
  notices,
  overHttp: notices,
}

export interface HttpPeer extends Peer {
  /** The MCP endpoint. */
  readonly url: string
  /** What came by one HTTP method; its length is the count. */
  readonly exchanges: (httpMethod: "GET" | "POST" | "DELETE") => ReadonlyArray<Arrival>
  /** How many sockets are open now. */
  readonly sockets: () => number
}

const openHttpPeer = async (
  script: Script,
  context: Context.Context<never>,
  address: Address = {},
): Promise<HttpPeer> => {
  const player = makePlayer(script, medium)

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const port = httpExchange(
      response,
      request.method === "POST" ? (script.answers ?? "json") : "sse",
    )
    const place = player.open(port, context)
    response.on("close", () => place.leave(port.state() === "over" ? "peer" : "client"))
    const text = await bodyOf(request)
    if (text === undefined) return // nobody is left to answer; the disconnect is recorded
    const bodiless = text === "" && request.method !== "POST"
    place.receive({
      ...(bodiless ? { kind: "bodiless" } : readText(text)),
      ...receivedHead(request),
    })
  }

  const server = patientServer((request, response) => void serve(request, response))
  const { start, stop, port, sockets } = loopback(server, address)
  await start()

  return {
    ...makePeer(player, { start, stop }),
    url: `http://${authority(port(), address)}${endpointOf(script, medium)}`,
    exchanges: (httpMethod) =>
      player.journal.received.filter(
        (arrival) => arrival.httpMethod === httpMethod && arrival.kind !== "disconnect",
      ),
    sockets: () => sockets.size,
  }
}

/**
 * A scripted HTTP server that is closed with the scope. Delays run on the clock of the caller: under
 * `TestClock` they wait for it, in a program for real time.
 */
export const httpPeer = (script: Script): Effect.Effect<HttpPeer, never, Scope.Scope> =>
  scopedPeer((context) => openHttpPeer(script, context))

/**
 * The same as a Promise, on a free port of 127.0.0.1 unless `address` says otherwise; `close`, or the end of `await using`, ends it.
 *
 * @example
 * const peer = await startHttpPeer({ rules: [{ when: {}, reply: [{ http: { status: 503 } }] }] })
 * await fetch(peer.url) // 503
 * await peer.close()
 */
export const startHttpPeer = (script: Script, address?: Address): Promise<HttpPeer> =>
  openHttpPeer(script, Context.empty(), address)
