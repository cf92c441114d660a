// A server on the official SDK 2.4 that changes while it runs: `stdio`, or `http` on a port the system gives (printed on
// stdout). Its tool `change` adds a tool and touches a resource; who has asked for that is told.
import { createServer } from "node:http"
import { McpServer, createMcpHandler } from "@modelcontextprotocol/server"
import { serveStdio } from "@modelcontextprotocol/server/stdio"
import { toNodeHandler } from "@modelcontextprotocol/node"

const uri = "file:///notes"
const added = []

const addTool = (server, name) =>
  server.registerTool(name, {}, () => ({ content: [{ type: "text", text: name }] }))

/** `tell` says to whoever listens what has changed. */
const makeServer = (tell) => () => {
  const server = new McpServer(
    { name: "changing-server", version: "1.0.0" },
    { capabilities: { resources: { subscribe: true, listChanged: true } } },
  )
  server.registerTool("change", {}, async () => {
    const name = `added-${added.length + 1}`
    added.push(name)
    await tell(server, name)
    return { content: [{ type: "text", text: "changed" }] }
  })
  server.registerResource("notes", uri, {}, () => ({ contents: [{ uri, text: "" }] }))
  for (const name of added) addTool(server, name)
  return server
}

if (process.argv[2] === "stdio") {
  serveStdio(
    makeServer(async (server, name) => {
      addTool(server, name) // tells that the list has changed
      await server.server.sendResourceUpdated({ uri })
    }),
  )
} else {
  const handler = createMcpHandler(
    makeServer(() => {
      handler.notify.toolsChanged()
      handler.notify.resourceUpdated(uri)
    }),
  )
  const server = createServer(toNodeHandler(handler))
  server.listen(0, "127.0.0.1", () => process.stdout.write(`${server.address().port}\n`))
}
