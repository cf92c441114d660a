import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { expect, it } from "vitest"
import { runHere } from "./world.js"

const results: { readonly [method: string]: object } = {
  initialize: {
    protocolVersion: "2024-11-05",
    capabilities: { tools: {} },
    serverInfo: { name: "old-server", version: "1.0.0" },
  },
  "tools/list": { tools: [{ name: "a", inputSchema: { type: "object" } }] },
}

it("snapshot reaches a server of 2024-11-05 at the address of its stream", async () => {
  let stream: ServerResponse | undefined
  const server = createServer(async (request, response) => {
    let body = ""
    for await (const chunk of request.setEncoding("utf8")) body += chunk
    if (request.method === "GET") {
      stream = response.writeHead(200, { "content-type": "text/event-stream" })
      return stream.write("event: endpoint\ndata: messages\n\n")
    }
    if (request.url !== "/messages") return response.writeHead(405).end()
    response.writeHead(202).end()
    const { id, method } = JSON.parse(body) as { id?: number; method: string }
    if (id === undefined) return undefined
    return stream?.write(
      `data: ${JSON.stringify({ jsonrpc: "2.0", id, result: results[method] })}\n\n`,
    )
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo // a TCP server has no other kind of address
  const run = await runHere(["snapshot", `http://127.0.0.1:${port}/sse`, "--json"])
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  expect(run).toMatchObject({ code: 0, stderr: "" })
  expect(JSON.parse(run.stdout)).toMatchObject({
    transport: "http+sse",
    protocolVersion: "2024-11-05",
    lists: { tools: { status: "complete", items: [{ name: "a" }] } },
    notes: [{ code: "old-transport" }],
  })
})
