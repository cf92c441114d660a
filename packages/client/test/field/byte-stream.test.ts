import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { createServer, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { legacyServer, tool, withRules, type Rule } from "@entente/testkit"
import { startStdioPeer, type StdioPeer } from "@entente/testkit/node"
import { unixSocket } from "@entente/transport/socket"
import { connected, names, noted, reasonOf } from "./connected.js"

const legacy = legacyServer({ tools: [tool("a")] })
const silentProbe: Rule = { when: { method: "server/discover" }, reply: [{ silence: true }] }
const silentCall: Rule = { when: { method: "tools/call" }, reply: [{ silence: true }] }

/** Puts a stdio server behind a Unix socket: a process of its own for every connection. */
const behindSocket = async ({ command, args }: Pick<StdioPeer, "command" | "args">) => {
  const folder = await mkdtemp(join(tmpdir(), "entente-"))
  const path = join(folder, "server.sock")
  const sockets = new Set<Socket>()
  const ends = new Set<Promise<unknown>>()
  const server = createServer((socket) => {
    const child = spawn(command, args, { stdio: ["pipe", "pipe", "ignore"] })
    ends.add(once(child, "close"))
    sockets.add(socket)
    socket.on("error", () => {})
    socket.on("close", () => {
      sockets.delete(socket)
      child.stdin.end()
    })
    child.stdin.on("error", () => {})
    socket.pipe(child.stdin)
    child.stdout.pipe(socket)
  })
  server.listen(path)
  await once(server, "listening")
  return {
    path,
    cut: () => {
      for (const socket of sockets) socket.destroy()
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((over) => server.close(over))
      await Promise.all(ends)
      await rm(folder, { recursive: true })
    },
  }
}

describe("a server behind a Unix socket", () => {
  it("V26-CUST-04 V26-CUST-08 silence after the probe means initialize, as over stdio", async () => {
    await using peer = await startStdioPeer(withRules(legacy, silentProbe))
    await using socket = await behindSocket(peer)
    await using client = await connected(unixSocket(socket.path), { probeMs: 50 })
    expect(client).toMatchObject({ era: "legacy", transport: "unix-socket" })
    expect(names((await client.tools.list()).items)).toEqual(["a"])
    expect(peer.methods()).toEqual([
      "server/discover",
      "initialize",
      "notifications/initialized",
      "tools/list",
    ])
  })

  it("V26-CUST-04 what was pending is lost, and the next connection begins with initialize", async () => {
    await using peer = await startStdioPeer(withRules(legacy, silentCall))
    await using socket = await behindSocket(peer)
    await using client = await connected(unixSocket(socket.path), { reconnect: { baseMs: 1 } })
    const failure = reasonOf(client.callTool({ name: "a" }))
    await peer.next("tools/call")
    socket.cut()
    expect(await failure).toMatchObject({
      _tag: "RequestLost",
      cause: { _tag: "Unreachable" },
    })
    expect(names((await client.tools.list()).items)).toEqual(["a"])
    expect(noted(client)).toEqual(["reconnected"])
    expect(peer.methods().slice(4)).toEqual([
      "initialize",
      "notifications/initialized",
      "tools/list",
    ])
  })

  it("a socket that is gone fails with what to do about it", async () => {
    await expect(connected(unixSocket("/nowhere/server.sock"))).rejects.toMatchObject({
      _tag: "Unreachable",
      stage: "open",
      hint: expect.stringContaining("Start the server"),
    })
  })
})
