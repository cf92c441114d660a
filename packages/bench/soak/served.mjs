// The servers of the soak, one process each: `served.mjs KIND` prints where it listens. They answer like
// the server of the benchmark, and keep nothing of what they are told.
import { randomUUID } from "node:crypto"
import { createServer as createHttpServer } from "node:http"
import { createServer as createNetServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { WebSocketServer } from "ws"
import { answer } from "../server.mjs"

const bodyOf = async (request) => {
  let body = ""
  for await (const chunk of request.setEncoding("utf8")) body += chunk
  return body
}

const listen = (server, where, address) => server.listen(where, () => console.log(address(server)))

const onPort = (scheme, path) => (server) => `${scheme}://127.0.0.1:${server.address().port}${path}`

const json = (response, body, headers = {}) =>
  response.writeHead(200, { "content-type": "application/json", ...headers }).end(body)

const eventStream = { "content-type": "text/event-stream", "cache-control": "no-cache" }

/** Legacy, with a session and a stream for what it says by itself; every answer is an event stream. */
const legacyHttp = () => {
  const server = createHttpServer(async (request, response) => {
    if (request.method === "GET") return response.writeHead(200, eventStream).flushHeaders()
    if (request.method === "DELETE") return response.writeHead(200).end()
    const reply = answer(await bodyOf(request))
    if (reply === undefined) return response.writeHead(202).end()
    const session = request.headers["mcp-session-id"] ?? randomUUID()
    response.writeHead(200, { ...eventStream, "mcp-session-id": session })
    return response.end(`event: message\ndata: ${reply}\n\n`)
  })
  server.keepAliveTimeout = 600_000
  listen(server, { port: 0, host: "127.0.0.1" }, onPort("http", "/mcp"))
}

const discovered = {
  resultType: "complete",
  supportedVersions: ["2026-07-28"],
  capabilities: { tools: {} },
  serverInfo: { name: "soak", version: "1" },
  ttlMs: 60_000,
  cacheScope: "public",
}

const modernHttp = () => {
  const server = createHttpServer(async (request, response) => {
    if (request.method !== "POST") return response.writeHead(405).end()
    const message = JSON.parse(await bodyOf(request))
    if (message.id === undefined) return response.writeHead(202).end()
    if (message.method === "server/discover") {
      return json(response, JSON.stringify({ jsonrpc: "2.0", id: message.id, result: discovered }))
    }
    const reply = JSON.parse(answer(JSON.stringify(message)))
    const result = { resultType: "complete", ttlMs: 0, cacheScope: "private", ...reply.result }
    return json(response, JSON.stringify({ ...reply, result }))
  })
  server.keepAliveTimeout = 600_000
  listen(server, { port: 0, host: "127.0.0.1" }, onPort("http", "/mcp"))
}

const httpSse = () => {
  const streams = new Map()
  const server = createHttpServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url, "http://localhost")
    if (request.method === "GET" && pathname === "/sse") {
      const id = randomUUID()
      streams.set(id, response)
      response.on("close", () => streams.delete(id))
      return response.writeHead(200, eventStream).write(`event: endpoint\ndata: /say?to=${id}\n\n`)
    }
    const stream = streams.get(searchParams.get("to"))
    if (stream === undefined) return response.writeHead(405).end()
    const reply = answer(await bodyOf(request))
    response.writeHead(202).end()
    return reply === undefined || stream.write(`event: message\ndata: ${reply}\n\n`)
  })
  server.keepAliveTimeout = 600_000
  listen(server, { port: 0, host: "127.0.0.1" }, onPort("http", "/sse"))
}

const webSocket = () => {
  const server = new WebSocketServer({
    port: 0,
    host: "127.0.0.1",
    handleProtocols: () => "mcp",
  })
  server.on("connection", (socket) => {
    socket.on("message", (message) => {
      const reply = answer(String(message))
      if (reply !== undefined) socket.send(reply)
    })
  })
  server.on("listening", () => console.log(onPort("ws", "/")(server)))
}

const lines = (socket) => {
  let rest = ""
  socket.setEncoding("utf8").on("error", () => {})
  socket.on("data", (chunk) => {
    const whole = (rest + chunk).split("\n")
    rest = whole.pop()
    for (const line of whole) {
      const reply = answer(line)
      if (reply !== undefined) socket.write(`${reply}\n`)
    }
  })
}

const tcp = () =>
  listen(createNetServer(lines), { port: 0, host: "127.0.0.1" }, (server) => server.address().port)

const unix = () => {
  const path = join(tmpdir(), `entente-soak-${process.pid}.sock`)
  listen(createNetServer(lines), path, () => path)
}

const servers = { legacyHttp, modernHttp, httpSse, webSocket, tcp, unix }
servers[process.argv[2]]()
// It goes when whoever started it goes.
process.stdin.resume().on("end", () => process.exit())
