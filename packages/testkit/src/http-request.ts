import { Buffer } from "node:buffer"
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http"
import type { Arrival } from "./arrival.js"

/** A server that never loses patience: the clock of the tests decides what is late. */
export const patientServer = (listener: RequestListener): Server => {
  const server = createServer(listener)
  server.requestTimeout = 0
  server.keepAliveTimeout = 0
  return server
}

/** The whole body, or nothing where it breaks off. */
export const bodyOf = async (request: IncomingMessage): Promise<string | undefined> => {
  const chunks: Array<Uint8Array> = []
  try {
    for await (const chunk of request) chunks.push(chunk as Uint8Array) // no encoding was set
  } catch {
    return undefined
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}

/** What the journal keeps of a request besides its body. */
export const receivedHead = (
  request: IncomingMessage,
): Required<Pick<Arrival, "httpMethod" | "path" | "headers">> => ({
  httpMethod: request.method ?? "",
  path: request.url ?? "",
  headers: Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, [value].flat().join(", ")]),
  ),
})
