// The one server everybody is measured against: `server.mjs stdio` or `server.mjs http` (prints its
// port). No SDK and nothing to compute, so that it is never the slow part.
import { createServer } from "node:http"

export const toolCount = 10_000
export const pageSize = 100

const tool = (number) => ({
  name: `tool-${String(number).padStart(5, "0")}`,
  description: `Looks up record ${number} in the inventory and returns its fields as text.`,
  inputSchema: {
    type: "object",
    properties: {
      n: { type: "integer", description: "The record to look up" },
      fields: { type: "array", items: { type: "string" }, description: "Fields to return" },
      verbose: { type: "boolean", description: "Include the history of changes" },
    },
    required: ["n"],
  },
})

const page = (number) => {
  const tools = Array.from({ length: pageSize }, (_, index) => tool(number * pageSize + index))
  const last = (number + 1) * pageSize >= toolCount
  return JSON.stringify(last ? { tools } : { tools, nextCursor: `page-${number + 1}` })
}

const pages = new Map(
  Array.from({ length: toolCount / pageSize }, (_, number) => [`page-${number}`, page(number)]),
)

const initializeResult = JSON.stringify({
  protocolVersion: "2025-11-25",
  capabilities: { tools: {} },
  serverInfo: { name: "bench-server", version: "1.0.0" },
})

const result = (id, json) => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${json}}`

const answers = {
  initialize: ({ id }) => result(id, initializeResult),
  ping: ({ id }) => result(id, "{}"),
  "tools/list": ({ id, params }) => result(id, pages.get(params?.cursor ?? "page-0")),
  "tools/call": ({ id, params }) =>
    result(id, `{"content":[{"type":"text","text":"${Number(params.arguments.n)}"}]}`),
}

/** The answer to a message as JSON, or undefined for a notification. */
export const answer = (json) => {
  const message = JSON.parse(json)
  if (message.id === undefined) return undefined
  // `server/discover` too: everybody then negotiates the same revision.
  return (
    answers[message.method]?.(message) ??
    `{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"error":{"code":-32601,"message":"Method not found"}}`
  )
}

const serveStdio = () => {
  let rest = ""
  process.stdin.setEncoding("utf8")
  process.stdin.on("data", (chunk) => {
    const lines = (rest + chunk).split("\n")
    rest = lines.pop()
    const replies = lines.filter((line) => line !== "").map(answer)
    const text = replies.filter((reply) => reply !== undefined).join("\n")
    if (text !== "") process.stdout.write(`${text}\n`)
  })
}

const reply = (response, body) => {
  if (body === undefined) {
    response.writeHead(202).end()
    return
  }
  const bytes = Buffer.from(body)
  response.writeHead(200, { "content-type": "application/json", "content-length": bytes.length })
  response.end(bytes)
}

const serveHttp = () => {
  const server = createServer((request, response) => {
    if (request.method !== "POST") {
      response.writeHead(405, { allow: "POST" }).end()
      return
    }
    let body = ""
    request.setEncoding("utf8")
    request.on("data", (chunk) => (body += chunk))
    request.on("end", () => reply(response, answer(body)))
  })
  server.keepAliveTimeout = 600_000
  server.listen(0, "127.0.0.1", () => console.log(server.address().port))
}

const serve = { stdio: serveStdio, http: serveHttp }[process.argv[2]]
if (process.argv[1].endsWith("server.mjs")) serve()
