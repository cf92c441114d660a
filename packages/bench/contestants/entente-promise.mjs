// Entente through promises.
import { connect } from "@entente/client"
import { callsWith } from "../workloads.mjs"
import { transportTo } from "./entente-transport.mjs"

export const open = async (target) => {
  const client = await connect(transportTo(target))
  const call = async (n) => {
    const result = await client.callTool({ name: "tool-00000", arguments: { n } })
    return result.content[0].text
  }
  return {
    calls: callsWith(call),
    list: async () => (await client.tools.list()).items,
    close: () => client.close(),
  }
}
