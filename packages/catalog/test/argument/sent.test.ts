import { describe, expect, it } from "vitest"
import { assignNames, nameMap, nameRules, readArguments } from "@entente/catalog"
import { connect } from "@entente/client"
import { legacyServer, memoryPeer, modernServer, tool } from "@entente/testkit"

const inputSchema = {
  type: "object",
  properties: { since: { type: "string" }, q: { type: "string" } },
} as const

const eras = [
  ["legacy", legacyServer],
  ["modern", modernServer],
] as const

describe.each(eras)("what two %s servers with the same tool get", (era, server) => {
  it("C080 V26-TOOL-05 C091 is for the one that the model named, under the tool's own name, without nulls", async () => {
    const script = server({ tools: [tool("notify", { inputSchema })] })
    const peers = [memoryPeer(script), memoryPeer(script)] as const
    await using one = await connect(peers[0].transport, { mode: era })
    await using two = await connect(peers[1].transport, { mode: era })
    const clients = { s1: one, s2: two }
    const tools = []
    for (const [id, client] of Object.entries(clients)) {
      const { items } = await client.tools.list()
      tools.push(...items.map((item) => ({ server: id, tool: item })))
    }
    const { names } = assignNames(tools, nameRules.openai)
    const map = nameMap(tools.map((each, index) => ({ ...each, name: names[index] ?? "" })))

    const meant = map.toolOf("s2__notify")
    if (meant === undefined) throw new Error("s2__notify is nobody's")
    const read = await readArguments(meant, '{"since":null,"q":"x"}', { dropNulls: true })
    if (!read.ok) throw new Error("refused")
    const client = clients[meant.server as keyof typeof clients]
    await client.callTool({ name: meant.tool.name, arguments: read.arguments })

    expect(peers[0].requests("tools/call")).toEqual([])
    expect(peers[1].requests("tools/call").map(({ message }) => message.params)).toEqual([
      expect.objectContaining({ name: "notify", arguments: { q: "x" } }),
    ])
  })
})
