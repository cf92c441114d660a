import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { createServer, type AddressInfo, type Server, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { connect, type ConnectOptions } from "@entente/client"
import { webSocket, type Transport } from "@entente/transport"
import { tcpSocket, unixSocket } from "@entente/transport/socket"
import { freePort, installed, listening, own } from "@entente/published-servers"
import { everything } from "./tool-names.js"

/** Long enough for a busy machine: a slow start must not look like a legacy server. */
const patient: ConnectOptions = { probeMs: 30_000 }

type Command = ReturnType<typeof installed>

/**
 * A gateway from WebSocket to a stdio server that nobody here wrote. It listens on `/message`, answers
 * other paths with 400, and selects `mcp`, because that is offered first.
 */
const gateway = async (server: Command) => {
  const port = String(await freePort())
  const line = [server.command, ...server.args].map((word) => JSON.stringify(word)).join(" ")
  const flags = ["--stdio", line, "--outputTransport", "ws", "--port", port]
  const running = await listening(installed("supergateway", ...flags), /WebSocket endpoint/)
  return { url: `ws://127.0.0.1:${port}/message`, running }
}

describe("a published gateway over WebSocket", () => {
  it("server-everything behind supergateway: lists, calls, and several requests at once", async () => {
    const { url, running } = await gateway(
      installed("@modelcontextprotocol/server-everything", "stdio"),
    )
    await using _running = running
    await using client = await connect(webSocket(url), patient)
    const snapshot = await client.snapshot()
    expect(snapshot).toMatchObject({
      transport: "websocket",
      era: "legacy",
      protocolVersion: "2025-11-25",
      lists: { tools: { status: "complete", items: everything.map((name) => ({ name })) } },
    })
    expect(snapshot.notes.map(({ code }) => code)).not.toContain("subprotocol-missing")
    const echoes = await Promise.all(
      ["a — 🙂", "b", "c"].map((message) =>
        client.callTool({ name: "echo", arguments: { message } }),
      ),
    )
    expect(echoes.map(({ content }) => content[0])).toMatchObject(
      ["a — 🙂", "b", "c"].map((message) => ({ text: `Echo: ${message}` })),
    )
  })

  it("a wrong path is refused by its status", async () => {
    const { url, running } = await gateway(installed("@modelcontextprotocol/server-memory"))
    await using _running = running
    await expect(
      connect(webSocket(url.replace("/message", "/mcp")), patient),
    ).rejects.toMatchObject({
      _tag: "HttpRejected",
      status: 400,
      hint: expect.stringContaining("WebSocket endpoint"),
    })
  })
})

/** Puts a stdio server behind a socket, as socat and inetd do: a process for every connection. */
const behind = async ({ command, args }: Command, listen: (server: Server) => void) => {
  const sockets = new Set<Socket>()
  const ends: Array<Promise<unknown>> = []
  const server = createServer((socket) => {
    const child = spawn(command, args, { stdio: ["pipe", "pipe", "ignore"] })
    ends.push(once(child, "close"))
    sockets.add(socket)
    for (const stream of [socket, child.stdin]) stream.on("error", () => {})
    socket.on("close", () => child.kill())
    socket.pipe(child.stdin)
    child.stdout.pipe(socket)
  })
  listen(server)
  await once(server, "listening")
  return {
    port: () => (server.address() as AddressInfo).port, // only asked of TCP
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((over) => server.close(over))
      await Promise.all(ends)
    },
  }
}

const look = async (transport: Transport, options: ConnectOptions = {}) => {
  await using client = await connect(transport, { ...patient, ...options })
  return await client.snapshot()
}

describe("published stdio servers behind a socket", () => {
  it("server-memory over TCP", async () => {
    await using server = await behind(installed("@modelcontextprotocol/server-memory"), (server) =>
      server.listen(0, "127.0.0.1"),
    )
    expect(await look(tcpSocket({ port: server.port() }))).toMatchObject({
      transport: "tcp-socket",
      era: "legacy",
      protocolVersion: "2025-11-25",
      lists: { tools: { status: "complete", items: { length: 9 } } },
      notes: [],
    })
  })

  it("a server on the official SDK 2.4 over a Unix socket is modern", async () => {
    const folder = await mkdtemp(join(tmpdir(), "entente-"))
    const path = join(folder, "server.sock")
    {
      await using _server = await behind(own("official-server.mjs", "stdio"), (server) =>
        server.listen(path),
      )
      expect(await look(unixSocket(path))).toMatchObject({
        transport: "unix-socket",
        era: "modern",
        protocolVersion: "2026-07-28",
        lists: { tools: { items: [{ name: "greet" }] } },
      })
    }
    await rm(folder, { recursive: true })
  })

  it("effect-mcp over TCP never answers the probe, and is legacy", async () => {
    await using server = await behind(installed("effect-mcp"), (server) =>
      server.listen(0, "127.0.0.1"),
    )
    expect(await look(tcpSocket({ port: server.port() }), { probeMs: 100 })).toMatchObject({
      era: "legacy",
      lists: { tools: { status: "complete", items: { length: 2 } } },
    })
  })
})
