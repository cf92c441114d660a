import { randomUUID } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import {
  isLegacyRevision,
  rpcCode,
  type JsonRpcNotification,
  type JsonRpcRequest,
} from "@entente/protocol"
import { Fault } from "./fault.js"
import { header, openEventStream, writeEvent, type Exchange } from "./http-exchange.js"
import { LegacySession } from "./legacy.js"
import type { Library } from "./library.js"

/** Sessions kept at once; the oldest is forgotten first, and its id is unknown from then on. */
const mostSessions = 1_000

const sessionHeader = "mcp-session-id"

interface Held {
  readonly session: LegacySession
  readonly streams: Set<ServerResponse>
  readonly end: () => void
}

/** The legacy half of the HTTP server: sessions with an id, a stream of notices, and their end. */
export class LegacySessions {
  readonly #held = new Map<string, Held>()
  readonly #library: Library
  readonly #version: string

  constructor(library: Library, version: string) {
    this.#library = library
    this.#version = version
  }

  /** Answers a POST with a request in it. */
  async answer(
    request: JsonRpcRequest,
    incoming: IncomingMessage,
    exchange: Exchange,
  ): Promise<void> {
    if (request.method === "initialize") {
      const session = new LegacySession(this.#library, this.#version)
      const answer = await session.answer(request, exchange.notify)
      if (session.revision !== undefined) exchange.setHeader(sessionHeader, this.#hold(session))
      exchange.reply(answer)
    } else {
      const { session } = this.#find(incoming)
      exchange.reply(await session.answer(request, exchange.notify))
    }
  }

  /** Takes a POST with a notification in it. */
  accept(notification: JsonRpcNotification, incoming: IncomingMessage, exchange: Exchange): void {
    this.#find(incoming).session.accept(notification)
    exchange.refuse(202)
  }

  /** Opens the stream on which a session hears of changes (V25-HTTP-11). */
  listen(incoming: IncomingMessage, response: ServerResponse): void {
    const { streams } = this.#find(incoming)
    openEventStream(response)
    streams.add(response)
    response.on("close", () => streams.delete(response))
  }

  /** Ends a session (V25-HTTP-34). */
  delete(incoming: IncomingMessage, exchange: Exchange): void {
    this.#find(incoming).end()
    exchange.refuse(204)
  }

  endAll(): void {
    for (const { end } of this.#held.values()) end()
  }

  #hold(session: LegacySession): string {
    const id = randomUUID()
    const streams = new Set<ServerResponse>()
    const stopListening = this.#library.onToolsChanged(() => {
      // Each message goes to one stream only (V25-HTTP-15).
      const [stream] = streams
      if (stream === undefined) return
      writeEvent(stream, {
        jsonrpc: "2.0",
        method: "notifications/tools/list_changed",
        params: {},
      })
    })
    const end = (): void => {
      this.#held.delete(id)
      stopListening()
      session.end()
      for (const stream of streams) stream.end()
    }
    const [oldest] = this.#held.values()
    if (this.#held.size >= mostSessions) oldest?.end()
    this.#held.set(id, { session, streams, end })
    return id
  }

  /** The session a request belongs to: 400 without an id, 404 with one that is not known (V25-HTTP-31, 35). */
  #find(incoming: IncomingMessage): Held {
    const id = header(incoming, sessionHeader)
    if (id === undefined) {
      throw new Fault(rpcCode.invalidRequest, "Send initialize first, then its Mcp-Session-Id", {
        status: 400,
      })
    }
    const held = this.#held.get(id)
    if (held === undefined) {
      throw new Fault(rpcCode.invalidRequest, "There is no such session", { status: 404 })
    }
    const version = header(incoming, "mcp-protocol-version")
    if (version !== undefined && !isLegacyRevision(version)) {
      throw new Fault(rpcCode.invalidRequest, "MCP-Protocol-Version is not one of this session", {
        status: 400,
      })
    }
    return held
  }
}
