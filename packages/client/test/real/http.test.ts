import { describe, expect, it } from "vitest"
import { connect } from "@entente/client"
import { freePort, installed, listening, own } from "@entente/published-servers"
import { everything } from "./tool-names.js"

const named = (...names: ReadonlyArray<string>): ReadonlyArray<{ readonly name: string }> =>
  names.map((name) => ({ name }))

describe("published servers over Streamable HTTP", () => {
  it("server-everything is legacy 2025-11-25 and keeps a session", async () => {
    const port = String(await freePort())
    const command = installed("@modelcontextprotocol/server-everything", "streamableHttp")
    await using _server = await listening(command, /listening/i, { PORT: port })
    await using client = await connect(`http://127.0.0.1:${port}/mcp`)
    const snapshot = await client.snapshot()
    expect(snapshot).toMatchObject({
      transport: "streamable-http",
      era: "legacy",
      protocolVersion: "2025-11-25",
      lists: {
        tools: { status: "complete", items: named(...everything) },
        prompts: { status: "complete" },
        resources: { status: "complete" },
        templates: { status: "complete" },
      },
    })
    const echo = await client.callTool({ name: "echo", arguments: { message: "good day" } })
    expect(echo.content[0]).toMatchObject({ type: "text", text: "Echo: good day" })
  })

  it("V25-HTTP-11 server-everything is heard on its GET stream", async () => {
    const port = String(await freePort())
    const command = installed("@modelcontextprotocol/server-everything", "streamableHttp")
    await using _server = await listening(command, /listening/i, { PORT: port })
    await using client = await connect(`http://127.0.0.1:${port}/mcp`, { mode: "legacy" })
    const opened = new Promise((resolve) => client.onListening((state) => resolve(state)))
    expect(client.listening === "open" ? "open" : await opened).toBe("open")
    const logged = new Promise<unknown>((resolve) => {
      client.onNotification(({ method, params }) => {
        if (method === "notifications/message") resolve(params)
      })
    })
    await client.callTool({ name: "toggle-simulated-logging" })
    expect(await logged).toMatchObject({ level: expect.any(String) })
  })

  it("a server on the official SDK 2.4 is modern", async () => {
    await using server = await listening(own("official-server.mjs", "http"), /^\d+\n/)
    await using client = await connect(`http://127.0.0.1:${server.output.trim()}/mcp`)
    expect(await client.snapshot()).toMatchObject({
      era: "modern",
      protocolVersion: "2026-07-28",
      server: { name: "official-server", version: "1.0.0" },
      lists: { tools: { status: "complete", items: [{ name: "greet" }] } },
    })
    const greeted = await client.callTool({ name: "greet" })
    expect(greeted.content[0]).toMatchObject({ text: "Good day." })
  })

  it("the same server is legacy for a client that asks for that", async () => {
    await using server = await listening(own("official-server.mjs", "http"), /^\d+\n/)
    await using client = await connect(`http://127.0.0.1:${server.output.trim()}/mcp`, {
      mode: "legacy",
    })
    expect(await client.snapshot()).toMatchObject({
      era: "legacy",
      protocolVersion: "2025-11-25",
      lists: { tools: { items: [{ name: "greet" }] } },
    })
  })

  it("context7-mcp is modern and has no session", async () => {
    const port = String(await freePort())
    const command = installed("@upstash/context7-mcp", "--transport", "http", "--port", port)
    await using _server = await listening(command, /running|listening/i)
    await using client = await connect(`http://127.0.0.1:${port}/mcp`)
    expect(await client.snapshot()).toMatchObject({
      era: "modern",
      protocolVersion: "2026-07-28",
      lists: { tools: { items: named("resolve-library-id", "query-docs") } },
    })
  })
})
