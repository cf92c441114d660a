import type { IncomingMessage, ServerResponse } from "node:http"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { readText } from "./arrival.js"
import type { Medium } from "./check-script.js"
import { endpointOf } from "./endpoint.js"
import { httpExchange } from "./http-exchange.js"
import { bodyOf, patientServer, receivedHead } from "./http-request.js"
import { channelPort, messagePort, type ChannelPort } from "./http-sse-ports.js"
import { authority, loopback, scopedPeer, type Address } from "./loopback.js"
import { makePeer, type Peer } from "./peer.js"
import { makePlayer } from "./play.js"
import type { Script } from "./script.js"

const medium: Medium = {
  name: "http+sse",
  plays: new Set([
    "result",
    "error",
    "message",
    "raw",
    "http",
    "event",
    "comment",
    "close",
    "delay",
    "silence",
    "destroy",
  ]),
  notices: new Set(["request", "notification", "response", "batch", "invalid", "bodiless", "open"]),
  overHttp: new Set(["bodiless", "open"]),
}

export interface HttpSsePeer extends Peer {
  /** Where the event stream is. */
  readonly url: string
  /** How many sockets are open now. */
  readonly sockets: () => number
}

const openHttpSsePeer = async (
  script: Script,
  context: Context.Context<never>,
  address: Address = {},
): Promise<HttpSsePeer> => {
  const player = makePlayer(script, medium)
  const endpoint = endpointOf(script, medium)
  const messages = script.messages ?? "/messages"
  /** By the session in the address of their messages. */
  const channels = new Map<string, ChannelPort>()
  let opened = 0

  const openChannel = (request: IncomingMessage, response: ServerResponse): void => {
    opened += 1
    const session = String(opened)
    const channel = channelPort(response, `${messages}?session=${session}`)
    const place = player.open(channel.port, context)
    channels.set(session, channel)
    response.on("close", () => {
      channels.delete(session)
      place.leave(channel.port.state() === "over" ? "peer" : "client")
      channel.left()
    })
    place.receive({ kind: "open", ...receivedHead(request) })
  }

  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { httpMethod, path, headers } = receivedHead(request)
    const [pathname, query] = path.split("?", 2)
    const session = new URLSearchParams(query).get("session")
    const channel =
      httpMethod !== "POST" || pathname !== messages
        ? undefined
        : session === null
          ? [...channels.values()].at(-1)
          : channels.get(session)
    const port =
      channel === undefined ? httpExchange(response, "json") : messagePort(response, channel)
    const place = player.open(port, context)
    response.on("close", () => {
      if (port.state() !== "waiting") place.leave("peer")
      else if (!response.writableFinished) place.leave("client")
      else channel?.onLeft(() => place.leave("peer"))
    })
    const text = await bodyOf(request)
    if (text === undefined) return // nobody is left to answer; the disconnect is recorded
    if (channel === undefined) place.receive({ kind: "bodiless", httpMethod, path, headers })
    else place.receive({ ...readText(text), path, headers })
  }

  const { start, stop, port, sockets } = loopback(
    patientServer((request, response) => {
      const path = request.url?.split("?", 1)[0]
      if (request.method === "GET" && path === endpoint) openChannel(request, response)
      else void receive(request, response)
    }),
    address,
  )
  await start()

  return {
    ...makePeer(player, { start, stop }),
    url: `http://${authority(port(), address)}${endpoint}`,
    sockets: () => sockets.size,
  }
}

/**
 * A scripted server of the HTTP+SSE transport (2024-11-05), closed with the scope. A GET is an `open`: unless
 * its reply puts something else out, the stream begins with the `endpoint` event. Messages that are POSTed
 * get 202 (or what `http` says) and their replies come as events named `message`; a POST that names no
 * session belongs to the latest stream. Delays run on the clock of the caller.
 */
export const httpSsePeer = (script: Script): Effect.Effect<HttpSsePeer, never, Scope.Scope> =>
  scopedPeer((context) => openHttpSsePeer(script, context))

/**
 * The same as a Promise, on a free port of 127.0.0.1 unless `address` says otherwise; `close`, or the end of `await using`, ends it.
 *
 * @example
 * const peer = await startHttpSsePeer({ rules: [{ when: { method: "ping" }, reply: [{ result: {} }] }] })
 * const stream = await fetch(peer.url) // event: endpoint, data: /messages?session=1
 */
export const startHttpSsePeer = (script: Script, address?: Address): Promise<HttpSsePeer> =>
  openHttpSsePeer(script, Context.empty(), address)
