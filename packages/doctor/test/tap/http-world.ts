import { once } from "node:events"
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type RequestListener,
  type RequestOptions,
} from "node:http"
import type { AddressInfo } from "node:net"
import { tapHttp, type HttpTap, type TapHttpOptions } from "@entente/doctor/tap"
import { bytesOf, Kept } from "./tapped.js"

/** A real server on a port of its own. */
export interface Served extends AsyncDisposable {
  readonly origin: string
}

export const serve = async (listener: RequestListener): Promise<Served> => {
  const server = createServer(listener)
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo // a server that listens on a port has one
  return {
    origin: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, "close")
    },
  }
}

/** A server, the tap before it, and what the tap told. */
export interface World extends AsyncDisposable {
  readonly kept: Kept
  readonly tap: HttpTap
  readonly served: Served
}

export const tapped = async (
  listener: RequestListener,
  path = "/mcp",
  options: Partial<TapHttpOptions> = {},
): Promise<World> => {
  const served = await serve(listener)
  const kept = new Kept()
  const tap = await tapHttp({ url: `${served.origin}${path}`, trace: kept.trace, ...options })
  return {
    kept,
    tap,
    served,
    [Symbol.asyncDispose]: async () => {
      await tap.close()
      await served[Symbol.asyncDispose]()
    },
  }
}

/** One request, its answer with its body as it came. */
export const ask = async (
  url: string,
  options: RequestOptions & { readonly body?: string | Uint8Array } = {},
): Promise<IncomingMessage & { readonly body: Buffer }> => {
  const { body, ...rest } = options
  const request = httpRequest(url, { agent: false, ...rest })
  request.end(body)
  const [answer] = (await once(request, "response")) as [IncomingMessage] // "response" brings one
  return Object.assign(answer, { body: await bytesOf(answer) })
}

const posted = {
  method: "POST",
  headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
} as const

/** A message in a POST. */
export const post = (
  url: string,
  message: unknown,
  headers: Readonly<Record<string, string>> = {},
) =>
  ask(url, {
    ...posted,
    headers: { ...posted.headers, ...headers },
    body: JSON.stringify(message),
  })

export const json = (body: unknown): string => JSON.stringify(body)

export const result = (id: number, value: object): string =>
  json({ jsonrpc: "2.0", id, result: value })

export const initialize = (id: number) => ({
  jsonrpc: "2.0",
  id,
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "somebody", version: "1" },
  },
})

export const initialized = (id: number): string =>
  result(id, {
    protocolVersion: "2025-11-25",
    capabilities: { tools: {} },
    serverInfo: { name: "s", version: "1" },
  })
