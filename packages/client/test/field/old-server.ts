import { once } from "node:events"
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http"
import type { AddressInfo } from "node:net"

/** A request as it arrived, with the JSON-RPC method of its body if there is one. */
export interface Arrived {
  readonly verb: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly method: string | undefined
}

export interface OldServerOptions {
  /** The path of the stream. Default: `/sse`. */
  readonly at?: string
  /** What the `endpoint` event names; `?session=…` is added. Default: `/messages`. */
  readonly names?: string
  /** Where messages really are. Default: what is named. */
  readonly takesAt?: string
  /** The answer to a POST on the stream's own path. Default: 405. */
  readonly refusal?: number
  /** Whether there is a stream at all; asked at every GET. Default: yes. */
  readonly streams?: () => boolean
  readonly revision?: string
  /** Answers a tool call in another way than with its name. */
  readonly call?: (response: ServerResponse, stream: ServerResponse, id: number) => void
}

export interface OldServer extends AsyncDisposable {
  readonly url: string
  readonly origin: string
  readonly arrived: ReadonlyArray<Arrived>
  /** Every request in short: its verb and its method or path, in order. */
  readonly story: () => ReadonlyArray<string>
  /** The stream that was opened last. */
  readonly stream: () => ServerResponse
}

interface Message {
  readonly id?: number
  readonly method?: string
}

const tools = [{ name: "a", inputSchema: { type: "object" } }]

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let body = ""
  for await (const chunk of request.setEncoding("utf8")) body += chunk
  return body
}

/** A real server of 2024-11-05 that nothing of Entente is in: a GET for its stream, POSTs beside it. */
export const startOldServer = async (options: OldServerOptions = {}): Promise<OldServer> => {
  const { at = "/sse", names = "/messages", takesAt = names, refusal = 405 } = options
  const { streams = () => true, revision = "2024-11-05", call } = options
  const arrived: Array<Arrived> = []
  let stream: ServerResponse | undefined
  let sessions = 0

  const results: { readonly [method: string]: object } = {
    initialize: {
      protocolVersion: revision,
      capabilities: { tools: {} },
      serverInfo: { name: "old-server", version: "1.0.0" },
    },
    "tools/list": { tools },
    "tools/call": { content: [{ type: "text", text: "done" }] },
  }

  const accept = ({ id, method = "" }: Message, response: ServerResponse): void => {
    const current = stream
    if (current === undefined) throw new Error("A message came before its stream")
    if (method === "tools/call" && call !== undefined) return call(response, current, id ?? 0)
    response.writeHead(202).end("Accepted")
    if (id === undefined) return
    const result = results[method]
    const outcome = result ? { result } : { error: { code: -32601, message: "Method not found" } }
    current.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: "2.0", id, ...outcome })}\n\n`)
  }

  const server = createServer(async (request, response) => {
    const body = await bodyOf(request)
    const { method: verb = "", url: path = "", headers } = request
    const message = (body === "" ? {} : JSON.parse(body)) as Message
    arrived.push({ verb, path, headers, method: message.method })
    if (verb === "GET" && path === at && streams()) {
      stream = response.writeHead(200, { "content-type": "text/event-stream" })
      return stream.write(`event: endpoint\ndata: ${names}?session=${++sessions}\n\n`)
    }
    if (verb === "POST" && path === `${takesAt}?session=${sessions}`)
      return accept(message, response)
    return response.writeHead(path === at ? refusal : 404).end(`Cannot ${verb} ${path}`)
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `${origin}${at}`,
    origin,
    arrived,
    story: () => arrived.map(({ verb, path, method }) => `${verb} ${method ?? path}`),
    stream: () => {
      if (stream === undefined) throw new Error("No stream is open")
      return stream
    },
    [Symbol.asyncDispose]: async () => {
      server.close()
      server.closeAllConnections()
      if (server.listening) await once(server, "close")
    },
  }
}
