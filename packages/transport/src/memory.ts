import * as Effect from "effect/Effect"
import { explain, Unreachable, type InvalidInput, type JsonRpcMessage } from "@entente/protocol"
import { noCredentials } from "./credential-fingerprint.js"
import { encodeMessage } from "./framing/encode-message.js"
import { Inbox } from "./inbox.js"
import type { Channel, SendOutcome, Transport } from "./transport.js"

/** The client, as an in-process server sees it. */
export interface MemoryClient {
  /** Sends one JSON value: a message, or an array of them. Throws where it has no JSON form. */
  readonly send: (value: unknown) => void
  /** Ends the connection from the server's side. */
  readonly close: () => void
}

/** A server that lives in the same process, for one connection. */
export interface MemoryServer {
  /** Called with every message of the client, in order. What it throws ends the connection. */
  readonly message: (message: JsonRpcMessage) => void | Promise<void>
  /** The client closed the connection. */
  readonly closed?: () => void
}

let connections = 0

/**
 * A transport to a server in the same process: for tests, examples and embedded servers. Each message
 * crosses as JSON text, so no object is shared and what JSON can't carry is lost here as it would be on
 * a wire. Delivery is asynchronous and ordered in each direction.
 *
 * @example
 * memory((client) => ({
 *   message: (message) => {
 *     if ("id" in message) client.send({ jsonrpc: "2.0", id: message.id, result: {} })
 *   },
 * }))
 */
export const memory = (serve: (client: MemoryClient) => MemoryServer): Transport => {
  const name = `memory:${++connections}`
  return {
    kind: "memory",
    target: name,
    key: name,
    credentials: noCredentials,
    open: Effect.map(
      Effect.acquireRelease(
        Effect.try({
          try: () => new MemoryConnection(name, serve),
          catch: (cause) => gone(name, "The server failed to start.", cause),
        }),
        (connection) => Effect.sync(() => connection.release()),
      ),
      (connection) => connection.channel,
    ),
  }
}

class MemoryConnection {
  readonly #target: string
  readonly #inbox = new Inbox()
  readonly #server: MemoryServer
  #cause: Unreachable | undefined

  constructor(target: string, serve: (client: MemoryClient) => MemoryServer) {
    this.#target = target
    this.#server = serve({
      send: (value) => {
        const text: string | undefined = JSON.stringify(value)
        if (text === undefined) throw new TypeError("This value has no JSON form.")
        queueMicrotask(() => this.#inbox.message(JSON.parse(text), { exchange: 0 }))
      },
      close: () => queueMicrotask(() => this.#end("The server closed the connection.")),
    })
  }

  readonly channel: Channel = {
    exchanges: "shared",
    listen: this.#inbox.listen,
    send: ({ message }, settled) => {
      const text = encodeMessage(message, this.#target)
      queueMicrotask(() => {
        if (typeof text !== "string") return settled(failed(text))
        if (this.#cause !== undefined) return settled(failed(this.#cause))
        settled({ _tag: "Written" })
        void this.#serve(text)
      })
      return { exchange: 0, abort: () => {} }
    },
  }

  release(): void {
    this.#inbox.shut()
    if (this.#cause !== undefined) return
    this.#cause = gone(this.#target, "The connection was closed.")
    this.#server.closed?.()
  }

  async #serve(text: string): Promise<void> {
    try {
      // The text is a message that this side encoded itself.
      await this.#server.message(JSON.parse(text) as JsonRpcMessage)
    } catch (cause) {
      this.#end("The server failed.", cause)
    }
  }

  #end(what: string, cause?: unknown): void {
    if (this.#cause !== undefined) return
    this.#cause = gone(this.#target, what, cause)
    this.#inbox.closed(this.#cause)
  }
}

const gone = (target: string, what: string, cause?: unknown): Unreachable =>
  new Unreachable({ ...explain("unreachable", "request", target, what), cause })

const failed = (error: Unreachable | InvalidInput): SendOutcome => ({
  _tag: "Failed",
  error,
  mayHaveArrived: false,
})
