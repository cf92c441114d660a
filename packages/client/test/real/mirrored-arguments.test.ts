import { describe, expect, it } from "vitest"
import { connect } from "@entente/client"
import { listening, own } from "@entente/published-servers"

describe("a server on the official SDK 2.4 whose tool annotates its arguments", () => {
  it("V26-XHDR-12 C031 finds every header equal to the body, and is called again where there was none", async () => {
    await using server = await listening(own("annotated-server.mjs"), /^\d+\n/)
    await using client = await connect(`http://127.0.0.1:${server.output.trim()}/mcp`)
    const calls: ReadonlyArray<Readonly<Record<string, unknown>>> = [
      { region: "us-west1" },
      { region: "", note: "not mirrored" },
      { region: "Liège", count: 42, express: true, to: { city: "Hello, 世界" } },
      { region: " padded ", count: -7, express: false, to: { city: "line1\nline2" } },
      { region: "=?base64?literal?=", count: 0 },
      { region: "a\tb", count: Number.MAX_SAFE_INTEGER },
    ]
    for (const args of calls) {
      const { content } = await client.callTool({ name: "move", arguments: args })
      const [{ text = "" } = {}] = content as ReadonlyArray<{ readonly text?: string }>
      expect(JSON.parse(text)).toEqual(args)
    }
    // The first call knew of no annotation; the server refused it, and its tool was read.
    expect(client.notes).toEqual([{ code: "headers-rebuilt", count: 1, detail: "move" }])
    expect(client.mirroredArguments("move").map(({ name }) => name)).toEqual([
      "Region",
      "Count",
      "Express",
      "City",
    ])
  })
})
