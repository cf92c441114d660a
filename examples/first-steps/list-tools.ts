import { connect } from "@entente/client"
import type { Transport } from "@entente/transport"

/** Prints the tools of a server as they arrive. */
export const listTools = async (target: string | Transport): Promise<void> => {
  await using client = await connect(target)
  console.log(`${client.server.name} speaks ${client.protocolVersion}`)
  for await (const tool of client.tools.all()) console.log(`- ${tool.name}`)
}
