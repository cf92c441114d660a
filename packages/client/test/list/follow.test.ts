import { describe, expect, it } from "vitest"
import { legacyServer, memoryPeer, tool, withRules } from "@entente/testkit"
import { connected, names } from "../field/connected.js"

const answer = (...ids: ReadonlyArray<string>) => ({
  when: { method: "tools/list" },
  reply: [{ result: { tools: ids.map((id) => tool(id)) } }],
})

describe("a list that is followed", () => {
  it("V25-LIST-01 comes as it is, and again when the server says that it has changed", async () => {
    const peer = memoryPeer(withRules(legacyServer({ tools: [] }), answer("a")))
    await using client = await connected(peer.transport)
    const seen: Array<unknown> = []
    for await (const { version, items } of client.tools.follow()) {
      seen.push([version, names(items)])
      if (version === 2) break
      peer.add(answer("a", "b"))
      peer.send({ jsonrpc: "2.0", method: "notifications/tools/list_changed" })
    }
    expect(seen).toEqual([
      [1, ["a"]],
      [2, ["a", "b"]],
    ])
    expect(client.tools.state).toBe("live")
  })
})
