import { readFile } from "node:fs/promises"
import { describe, expect, it } from "vitest"
// #region example
import { legacyServer, tool, withRules } from "@entente/testkit"
import { startHttpPeer } from "@entente/testkit/node"

const script = withRules(legacyServer({ tools: [tool("echo")] }), {
  when: { method: "tools/list" },
  times: 1,
  reply: [{ comment: "keep-alive" }, { destroy: true }],
})

const listTools = async (url: string): Promise<string> => {
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-11-25",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
  })
  return response.text()
}

const peer = await startHttpPeer(script)
const cut = await listTools(peer.url).catch((error: Error) => error.message) // "terminated"
const listed = await listTools(peer.url) // '{"jsonrpc":"2.0","id":1,"result":{"tools":[…]}}'
const asked = peer.requests("tools/list").length // 2
await peer.close()
// #endregion

describe("the README", () => {
  it("shows an example that does what it says", () => {
    expect(cut).toBe("terminated")
    expect(JSON.parse(listed)).toMatchObject({ result: { tools: [{ name: "echo" }] } })
    expect(asked).toBe(2)
  })

  it("shows the example as it is tested", async () => {
    const source = await readFile(new URL(import.meta.url), "utf8")
    const example = /\/\/ #region example\n(.*)\/\/ #endregion\n/s.exec(source)?.[1] ?? "none"
    const readme = await readFile(new URL("../README.md", import.meta.url), "utf8")
    expect(readme).toContain(`\`\`\`ts\n${example}\`\`\`\n`)
  })
})
