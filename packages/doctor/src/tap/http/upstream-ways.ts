import { Agent as HttpAgent, type IncomingMessage } from "node:http"
import { Agent as HttpsAgent } from "node:https"
import type { Socket } from "node:net"

/** The way on from one connection of a client. */
interface Way {
  readonly agent: HttpAgent
  /** Exchanges under way on it. */
  active: number
}

/**
 * For each connection of a client one of its own to the server, kept and ended like the client's: what the
 * two would have made of their connection, they make of it with the tap between.
 */
export class UpstreamWays {
  readonly #secure: boolean
  readonly #ways = new Map<Socket, Way>()
  readonly #followed = new WeakSet<Socket>()

  constructor(secure: boolean) {
    this.#secure = secure
  }

  /** The agent for a request; `done` has to be called when its exchange is over. */
  take({ socket }: IncomingMessage): { readonly agent: HttpAgent; readonly done: () => void } {
    const way = this.#ways.get(socket) ?? this.#begin(socket)
    way.active += 1
    let over = false
    const done = (): void => {
      if (!over) way.active -= 1
      over = true
    }
    return { agent: way.agent, done }
  }

  /** A server that closes a connection on which nothing is under way has the tap close the client's. */
  follow({ socket }: IncomingMessage, onwards: Socket): void {
    if (this.#followed.has(onwards)) return
    this.#followed.add(onwards)
    onwards.once("close", () => {
      if (this.#ways.get(socket)?.active === 0) socket.end()
    })
  }

  close(): void {
    for (const { agent } of this.#ways.values()) agent.destroy()
    this.#ways.clear()
  }

  #begin(socket: Socket): Way {
    // The last answer may still be on its way to its end when the client asks again.
    const options = { keepAlive: true, noDelay: true, maxFreeSockets: 1 }
    const agent = this.#secure ? new HttpsAgent(options) : new HttpAgent(options)
    const way: Way = { agent, active: 0 }
    this.#ways.set(socket, way)
    socket.once("close", () => {
      this.#ways.delete(socket)
      agent.destroy()
    })
    return way
  }
}
