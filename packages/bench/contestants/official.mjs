// The official client, as its documentation shows it.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { callsWith } from "../workloads.mjs"

const transportTo = (target) =>
  target.transport === "stdio"
    ? new StdioClientTransport({ command: target.command, args: target.args })
    : new StreamableHTTPClientTransport(new URL(target.url))

export const open = async (target) => {
  // Its own limit is 64 pages; 0 lifts it.
  const client = new Client({ name: "official", version: "1.0.0" }, { listMaxPages: 0 })
  await client.connect(transportTo(target))
  const call = async (n) => {
    const result = await client.callTool({ name: "tool-00000", arguments: { n } })
    return result.content[0].text
  }
  return {
    calls: callsWith(call),
    list: async () => (await client.listTools()).tools,
    close: () => client.close(),
  }
}
