import { readFile } from "node:fs/promises"
import { describe, expect, it } from "vitest"
import { legacyServer, tool } from "@entente/testkit"
import { startHttpPeer } from "@entente/testkit/node"
import { why } from "./readme-example.js"

const read = (path: string): Promise<string> => readFile(new URL(path, import.meta.url), "utf8")

describe("the README", () => {
  it("shows the example that runs here", async () => {
    const source = await read("./readme-example.ts")
    const [, region = ""] = /\/\/ #region example\n([^]*?)\/\/ #endregion/.exec(source) ?? []
    expect(region).not.toBe("")
    expect(await read("../README.md")).toContain("```ts\n" + region + "```")
  })

  it("has every section once, and begins once", async () => {
    const text = await read("../README.md")
    expect(text.match(/^##? .+$/gm)).toEqual([
      "# @entente/doctor",
      "## Reports",
      "## What a client hides",
      "## Logs of other clients",
      "## Tap",
      "## Replay",
    ])
    expect(text.match(/where are the tools\?\*/g)).toHaveLength(1)
    expect((text.match(/^```/gm)?.length ?? 1) % 2).toBe(0)
  })

  it("whose example says why there are no tools", async () => {
    await using peer = await startHttpPeer(legacyServer({ tools: [tool("a")], capabilities: {} }))
    const { verdict, code, change, text, again } = await why(peer.url)
    expect([verdict, code]).toEqual(["failed", "tools-capability-missing"])
    expect(change).toMatch(/^Declare the capability tools/)
    expect(text).toMatch(/^### ✗ failed: /)
    expect(again).toMatchObject({ verdict, hypotheses: [{ code }] })
  })
})
