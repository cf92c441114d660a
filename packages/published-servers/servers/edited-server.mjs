// A server on the official SDK 2.4 whose tools somebody edits while it runs: `edited-server.mjs PORT stdio`, or
// `http-legacy` or `http-modern` on a port the system gives (printed on stdout). Edits come as lines from the port on
// 127.0.0.1, each answered with the time at which it was made.
import { randomUUID } from "node:crypto"
import { createServer } from "node:http"
import { connect } from "node:net"
import { createInterface } from "node:readline"
import { McpServer, createMcpHandler } from "@modelcontextprotocol/server"
import { serveStdio } from "@modelcontextprotocol/server/stdio"
import { NodeStreamableHTTPServerTransport, toNodeHandler } from "@modelcontextprotocol/node"

const answer = () => ({ content: [{ type: "text", text: "Good day." }] })

/** The tools as they are now, for instances that are still to come; and the instances that there are. */
const tools = new Map([
  ["greet", { description: "Greets somebody." }],
  ["leave", { description: "Says goodbye." }],
])
const instances = new Set()

const makeServer = () => {
  const server = new McpServer(
    { name: "edited-server", version: "1.0.0" },
    { capabilities: { tools: { listChanged: true } } },
  )
  const registered = new Map(
    [...tools].map(([name, config]) => [name, server.registerTool(name, config, answer)]),
  )
  instances.add({ server, registered })
  return server
}

const edits = {
  update: {
    state: () => tools.set("greet", { description: "Greets everybody." }),
    live: ({ registered }) => registered.get("greet").update({ description: "Greets everybody." }),
  },
  add: {
    state: () => tools.set("wave", { description: "Waves." }),
    live: ({ server }) => server.registerTool("wave", { description: "Waves." }, answer),
  },
  remove: {
    state: () => tools.delete("leave"),
    live: ({ registered }) => registered.get("leave").remove(),
  },
}

const [port, mode] = process.argv.slice(2)
let notify = () => {}

const listen = (handle) => {
  const server = createServer(handle)
  server.listen(0, "127.0.0.1", () => process.stdout.write(`${server.address().port}\n`))
}

const modes = {
  stdio: () => serveStdio(makeServer),
  "http-modern": () => {
    const handler = createMcpHandler(makeServer, { legacy: "reject" })
    notify = () => handler.notify.toolsChanged()
    listen(toNodeHandler(handler))
  },
  "http-legacy": () => {
    const sessions = new Map()
    listen(async (request, response) => {
      const known = sessions.get(request.headers["mcp-session-id"])
      if (known !== undefined) return known.handleRequest(request, response)
      const transport = new NodeStreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => sessions.set(id, transport),
      })
      await makeServer().connect(transport)
      return transport.handleRequest(request, response)
    })
  },
}

const control = connect(Number(port), "127.0.0.1", () => modes[mode]())
createInterface({ input: control }).on("line", (edit) => {
  const at = Date.now()
  edits[edit].state()
  // Over modern HTTP an instance lives for one request; there is only the state, and who is to be told.
  if (mode !== "http-modern") for (const instance of instances) edits[edit].live(instance)
  notify()
  control.write(`${at}\n`)
})
control.on("close", () => process.exit())
