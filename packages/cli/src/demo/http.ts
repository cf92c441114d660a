import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { classify, isModernRevision, rpcCode, type JsonRpcRequest } from "@entente/protocol"
import { Fault } from "./fault.js"
import { Exchange, header, readJson } from "./http-exchange.js"
import { LegacySessions } from "./http-legacy.js"
import { answerModern } from "./http-modern.js"
import { revisionsOf, type DemoEra } from "./identity.js"
import { Library } from "./library.js"
import { looksModern, versionFault } from "./modern.js"

const host = "127.0.0.1"
const path = "/mcp"

/** A server that listens. */
export interface DemoHttpServer {
  readonly url: string
  readonly close: () => Promise<void>
}

const localNames = ["localhost", "127.0.0.1", "[::1]"]

const isLocal = (address: string): boolean =>
  URL.canParse(address) && localNames.includes(new URL(address).hostname)

/** Refuses what a web page of another origin could have sent, also by a name that points here (V25-HTTP-41). */
const checkOrigin = (incoming: IncomingMessage): void => {
  const origin = header(incoming, "origin")
  const host = `http://${header(incoming, "host") ?? ""}`
  if (!isLocal(host) || (origin !== undefined && !isLocal(origin))) {
    throw new Fault(rpcCode.invalidRequest, "This origin is not allowed", { status: 403 })
  }
}

const checkMediaTypes = (incoming: IncomingMessage): void => {
  const accepted = header(incoming, "accept") ?? ""
  if (!["application/json", "text/event-stream"].every((type) => accepted.includes(type))) {
    throw new Fault(
      rpcCode.invalidRequest,
      "Accept must name application/json and text/event-stream",
      { status: 406 },
    )
  }
  if (!/^application\/json\b/i.test(header(incoming, "content-type") ?? "")) {
    throw new Fault(rpcCode.invalidRequest, "Content-Type must be application/json", {
      status: 415,
    })
  }
}

/** Serves the reading room over Streamable HTTP, on this machine only. Port 0 takes a free one. */
export const serveHttp = async (
  era: DemoEra,
  version: string,
  port: number,
): Promise<DemoHttpServer> => {
  const library = new Library()
  const legacy = new LegacySessions(library, version)
  const supported = revisionsOf[era]

  const opensModern = (request: JsonRpcRequest, incoming: IncomingMessage): boolean =>
    era === "modern" ||
    (era === "dual" &&
      (looksModern(request) || isModernRevision(header(incoming, "mcp-protocol-version"))))

  const post = async (
    incoming: IncomingMessage,
    response: ServerResponse,
    exchange: Exchange,
  ): Promise<void> => {
    checkMediaTypes(incoming)
    const classified = classify(await readJson(incoming))
    if (classified.kind === "request") {
      const request = classified.message
      if (!opensModern(request, incoming)) return legacy.answer(request, incoming, exchange)
      if (request.method === "initialize") {
        // A client of the older era is told what it would have to speak (V26-ERA-15).
        const fault = versionFault(supported, request.params?.["protocolVersion"])
        return exchange.refuse(fault.status, fault.answer(request.id))
      }
      const left = new AbortController()
      response.on("close", () => left.abort())
      return answerModern(request, incoming, exchange, left.signal, {
        library,
        version,
        supported,
      })
    }
    if (classified.kind === "notification") {
      return era === "modern"
        ? exchange.refuse(202)
        : legacy.accept(classified.message, incoming, exchange)
    }
    const reason = classified.kind === "invalid" ? classified.reason : "Only requests are served"
    throw new Fault(rpcCode.invalidRequest, reason, { status: 400 })
  }

  const serve = async (
    incoming: IncomingMessage,
    response: ServerResponse,
    exchange: Exchange,
  ): Promise<void> => {
    checkOrigin(incoming)
    if (incoming.url?.split("?")[0] !== path) return exchange.refuse(404)
    if (incoming.method === "POST") return post(incoming, response, exchange)
    if (era !== "modern") {
      if (incoming.method === "GET") return legacy.listen(incoming, response)
      if (incoming.method === "DELETE") return legacy.delete(incoming, exchange)
    }
    exchange.setHeader("allow", era === "modern" ? "POST" : "POST, GET, DELETE")
    exchange.refuse(405)
  }

  const server = createServer((incoming, response) => {
    const exchange = new Exchange(response)
    serve(incoming, response, exchange).catch((error: unknown) => {
      const fault =
        error instanceof Fault
          ? error
          : new Fault(rpcCode.internalError, "The server failed", { status: 500 })
      exchange.refuse(fault.status, fault.answer(null))
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject)
    server.listen(port, host, resolve)
  })
  const { port: taken } = server.address() as AddressInfo // a TCP server has no other kind of address
  return {
    url: `http://${host}:${taken}${path}`,
    close: async () => {
      legacy.endAll()
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}
