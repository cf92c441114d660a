// The official client, with its negotiation of eras on (`auto`; its default is not to negotiate).
import {
  Client,
  SSEClientTransport,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { clientLimit, probeLimit } from "../limits.mjs"

const transports = {
  stdio: ({ command, args }) => new StdioClientTransport({ command, args }),
  http: ({ url }) => new StreamableHTTPClientTransport(new URL(url)),
  sse: ({ url }) => new SSEClientTransport(new URL(url)),
}

const timeout = { timeout: clientLimit }

export const create = (target) => {
  const states = []
  const transport = transports[target.kind](target)
  const probe = target.kind === "stdio" ? { timeoutMs: probeLimit } : {}
  const client = new Client(
    { name: "official", version: "1.0.0" },
    { versionNegotiation: { mode: "auto", probe } },
  )
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the client has no other way to hear of it
  client.onclose = () => states.push("closed")
  const list = async () => ({
    status: "complete",
    items: (await client.listTools(undefined, timeout)).tools,
  })
  return {
    connect: async () => {
      await client.connect(transport, timeout)
      return { revision: client.getNegotiatedProtocolVersion() }
    },
    list,
    again: list,
    call: () => client.callTool({ name: "echo", arguments: { text: "hello" } }, timeout),
    standing: () => ({ states }),
    close: async () => {
      await client.close()
      await transport.close()
    },
    nameOf: ({ name, constructor, code }) =>
      `${constructor?.name ?? name}${code === undefined ? "" : ` ${code}`}`,
  }
}
