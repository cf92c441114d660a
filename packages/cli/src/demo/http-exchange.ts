import type { IncomingMessage, ServerResponse } from "node:http"
import { rpcCode, type JsonRpcMessage } from "@entente/protocol"
import { Fault } from "./fault.js"
import type { Answer } from "./in-flight.js"
import type { Call } from "./library.js"

/** Bytes that a request may have. */
const largestBody = 4 * 1024 * 1024

/** The body of a request as JSON. */
export const readJson = async (request: IncomingMessage): Promise<unknown> => {
  const chunks: Array<Buffer> = []
  let size = 0
  for await (const chunk of request) {
    const bytes = chunk as Buffer // no encoding is set, so these are bytes
    size += bytes.length
    if (size > largestBody) {
      throw new Fault(rpcCode.invalidRequest, "The body is too large", { status: 413 })
    }
    chunks.push(bytes)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"))
  } catch {
    throw new Fault(rpcCode.parseError, "The body is not JSON", { status: 400 })
  }
}

/** A header that occurs at most once, or undefined. */
export const header = (request: IncomingMessage, name: string): string | undefined => {
  const value = request.headers[name]
  return Array.isArray(value) ? value.join(", ") : value
}

/** Starts a stream of events (V26-HTTP-13). */
export const openEventStream = (response: ServerResponse): void => {
  response.writeHead(200, {
    "content-type": "text/event-stream",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
  })
  response.flushHeaders()
}

/** Writes a message as one event. */
export const writeEvent = (response: ServerResponse, message: JsonRpcMessage): void => {
  response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`)
}

/**
 * The answer to one POST. It is one JSON body, unless notifications come before it: the first of them
 * turns it into a stream of events.
 */
export class Exchange {
  readonly #response: ServerResponse
  #streaming = false

  constructor(response: ServerResponse) {
    this.#response = response
  }

  /** Adds a header, as long as nothing was written. */
  setHeader(name: string, value: string): void {
    this.#response.setHeader(name, value)
  }

  /** Sends a notification that belongs to the request. */
  readonly notify: Call["notify"] = (method, params) => {
    if (!this.#streaming) openEventStream(this.#response)
    this.#streaming = true
    writeEvent(this.#response, { jsonrpc: "2.0", method, params })
  }

  /** Ends the exchange with an answer, or without one when the request was cancelled. */
  reply(answer: Answer | undefined): void {
    if (this.#streaming) {
      if (answer !== undefined) writeEvent(this.#response, answer.message)
      this.#response.end()
    } else if (answer === undefined) {
      this.#response.destroy()
    } else {
      this.refuse(answer.status, answer.message)
    }
  }

  /** Ends the exchange with a status and, where there is one, a JSON-RPC message. */
  refuse(status: number, message?: JsonRpcMessage): void {
    if (message === undefined) {
      this.#response.writeHead(status).end()
    } else {
      this.#response.writeHead(status, { "content-type": "application/json" })
      this.#response.end(JSON.stringify(message))
    }
  }
}
