import type { Dispatcher } from "undici"
import { Connections, type Connection } from "./connections.js"
import { contentDecoder, type ContentDecoder } from "./content-decoder.js"
import type { HttpAnswer, HttpEngine, HttpEngineOptions, HttpRequest } from "./http-engine.js"
import type { ProxyFailure } from "../proxy/proxy-failure.js"
import { routeTo } from "../proxy/route.js"

/**
 * Speaks HTTP on Node through undici's client, below its promises: one keep-alive connection per
 * exchange under way, reused afterwards, and a way of its own to each origin.
 */
export const openHttpEngine = (options: HttpEngineOptions): HttpEngine => {
  const origins = new Map<string, Connections>()
  const connectionsTo = (url: URL): Connections => {
    const known = origins.get(url.origin)
    if (known !== undefined) return known
    const { timers, connectTimeout } = options
    const connections = new Connections(routeTo(url, options, process.env), timers, connectTimeout)
    origins.set(url.origin, connections)
    return connections
  }
  return {
    start: (request, answer) => {
      try {
        const exchange = new UndiciExchange(connectionsTo(request.url), answer)
        exchange.start(request)
        return exchange.cancel
      } catch (cause) {
        // The way there could not even be found.
        queueMicrotask(() => answer.failed(cause, false))
        return () => false
      }
    },
    close: async () => {
      for (const connections of origins.values()) connections.close()
      origins.clear()
    },
  }
}

class UndiciExchange implements Dispatcher.DispatchHandler {
  readonly #connections: Connections
  readonly #answer: HttpAnswer
  /** Until the answer is complete. */
  #connection: Connection | undefined
  #decoder: ContentDecoder | undefined
  #mayHaveArrived = false
  #over = false

  constructor(connections: Connections, answer: HttpAnswer) {
    this.#connections = connections
    this.#answer = answer
  }

  start(request: HttpRequest): void {
    const connection = this.#connections.take()
    this.#connection = connection
    connection.carry(request, this)
  }

  readonly cancel = (): boolean => {
    this.#stop()
    return this.#mayHaveArrived
  }

  /** A connection is there, and the request is about to be written. */
  onRequestStart(): void {
    this.#mayHaveArrived = true
    if (!this.#over) this.#answer.written?.()
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // Whatever comes before the answer (early hints, processing) means nothing here.
    if (this.#over || status < 200) return
    const refusal = this.#connections.route.refusal(status, headers)
    if (refusal !== undefined) return this.#refused(refusal)
    const encoding = headers["content-encoding"]
    if (encoding !== undefined && !this.#decode(encoding, controller)) return
    this.#answer.head(status, joined(headers))
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Uint8Array): void {
    if (this.#over) return
    if (this.#decoder === undefined) this.#answer.chunk(chunk)
    else this.#decoder.write(chunk)
  }

  onResponseEnd(): void {
    if (this.#over) return
    // Before the answer is told, so that a call that follows at once finds it.
    this.#rest()
    if (this.#decoder === undefined) this.#end()
    else this.#decoder.end()
  }

  onResponseError(_: Dispatcher.DispatchController, cause: Error): void {
    this.#fail(cause)
  }

  /** Puts a decoder between the body and its reader, if one is needed; false where there is none. */
  #decode(
    encoding: string | ReadonlyArray<string>,
    controller: Dispatcher.DispatchController,
  ): boolean {
    const decoder = contentDecoder(encoding, {
      chunk: (bytes) => this.#over || this.#answer.chunk(bytes),
      end: () => this.#end(),
      failed: (cause) => this.#fail(cause),
      pause: () => controller.pause(),
      resume: () => controller.resume(),
    })
    if (decoder instanceof Error) {
      this.#fail(decoder)
      return false
    }
    this.#decoder = decoder
    return true
  }

  #rest(): void {
    if (this.#connection === undefined) return
    this.#connections.rest(this.#connection)
    this.#connection = undefined
  }

  #end(): void {
    if (this.#over) return
    this.#over = true
    this.#answer.end()
  }

  #refused(refusal: ProxyFailure): void {
    // It wants to know who asks before it passes anything on.
    if (refusal.status === 407) this.#mayHaveArrived = false
    this.#fail(refusal)
  }

  #fail(cause: Error): void {
    if (this.#over) return
    this.#stop()
    this.#answer.failed(cause, this.#mayHaveArrived)
  }

  #stop(): void {
    this.#over = true
    this.#decoder?.destroy()
    const connection = this.#connection
    this.#connection = undefined
    if (connection !== undefined) this.#connections.drop(connection)
  }
}

const joined = (
  headers: Record<string, string | string[] | undefined>,
): Readonly<Record<string, string>> => {
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value !== "string") headers[name] = value?.join(", ") ?? ""
  }
  // Every value is one string now.
  return headers as Record<string, string>
}
