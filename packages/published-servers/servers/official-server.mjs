// A server on the official SDK 2.4: `stdio`, or `http` on a port the system gives (printed on stdout).
import { createServer } from "node:http"
import { McpServer, createMcpHandler } from "@modelcontextprotocol/server"
import { serveStdio } from "@modelcontextprotocol/server/stdio"
import { toNodeHandler } from "@modelcontextprotocol/node"

const makeServer = () => {
  const server = new McpServer({ name: "official-server", version: "1.0.0" })
  server.registerTool("greet", { description: "Greets somebody" }, () => ({
    content: [{ type: "text", text: "Good day." }],
  }))
  server.registerPrompt("haiku", { description: "Asks for a haiku" }, () => ({
    messages: [{ role: "user", content: { type: "text", text: "Write a haiku." } }],
  }))
  return server
}

if (process.argv[2] === "stdio") {
  serveStdio(makeServer)
} else {
  const server = createServer(toNodeHandler(createMcpHandler(makeServer)))
  server.listen(0, "127.0.0.1", () => process.stdout.write(`${server.address().port}\n`))
}
