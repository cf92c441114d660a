import { it as effectIt } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { afterEach, describe, expect, it, vi } from "vitest"
import { notification, type Script, type Step } from "../src/index.js"
import { startStdioPeer, stdioPeer, type StdioPeer } from "../src/node.js"
import { call, spawnStdio, type StdioClient } from "./raw-clients.js"

vi.setConfig({ testTimeout: 30_000 }) // a process takes its time on a busy machine

const open: Array<StdioPeer> = []
const start = async (script: Script): Promise<readonly [StdioPeer, StdioClient]> => {
  const peer = await startStdioPeer(script)
  open.push(peer)
  return [peer, spawnStdio(peer)]
}
afterEach(async () => {
  for (const peer of open.splice(0)) await peer.close()
})

const replying = (...reply: ReadonlyArray<Step>): Script => ({
  rules: [{ when: { method: "x" }, reply }],
})

const ask = async (...reply: ReadonlyArray<Step>): Promise<StdioClient> => {
  const [, client] = await start(replying(...reply))
  client.say(call(5, "x"))
  return client
}

const onOpening = (...reply: ReadonlyArray<Step>): Script => ({
  rules: [{ when: { kind: "open" }, reply }],
})

describe("steps over stdio", () => {
  it("result, error and message are lines", async () => {
    const error = { code: -1, message: "a\nb" }
    const { lines } = await ask({ message: notification("n") }, { error }, { result: {}, id: "5" })
    expect(await lines.take()).toBe('{"jsonrpc":"2.0","method":"n"}')
    expect(await lines.take()).toBe(JSON.stringify({ jsonrpc: "2.0", id: 5, error }))
    expect(await lines.take()).toBe('{"jsonrpc":"2.0","id":"5","result":{}}')
  })

  it("C046 raw is bytes, with or without a line end", async () => {
    const { lines } = await ask(
      { raw: "status=200\nhead" },
      { raw: { base64: "w6k=" } },
      { raw: "\n" },
    )
    expect(await lines.take()).toBe("status=200")
    expect(await lines.take()).toBe("headé")
  })

  it("C061 stderr can speak before anything is asked", async () => {
    const [, { errors }] = await start(onOpening({ stderr: "installing\u2028…\n" }))
    expect(await errors.take()).toBe("installing\u2028…")
  })

  it("silence never answers, and other requests go on", async () => {
    const client = await ask({ silence: true })
    client.say(call(6, "y"))
    expect(await client.lines.take()).toContain('"id":6')
  })

  it("V25-STDIO-10 exit ends with the code, after what was said", async () => {
    const [, client] = await start(onOpening({ stderr: "no licence\n" }, { exit: 3 }))
    expect(await client.errors.take()).toBe("no licence")
    expect(await client.exit).toEqual([3, null])
  })

  it("exit can be a signal", async () => {
    const client = await ask({ result: {} }, { exit: "SIGTERM" })
    expect(await client.lines.take()).toContain('"id":5')
    expect(await client.exit).toEqual([null, "SIGTERM"])
  })

  it("destroy kills", async () => {
    const client = await ask({ destroy: true })
    expect(await client.exit).toEqual([null, "SIGKILL"])
  })

  it("V25-STDIO-06 a long line arrives whole, in both directions", async () => {
    const [peer, client] = await start(replying({ result: { $from: "/params/text" } }))
    const text = "é".repeat(3_000_000)
    client.say(call(1, "x", { text }))
    expect(JSON.parse(await client.lines.take())).toMatchObject({ result: text })
    expect(peer.requests("x")[0]?.message.params).toEqual({ text })
  })
})

describe("the process of a stdio peer", () => {
  it("V26-STDIO-08 leaves when stdin is closed", async () => {
    const [peer, client] = await start({ rules: [] })
    client.child.stdin.end()
    expect(await client.exit).toEqual([0, null])
    expect(peer.received.map(({ kind }) => kind)).toEqual(["open", "end"])
    expect(peer.received[0]?.pid).toBe(client.child.pid)
  })

  it("V25-STDIO-07 can ignore the end of stdin and SIGTERM, but not SIGKILL", async () => {
    const [peer, client] = await start({
      rules: [
        { when: { kind: "end" }, reply: [{ silence: true }] },
        { when: { kind: "signal", signal: "SIGTERM" }, reply: [{ stderr: "never\n" }] },
      ],
    })
    client.child.stdin.end()
    await peer.next({ kind: "end" })
    client.child.kill("SIGTERM")
    expect(await client.errors.take()).toBe("never")
    client.child.kill("SIGKILL")
    expect(await client.exit).toEqual([null, "SIGKILL"])
    const gone = await peer.until(({ kind }) => kind === "disconnect")
    expect(gone.pid).toBe(client.child.pid)
    expect(peer.disconnects()).toBe(1)
  })

  it("dies of a signal that no rule takes", async () => {
    const [peer, client] = await start({ rules: [] })
    await peer.next({ kind: "open" })
    client.child.kill("SIGTERM")
    expect(await client.exit).toEqual([null, "SIGTERM"])
    expect(peer.disconnects()).toBe(0)
  })

  it("sees noise as invalid, and skips empty lines", async () => {
    const [peer, client] = await start({ rules: [] })
    client.child.stdin.write("\r\nhello\r\n")
    expect(await client.lines.take()).toContain("-32700")
    expect(await peer.next({ kind: "invalid" })).toMatchObject({ text: "hello" })
  })

  it("is one of many: each spawn is a place of its own", async () => {
    const [peer, first] = await start(replying({ result: {} }))
    await peer.next({ kind: "open" })
    const second = spawnStdio(peer)
    second.say(call(2, "x"))
    expect(await second.lines.take()).toContain('"id":2')
    first.say(call(1, "x"))
    expect(await first.lines.take()).toContain('"id":1')
    expect(peer.requests("x").map(({ place }) => place)).toEqual([2, 1])
  })
})

describe("live control over stdio", () => {
  it("C118 play can end an idle process", async () => {
    const [peer, client] = await start({ rules: [] })
    await peer.next({ kind: "open" })
    peer.play([{ stderr: "out of memory\n" }, { exit: 1 }])
    expect(await client.errors.take()).toBe("out of memory")
    expect(await client.exit).toEqual([1, null])
  })

  it("send, add and replace work as over memory", async () => {
    const [peer, client] = await start({ rules: [] })
    await peer.next({ kind: "open" })
    peer.send(notification("n"))
    expect(await client.lines.take()).toBe('{"jsonrpc":"2.0","method":"n"}')
    peer.add({ when: { method: "x" }, reply: [{ result: 1 }] })
    client.say(call(1, "x"))
    expect(await client.lines.take()).toContain('"result":1')
    peer.replace([{ when: { method: "x" }, reply: [{ result: 2 }] }])
    client.say(call(2, "x"))
    expect(await client.lines.take()).toContain('"result":2')
  })

  it("close kills every process, restart lets others start", async () => {
    const [peer, client] = await start(replying({ result: {} }))
    await peer.next({ kind: "open" })
    await peer.close()
    expect(await client.exit).toEqual([null, "SIGKILL"])
    expect(peer.disconnects()).toBe(0)
    expect(await spawnStdio(peer).exit).toEqual([null, "SIGKILL"])
    await peer.restart()
    const again = spawnStdio(peer)
    again.say(call(1, "x"))
    expect(await again.lines.take()).toContain('"id":1')
  })

  it("refuses steps that stdio cannot play", async () => {
    await expect(startStdioPeer(replying({ comment: "" }))).rejects.toThrow(
      "cannot be played over stdio",
    )
  })
})

describe("stdioPeer", () => {
  effectIt.effect("plays delays on the clock of its scope, and ends processes with it", () =>
    Effect.gen(function* () {
      const client = yield* Effect.scoped(
        Effect.gen(function* () {
          const peer = yield* stdioPeer(replying({ delay: 40_000 }, { result: {} }))
          const client = spawnStdio(peer)
          client.say(call(1, "x"))
          yield* Effect.promise(() => peer.next("x"))
          yield* TestClock.adjust("40 seconds")
          expect(yield* Effect.promise(() => client.lines.take())).toContain('"id":1')
          return client
        }),
      )
      expect(yield* Effect.promise(() => client.exit)).toEqual([null, "SIGKILL"])
    }),
  )
})
