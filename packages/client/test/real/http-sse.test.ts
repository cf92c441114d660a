import { describe, expect, it } from "vitest"
import { connect, memoryVerdicts } from "@entente/client"
import { http, httpSse, type Transport } from "@entente/transport"
import { type Listening, freePort, installed, listening, own } from "@entente/published-servers"
import { everything } from "./tool-names.js"

interface OldPeer extends AsyncDisposable {
  readonly url: string
}

const at = (port: string, { [Symbol.asyncDispose]: stop }: Listening): OldPeer => ({
  url: `http://127.0.0.1:${port}/sse`,
  [Symbol.asyncDispose]: stop,
})

const serverEverything = async (): Promise<OldPeer> => {
  const port = String(await freePort())
  const command = installed("@modelcontextprotocol/server-everything", "sse")
  return at(port, await listening(command, /running on port/i, { PORT: port }))
}

/** A gateway that puts a stdio server behind HTTP+SSE. */
const gateway = async (): Promise<OldPeer> => {
  const port = String(await freePort())
  const { command, args } = own("official-server.mjs", "stdio")
  const stdio = [command, ...args].join(" ")
  const options = ["--stdio", stdio, "--outputTransport", "sse", "--port", port]
  return at(port, await listening(installed("supergateway", ...options), /listening on port/i))
}

const ways: ReadonlyArray<readonly [string, (url: string) => Transport]> = [
  ["by automatic fallback", (url) => http(url)],
  ["asked for by name", (url) => httpSse(url)],
]

describe.each(ways)("published servers over HTTP+SSE, %s", (_, transport) => {
  it("server-everything has all its lists and answers calls", async () => {
    await using server = await serverEverything()
    await using client = await connect(transport(server.url), { verdicts: memoryVerdicts() })
    const snapshot = await client.snapshot()
    expect(snapshot).toMatchObject({
      transport: "http+sse",
      era: "legacy",
      protocolVersion: "2025-11-25",
      lists: {
        tools: { status: "complete", items: everything.map((name) => ({ name })) },
        prompts: { status: "complete" },
        resources: { status: "complete" },
        templates: { status: "complete" },
      },
    })
    const echo = await client.callTool({ name: "echo", arguments: { message: "good day" } })
    expect(echo.content[0]).toMatchObject({ type: "text", text: "Echo: good day" })
  })

  it("supergateway passes on the server behind it", async () => {
    await using server = await gateway()
    await using client = await connect(transport(server.url), { verdicts: memoryVerdicts() })
    expect(await client.snapshot()).toMatchObject({
      transport: "http+sse",
      era: "legacy",
      server: { name: "official-server" },
      lists: { tools: { status: "complete", items: [{ name: "greet" }] } },
    })
    const greeted = await client.callTool({ name: "greet" })
    expect(greeted.content[0]).toMatchObject({ text: "Good day." })
  })
})
