// A server on the official SDK 2.4, with a tool that annotates its arguments: over HTTP it compares the
// headers of a call with its body. The port the system gives is printed on stdout.
import { createServer } from "node:http"
import { McpServer, createMcpHandler } from "@modelcontextprotocol/server"
import { toNodeHandler } from "@modelcontextprotocol/node"
import { z } from "zod"

const into = (schema, name) => schema.meta({ "x-mcp-header": name })

const makeServer = () => {
  const server = new McpServer({ name: "annotated-server", version: "1.0.0" })
  server.registerTool(
    "move",
    {
      description: "Moves something",
      inputSchema: z.object({
        region: into(z.string(), "Region"),
        count: into(z.int(), "Count").optional(),
        express: into(z.boolean(), "Express").optional(),
        to: z.object({ city: into(z.string(), "City") }).optional(),
        note: z.string().optional(),
      }),
    },
    (args) => ({ content: [{ type: "text", text: JSON.stringify(args) }] }),
  )
  return server
}

const server = createServer(toNodeHandler(createMcpHandler(makeServer)))
server.listen(0, "127.0.0.1", () => process.stdout.write(`${server.address().port}\n`))
