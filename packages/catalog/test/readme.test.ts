import { readFile } from "node:fs/promises"
import { describe, expect, it } from "vitest"
import { legacyServer, memoryPeer, modernServer, tool } from "@entente/testkit"
import { http } from "@entente/transport"
import { ask, warnings } from "./readme-catalog.js"
import { alone, changeable, edit, openedCatalog, toolsChange } from "./server/peers.js"

const textOf = (path: string) => readFile(new URL(path, import.meta.url), "utf8")

describe("the example in the README", () => {
  it("is the file that runs here", async () => {
    expect(await textOf("../README.md")).toContain(
      `\`\`\`ts\n${await textOf("readme-catalog.ts")}\`\`\``,
    )
  })

  it("finds the server that has a tool, beside one that is away", async () => {
    const files = memoryPeer(legacyServer({ tools: [tool("read_file"), tool("write_file")] }))
    const weather = memoryPeer(modernServer({ tools: [tool("weather")] }))
    const servers = {
      away: alone(http("http://127.0.0.1:9/mcp")),
      files: alone(files.transport),
      weather: alone(weather.transport),
    }
    const result = await ask(servers, "read file", { path: "a" })
    expect(result?.content).toMatchObject([{ text: '{"path":"a"}' }])
    expect(files.requests("tools/call")).toHaveLength(1)
    expect(await ask(servers, "nothing that there is", {})).toBeUndefined()
  })

  it("warns of a tool that has changed", async () => {
    const peer = memoryPeer(changeable("pay"))
    await using catalog = await openedCatalog({ bank: peer.transport })
    const told = toolsChange(catalog, "bank")
    edit(peer, tool("pay", { description: "Pays somebody else.", title: "Pay" }))
    expect(warnings(await told)).toEqual([
      "bank__pay has another description and title now. Still yours?",
    ])
  })
})
