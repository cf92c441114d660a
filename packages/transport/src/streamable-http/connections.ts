// Only the client: the index of undici also loads its fetch, caches and mocks, at four times the cost.
import Client from "undici/lib/dispatcher/client.js"
import type { Dispatcher } from "undici"
import type { Timers } from "../timers.js"
import { ConnectDeadline, isLimit } from "./deadline.js"
import type { Dialling } from "./dial.js"
import type { HttpRequest } from "./http-engine.js"
import type { Route } from "./route.js"

/** Bytes of the headers of one answer, names and values. Node's own limit is 16 KiB. */
const maxHeaderSize = 64 * 1024

/**
 * A connection without work is kept for 4 s, which is less than most servers keep it (5 s in Node and
 * uvicorn): so it is this side that closes it, and no request meets a connection that is just being
 * closed. A server that says how long it keeps one is believed, less 2 s, and up to a minute.
 */
const keepAlive = {
  keepAliveTimeout: 4_000,
  keepAliveTimeoutThreshold: 2_000,
  keepAliveMaxTimeout: 60_000,
}

/** One connection, and what connects it again after it was closed. It carries one exchange at a time. */
export class Connection {
  readonly #route: Route
  readonly #client: Client
  #dialling: Dialling | undefined
  #ended = false

  constructor(route: Route, timers: Timers, connectTimeout: number, resting: () => void) {
    this.#route = route
    this.#client = new Client(route.origin, {
      ...keepAlive,
      maxHeaderSize,
      pipelining: 1,
      // Deadlines are kept above, on the clock of the caller; silence is legal (V26-HTTP-13).
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: (options, callback) => {
        let timer: unknown
        let over = false
        const settle: typeof callback = (...result) => {
          if (over) return
          over = true
          timers.clear(timer)
          this.#dialling = undefined
          callback(...result)
        }
        const dialling = route.dial(options, settle)
        this.#dialling = dialling
        if (!isLimit(connectTimeout)) return
        timer = timers.set(() => {
          const late = new ConnectDeadline(connectTimeout, route.proxy)
          settle(late, null)
          dialling.destroy(late)
        }, connectTimeout)
      },
    })
    this.#client.on("disconnect", resting)
  }

  carry(request: HttpRequest, handler: Dispatcher.DispatchHandler): void {
    this.#client.dispatch(this.#route.options(request), handler)
  }

  /** Closes it, whatever it is doing. */
  end(): void {
    if (this.#ended) return
    this.#ended = true
    this.#dialling?.destroy(ended)
    // Whoever holds an exchange has been told already, or wants to hear nothing.
    void this.#client.destroy(ended)
  }
}

const ended = new Error("The connection was ended.")

/**
 * The connections to one origin. Every exchange has one of its own for as long as its answer takes,
 * and the one that rested last is used first, so that surplus ones go cold and are closed. There is no
 * upper bound: a call can wait for an answer that is itself a message to be sent, and would wait for
 * ever behind calls like itself.
 */
export class Connections {
  readonly route: Route
  readonly #timers: Timers
  readonly #connectTimeout: number
  readonly #all = new Set<Connection>()
  readonly #resting: Array<Connection> = []

  constructor(route: Route, timers: Timers, connectTimeout: number) {
    this.route = route
    this.#timers = timers
    this.#connectTimeout = connectTimeout
  }

  take(): Connection {
    return this.#resting.pop() ?? this.#open()
  }

  /** Takes one back whose answer is complete. */
  rest(connection: Connection): void {
    if (this.#all.has(connection)) this.#resting.push(connection)
  }

  /** Ends one whose exchange is not over. */
  drop(connection: Connection): void {
    this.#all.delete(connection)
    connection.end()
  }

  close(): void {
    for (const connection of this.#all) this.drop(connection)
  }

  #open(): Connection {
    const connection = new Connection(this.route, this.#timers, this.#connectTimeout, () => {
      const at = this.#resting.indexOf(connection)
      if (at < 0) return // It is at work, and whoever waits for it is told.
      this.#resting.splice(at, 1)
      this.drop(connection)
    })
    this.#all.add(connection)
    return connection
  }
}
