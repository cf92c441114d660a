import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { connect, createServer, type AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { it as effectIt } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { describe, expect, it, vi } from "vitest"
import { tcpSocket, unixSocket } from "@entente/transport/socket"
import { openChannel, openingFails, request } from "./open-channel.js"
import { tcpPeer, unixPeer } from "./stream-server.js"

vi.setConfig({ testTimeout: 30_000 })

const message = { jsonrpc: "2.0", id: 1, result: { s: "—🙂 é" } }
const line = Buffer.from(`${JSON.stringify(message)}\n`)

const turn = () => new Promise((resume) => setImmediate(resume))

const thrown = (make: () => unknown): unknown => {
  try {
    make()
  } catch (error) {
    return error
  }
  return undefined
}

describe.each([
  ["TCP", "tcp-socket", tcpPeer],
  ["a Unix socket", "unix-socket", unixPeer],
] as const)("messages over %s", (_, kind, start) => {
  it("V26-CUST-04 V25-STDIO-03 carries messages both ways, one line each", async () => {
    await using peer = await start()
    await using opened = await openChannel(peer.transport())
    const client = await peer.client()
    client.on("data", (chunk: Buffer) => client.write(chunk))
    const echoed = [request(1, "x", { text: "two\nlines\r\u2028 — 🙂" }), request(2)]
    for (const one of echoed) expect(await opened.send(one)).toEqual({ _tag: "Written" })
    await opened.recorder.until(({ messages }) => messages.length === 2)
    expect(opened.recorder.messages).toEqual(echoed)
    expect(opened.recorder.origins).toContainEqual({ exchange: 0 })
    expect(opened.recorder.notes).toEqual([])
    expect(opened.channel.exchanges).toBe("shared")
    expect(peer.transport().kind).toBe(kind)
  })

  it("V26-CUST-04 C044 reads the same messages, wherever the bytes are cut", async () => {
    await using peer = await start()
    await using opened = await openChannel(peer.transport())
    const client = await peer.client()
    client.setNoDelay(true)
    for (let at = 1; at < line.length; at++) {
      client.write(line.subarray(0, at))
      await turn()
      client.write(line.subarray(at))
      await turn()
    }
    for (const byte of line) {
      client.write(Buffer.of(byte))
      await turn()
    }
    await opened.recorder.until(({ messages }) => messages.length === line.length)
    expect(new Set(opened.recorder.messages.map((one) => JSON.stringify(one)))).toEqual(
      new Set([JSON.stringify(message)]),
    )
    expect(opened.recorder.notes).toEqual([])
  })

  it("V26-CUST-04 reads the same messages, however the bytes are cut", async () => {
    await using peer = await start()
    await using opened = await openChannel(peer.transport())
    const client = await peer.client()
    client.setNoDelay(true)
    let expected = 0
    const bytes = Buffer.concat(Array.from({ length: 4 }, () => line))
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 12 }), async (cuts) => {
        const places = [0, ...cuts.toSorted((one, other) => one - other), bytes.length]
        for (let at = 1; at < places.length; at++) {
          client.write(bytes.subarray(places[at - 1], places[at]))
          await turn()
        }
        expected += 4
        await opened.recorder.until(({ messages }) => messages.length === expected)
        expect(opened.recorder.messages.slice(-4)).toEqual(Array.from({ length: 4 }, () => message))
      }),
      { numRuns: 100 },
    )
  })

  it("V26-CUST-04 V25-STDIO-04 notes noise and a truncated last line, and says who ended it", async () => {
    await using peer = await start()
    await using opened = await openChannel(peer.transport())
    const client = await peer.client()
    client.end('\uFEFFhello\r\n\n{"id":1}\r\n{"id":2}')
    const { messages, notes, ends } = await opened.recorder.until((one) => one.ends.length > 0)
    expect(messages).toEqual([{ id: 1 }, { id: 2 }])
    expect(notes).toEqual([
      { code: "stdout-noise", detail: "hello" },
      { code: "truncated-line", detail: '8 bytes: {"id":2}' },
    ])
    expect(ends).toMatchObject([
      {
        _tag: "Unreachable",
        code: "unreachable",
        stage: "request",
        message: expect.stringContaining("The server closed the connection."),
      },
    ])
  })

  it("V25-STDIO-06 drops a line past the limit, says so and reads on", async () => {
    await using peer = await start()
    await using opened = await openChannel(peer.transport({ maxMessageBytes: 50 }))
    const client = await peer.client()
    client.write(`{"s":"${"x".repeat(100)}"}\n{"id":2}\n`)
    const { messages, errors } = await opened.recorder.until((one) => one.messages.length > 0)
    expect(messages).toEqual([{ id: 2 }])
    expect(errors).toMatchObject([{ _tag: "ProtocolViolation", code: "message-too-large" }])
  })

  it("V25-STDIO-06 holds back what a server does not read", async () => {
    await using peer = await start()
    await using opened = await openChannel(peer.transport())
    const client = await peer.client()
    client.pause()
    let written = 0
    const params = { text: "x".repeat(1024 * 1024) }
    const sent = Array.from({ length: 30 }, (_, id) =>
      opened
        .send(request(id, "x", params))
        .then(({ _tag }) => (written += _tag === "Written" ? 1 : 0)),
    )
    await turn()
    expect(written).toBeLessThan(15)
    client.resume()
    await Promise.all(sent)
    expect(written).toBe(30)
  })

  it("V25-CUST-04 settles each message exactly once, and closes at most once", async () => {
    await using peer = await start()
    await using opened = await openChannel(peer.transport())
    const client = await peer.client()
    client.pause()
    const outcomes: Array<Array<string>> = []
    // More than the system takes at once, so that it is still on its way at the end.
    const params = { text: "x".repeat(16 * 1024 * 1024) }
    const sent = Array.from({ length: 3 }, (_, id) => {
      const mine: Array<string> = []
      outcomes.push(mine)
      return new Promise<void>((resume) => {
        const sent = opened.channel.send({ message: request(id, "x", params) }, (outcome) => {
          mine.push(outcome._tag === "Failed" ? `Failed ${outcome.mayHaveArrived}` : outcome._tag)
          resume()
        })
        sent.abort()
      })
    })
    if (kind === "tcp-socket") client.resetAndDestroy()
    else client.destroy()
    await Promise.all(sent)
    expect(await opened.send(request(99))).toMatchObject({ _tag: "Failed", mayHaveArrived: false })
    await opened.close()
    await turn()
    expect(outcomes.every((mine) => mine.length === 1)).toBe(true)
    expect(outcomes.flat()).toContain("Failed true")
    expect(opened.recorder.ends).toHaveLength(1)
  })

  it("reports a message that has no JSON form and stays usable", async () => {
    await using peer = await start()
    await using opened = await openChannel(peer.transport())
    expect(await opened.send(request(1, "x", { big: 1n }))).toMatchObject({
      _tag: "Failed",
      mayHaveArrived: false,
      error: { _tag: "InvalidInput" },
    })
    expect(await opened.send(request(2))).toEqual({ _tag: "Written" })
  })

  it("sends what was sent before the scope was closed, and hears nothing afterwards", async () => {
    await using peer = await start()
    await using opened = await openChannel(peer.transport())
    const client = await peer.client()
    const sending = opened.send(request(1))
    const leaving = opened.close()
    client.write(line)
    let heard = ""
    for await (const chunk of client) heard += String(chunk)
    client.end("late\n")
    await leaving
    expect(JSON.parse(heard)).toEqual(request(1))
    expect(await sending).toEqual({ _tag: "Written" })
    expect(opened.recorder).toMatchObject({ messages: [], notes: [], ends: [] })
    expect(await opened.send(request(2))).toMatchObject({ _tag: "Failed", mayHaveArrived: false })
  })

  it("leaves no handle or timer after 50 connections", async () => {
    await using peer = await start()
    let cycles = 0
    const cycle = async (): Promise<void> => {
      await using opened = await openChannel(peer.transport())
      const client = await peer.client(++cycles)
      client.once("end", () => client.end()).resume()
      await opened.send(request(1))
    }
    const idle = async () => {
      while (peer.clients.some(({ destroyed }) => !destroyed)) await turn()
      await turn()
      const used = process.getActiveResourcesInfo()
      return ["TCPSocketWrap", "PipeWrap", "Timeout"].map(
        (kind) => used.filter((one) => one === kind).length,
      )
    }
    await cycle()
    const before = await idle()
    for (let round = 0; round < 50; round++) await cycle()
    const after = await idle()
    for (const [at, amount] of after.entries()) expect(amount).toBeLessThanOrEqual(before[at] ?? 0)
  })
})

/** A port whose queue is full: the system lets further connections wait, and nobody takes them. */
const full = async () => {
  const blocked = `
    const server = require("node:net").createServer()
    server.listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
      require("node:fs").writeSync(1, server.address().port + "\\n")
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
    })`
  const child = spawn(process.execPath, ["-e", blocked], { stdio: ["ignore", "pipe", "inherit"] })
  const [line] = (await once(child.stdout, "data")) as [Buffer] // a stream without an encoding
  const port = Number(line.toString())
  const queue = [connect(port), connect(port)]
  await Promise.all(
    queue.map((socket) =>
      once(
        socket.on("error", () => {}),
        "connect",
      ),
    ),
  )
  return {
    port,
    close: async () => {
      const over = once(child, "close")
      child.kill("SIGKILL")
      for (const socket of queue) socket.destroy()
      await over
    },
  }
}

describe("opening a socket", () => {
  it("says that there is no socket, that nobody listens, and that it is no socket", async () => {
    const folder = await mkdtemp(join(tmpdir(), "entente-"))
    const path = join(folder, "gone.sock")
    expect(await openingFails(unixSocket(path))).toMatchObject({
      _tag: "Unreachable",
      code: "unreachable",
      stage: "open",
      message: expect.stringContaining(`No connection to unix:${path}: there is no such socket`),
      hint: expect.stringContaining("Start the server"),
    })
    await writeFile(path, "")
    expect(await openingFails(unixSocket(path))).toMatchObject({
      message: expect.stringContaining("nothing listens there (ECONNREFUSED)"),
      hint: expect.stringContaining("left over"),
    })
    await rm(folder, { recursive: true })
    const peer = await tcpPeer()
    const transport = peer.transport()
    await peer[Symbol.asyncDispose]()
    expect(await openingFails(transport)).toMatchObject({
      message: expect.stringMatching(/No connection to tcp:\/\/127\.0\.0\.1:\d+: nothing listens/),
    })
  })

  it.each(["EACCES", "EPERM", "ENOTSOCK", "ENOENT"])(
    "%s is explained with a hint",
    async (code) => {
      const { connectionFailure } = await import("../src/socket/connection-failure.js")
      const cause = Object.assign(new Error("system"), { code })
      const error = connectionFailure("unix:/x", cause, "open")
      expect(error).toMatchObject({ _tag: "Unreachable", cause })
      expect(error.message).toContain(code)
      expect(error.hint).not.toContain("Check the address")
    },
  )

  it("refuses what can be no address", () => {
    for (const make of [
      () => unixSocket(""),
      () => unixSocket("a\0b"),
      () => unixSocket(`/${"x".repeat(107)}`),
      () => tcpSocket({ port: 0 }),
      () => tcpSocket({ port: 65_536 }),
      () => tcpSocket({ port: 1.5 }),
      () => tcpSocket({ host: "", port: 1 }),
      () => tcpSocket({ host: "a b", port: 1 }),
    ]) {
      expect(thrown(make)).toMatchObject({ _tag: "InvalidInput", stage: "input" })
    }
    expect(tcpSocket({ host: "::1", port: 7 }).target).toBe("tcp://[::1]:7")
    expect(unixSocket("/run/mcp.sock").key).toBe("unix:/run/mcp.sock")
  })

  it("V26-CUST-07 notes that messages to another machine travel in the clear", async () => {
    // Every address of this machine that is not loopback stands for another machine.
    const server = createServer()
    server.listen(0, "0.0.0.0")
    await once(server, "listening")
    const { port } = server.address() as AddressInfo // it listens on TCP
    {
      await using opened = await openChannel(tcpSocket({ host: "0.0.0.0", port }))
      expect(opened.recorder.notes).toEqual([
        { code: "clear-text", detail: `tcp://0.0.0.0:${port}` },
      ])
    }
    server.close()
  })

  effectIt.effect("gives up at the deadline, on the clock of the caller", () =>
    Effect.gen(function* () {
      const { port } = yield* Effect.acquireRelease(Effect.promise(full), ({ close }) =>
        Effect.promise(close),
      )
      const opening = yield* Effect.forkChild(
        Effect.scoped(tcpSocket({ port }, { timeouts: { connect: 5_000 } }).open),
        { startImmediately: true },
      )
      yield* TestClock.adjust("5 seconds")
      const error = yield* Effect.flip(Fiber.join(opening))
      expect(error).toMatchObject({
        _tag: "Unreachable",
        stage: "open",
        message: expect.stringContaining("no connection within 5000 ms"),
      })
    }),
  )
})
