// A server whose tool `forget` takes a tool, a prompt and a resource away: on the official SDK 2.4 over `stdio`, or over
// `http` on a port the system gives (printed on stdout); or on the official SDK 1 (`first`) over stdio.
import { createServer } from "node:http"
import { realpathSync } from "node:fs"
import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"
import { McpServer, createMcpHandler } from "@modelcontextprotocol/server"
import { serveStdio } from "@modelcontextprotocol/server/stdio"
import { toNodeHandler } from "@modelcontextprotocol/node"

const uri = "file:///notes"
let forgotten = false

/** A server of either SDK: what is used here they have in common. */
const fill = (server) => {
  const say = (text) => ({ content: [{ type: "text", text }] })
  const removable = forgotten
    ? []
    : [
        server.registerTool("echo", {}, () => say("echo")),
        server.registerPrompt("greet", {}, () => ({ messages: [] })),
        server.registerResource("notes", uri, {}, () => ({ contents: [{ uri, text: "" }] })),
      ]
  // Without these the lists would not be offered any more once they are empty.
  server.registerPrompt("stay", {}, () => ({ messages: [] }))
  server.registerResource("here", "file:///here", {}, () => ({ contents: [] }))
  server.registerTool("forget", {}, () => {
    forgotten = true
    for (const one of removable) one.remove()
    return say("forgotten")
  })
  return server
}

const info = { name: "forgetful-server", version: "1.0.0" }

/** The SDK that a published server brings along. */
const first = async () => {
  const everything = fileURLToPath(
    import.meta.resolve("@modelcontextprotocol/server-everything/package.json"),
  )
  const require = createRequire(realpathSync(everything))
  const mcp = require("@modelcontextprotocol/sdk/server/mcp.js")
  const { StdioServerTransport } = require("@modelcontextprotocol/sdk/server/stdio.js")
  await fill(new mcp.McpServer(info)).connect(new StdioServerTransport())
}

const way = process.argv[2]
if (way === "first") await first()
else if (way === "stdio") serveStdio(() => fill(new McpServer(info)))
else {
  const handler = createMcpHandler(() => fill(new McpServer(info)))
  const server = createServer(toNodeHandler(handler))
  server.listen(0, "127.0.0.1", () => process.stdout.write(`${server.address().port}\n`))
}
