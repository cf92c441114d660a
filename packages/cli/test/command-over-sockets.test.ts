import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { createServer, type AddressInfo, type Server } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it, vi } from "vitest"
import { legacyServer, tool } from "@entente/testkit"
import { startWebSocketPeer } from "@entente/testkit/node"
import { serveStdio } from "../src/demo/stdio.js"
import { runHere } from "./world.js"

// The first run loads every package of the client.
vi.setConfig({ testTimeout: 30_000 })

/** The demo server for everybody who connects. */
const demoServer = async (listen: (server: Server) => void) => {
  const stop = new AbortController()
  const server = createServer((socket) => {
    socket.on("error", () => {})
    const port = { input: socket, output: socket, signal: stop.signal }
    void serveStdio(port, "dual", "0.0.0").then(() => socket.end())
  })
  listen(server)
  await once(server, "listening")
  return {
    port: () => (server.address() as AddressInfo).port, // only asked of TCP
    [Symbol.asyncDispose]: async () => {
      stop.abort()
      await new Promise((over) => server.close(over))
    },
  }
}

describe("targets that are sockets", () => {
  it("tcp://HOST:PORT", async () => {
    await using server = await demoServer((server) => server.listen(0, "127.0.0.1"))
    const target = `tcp://127.0.0.1:${server.port()}`
    const { code, stdout, stderr } = await runHere(["snapshot", target, "--json"])
    expect([code, stderr]).toEqual([0, ""])
    expect(JSON.parse(stdout)).toMatchObject({
      target,
      transport: "tcp-socket",
      era: "modern",
      lists: { tools: { status: "complete", items: { length: 9 } } },
    })
  })

  it("unix:PATH", async () => {
    const folder = await mkdtemp(join(tmpdir(), "entente-"))
    const path = join(folder, "demo.sock")
    const missing = await runHere(["tools", `unix:${path}`])
    expect(missing.code).toBe(4)
    expect(missing.stderr).toContain("there is no such socket")
    {
      await using _server = await demoServer((server) => server.listen(path))
      const { code, stdout } = await runHere(["call", `unix:${path}`, "echo", "text=hi"])
      expect([code, stdout]).toEqual([0, "hi\n"])
    }
    await rm(folder, { recursive: true })
  })

  it("ws://… with headers in its handshake", async () => {
    await using peer = await startWebSocketPeer(legacyServer({ tools: [tool("a")] }))
    const header = ["--header", "Authorization: Bearer abcdefgh"]
    const { code, stdout } = await runHere(["tools", peer.url, "--json", ...header])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ status: "complete", items: [{ name: "a" }] })
    const opened = await peer.until(({ kind }) => kind === "open")
    expect(opened.headers).toMatchObject({ authorization: "Bearer abcdefgh" })
  })

  it("ws:// to another machine wants --insecure, a port wants to be one", async () => {
    const { code, stderr } = await runHere(["tools", "ws://mcp.example/"])
    expect(code).toBe(1)
    expect(stderr).toContain("in the clear")
    expect(stderr).toContain("--insecure")
    expect(await runHere(["tools", "tcp://localhost:70000"])).toMatchObject({ code: 1 })
  })
})
