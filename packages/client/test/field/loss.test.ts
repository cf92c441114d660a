import { describe, expect } from "vitest"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { Client, memoryVerdicts } from "@entente/client"
import type { ProcessExited } from "@entente/protocol"
import { legacyServer, memoryPeer, modernServer, refusal, tool, withRules } from "@entente/testkit"
import { startHttpPeer, startStdioPeer } from "@entente/testkit/node"
import { Trace } from "@entente/trace"
import { stdio } from "@entente/transport/stdio"
import { connected, names, noted, reasonOf } from "./connected.js"

const legacy = legacyServer({ tools: [tool("a")] })

const until = (state: string, client: Awaited<ReturnType<typeof connected>>): Promise<void> =>
  new Promise((resolve) => {
    if (client.state === state) return resolve()
    const stop = client.onState((now) => {
      if (now !== state) return
      stop()
      resolve()
    })
  })

describe("a server that goes away", () => {
  it("C118 a child that exits while idle leaves ready with its reason, and is started again", async () => {
    await using peer = await startStdioPeer(legacy)
    await using client = await connected(stdio(peer), { reconnect: { baseMs: 1 } })
    await client.tools.list()
    const left = until("recovering", client)
    peer.play([{ stderr: "Error: API_KEY is not set\n" }, { exit: 1 }], { method: "initialize" })
    await left
    expect(client.tools.last).toMatchObject({ status: "complete", stale: true })
    await until("ready", client)
    expect(noted(client)).toContain("reconnected")
    const again = await client.tools.list()
    expect(names(again.items)).toEqual(["a"])
    expect(again.changed).toBe(false)
    expect(client.tools.last?.stale).toBe(false)
  })

  it("C118 what was pending settles as lost, with exit code and the last stderr lines", async () => {
    await using peer = await startStdioPeer(
      withRules(legacy, {
        when: { method: "tools/call" },
        reply: [{ stderr: "Error: API_KEY is not set\n" }, { exit: 3 }],
      }),
    )
    await using client = await connected(stdio(peer), { reconnect: "never" })
    await expect(client.callTool({ name: "a" })).rejects.toMatchObject({
      _tag: "RequestLost",
      cause: {
        _tag: "ProcessExited",
        process: { exitCode: 3, stderr: expect.stringContaining("API_KEY is not set") },
      },
    })
    await until("failed", client)
    await expect(client.tools.list()).rejects.toMatchObject({
      _tag: "ConnectionClosed",
      cause: { _tag: "ProcessExited" },
    })
  })

  it.each([
    ["an exit code", 1, { exitCode: 1 }],
    ["a signal", "SIGKILL", { signal: "SIGKILL" }],
  ] as const)(
    "C118 (a) a child that ends while idle, with %s: ready is left in the same turn, with all that is known",
    async (_, exit, how) => {
      const secret = "Authorization: Bearer abcdefghijklmnop"
      const trace = new Trace()
      await using peer = await startStdioPeer(legacy)
      await using client = await connected(stdio(peer), { reconnect: "never", trace })
      await client.tools.list()
      const happened = (what: string): Promise<void> =>
        new Promise((resolve) => {
          trace.subscribe((event) => {
            if (event.type === "process" && event.event === what) setImmediate(resolve)
          })
        })
      const written = happened("stderr")
      const ended = happened("exited")
      peer.play([{ stderr: `starting\n${secret}\n` }, { silence: true }], { method: "initialize" })
      await written
      peer.play([{ exit }], { method: "initialize" })
      await ended
      expect(client.state).not.toBe("ready")
      await until("failed", client)
      expect(client.tools.last).toMatchObject({ status: "complete", stale: true })
      const reason = (await reasonOf(client.callTool({ name: "a" }))) as { cause: ProcessExited }
      expect(reason).toMatchObject({
        _tag: "ConnectionClosed",
        cause: { _tag: "ProcessExited", process: how },
      })
      expect(reason.cause.process.stderr).toContain("starting")
      expect(JSON.stringify(reason)).not.toContain("abcdefghijklmnop")
    },
  )

  it("C118 a read that was pending is sent again after the restart, once", async () => {
    await using peer = await startStdioPeer(
      withRules(legacy, { when: { method: "tools/list" }, times: 1, reply: [{ exit: 1 }] }),
    )
    await using client = await connected(stdio(peer), { reconnect: { baseMs: 1 } })
    expect(names((await client.tools.list()).items)).toEqual(["a"])
    expect(peer.requests("tools/list")).toHaveLength(2)
  })

  it("C118 refused connections are retried with back-off until the server is there again", async () => {
    await using peer = await startHttpPeer(modernServer({ tools: [tool("a")] }))
    await using client = await connected(peer.url, { reconnect: { baseMs: 1, maxAttempts: 50 } })
    await client.tools.list()
    await peer.close()
    const waiting = client.callTool({ name: "a" })
    await until("recovering", client)
    expect(client.tools.last).toMatchObject({ status: "complete", stale: true })
    await peer.restart()
    await expect(waiting).resolves.toMatchObject({ content: [{}] })
    expect(client.state).toBe("ready")
  })

  it("C118 close starts no reconnect", async () => {
    await using peer = await startStdioPeer(legacy)
    const client = await connected(stdio(peer))
    const states: Array<string> = []
    client.onState((state) => void states.push(state))
    await client.close()
    expect(states).toEqual(["closing", "closed"])
    expect(peer.received.filter(({ kind }) => kind === "open")).toHaveLength(1)
    await expect(client.tools.list()).rejects.toMatchObject({ _tag: "ConnectionClosed" })
  })
})

const connect = (keepAlive: { readonly intervalMs: number; readonly timeoutMs: number }) =>
  Effect.gen(function* () {
    const peer = memoryPeer(legacy)
    const client = yield* Client.connect(peer.transport, {
      mode: "legacy",
      verdicts: memoryVerdicts(),
      keepAlive,
      reconnect: "never",
    })
    return { peer, client }
  })

const keepAlive = { intervalMs: 1_000, timeoutMs: 500 }

describe("keep-alive", () => {
  it.effect(
    "C109 any answer to a ping means alive, and one that does not know it is not asked again",
    () =>
      Effect.gen(function* () {
        const { peer, client } = yield* connect(keepAlive)
        peer.add({ when: { method: "ping" }, reply: refusal(200, -32603, "ping is not available") })
        yield* TestClock.adjust("10 seconds")
        expect(client.state).toBe("ready")
        expect(peer.requests("ping")).toHaveLength(1)
        expect(client.notes.map(({ code }) => code)).toContain("ping-unsupported")
      }),
  )

  it.effect("C109 silence to a ping leads to one list request, and its answer proves life", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* connect(keepAlive)
      peer.add({ when: { method: "ping" }, reply: [{ silence: true }] })
      yield* TestClock.adjust("10 seconds")
      expect(client.state).toBe("ready")
      expect(peer.requests("ping")).toHaveLength(1)
      expect(peer.requests("tools/list")).toHaveLength(1)
    }),
  )

  it.effect.each([
    ["prompts", "prompts/list"],
    ["resources", "resources/list"],
  ] as const)("C109 a server with %s alone confirms with its own list", ([kind, method]) =>
    Effect.gen(function* () {
      const peer = memoryPeer(
        withRules(
          legacyServer({ capabilities: { [kind]: {} } }),
          { when: { method: "ping" }, reply: [{ silence: true }] },
          { when: { method }, reply: [{ result: { [kind]: [] } }] },
        ),
      )
      const client = yield* Client.connect(peer.transport, {
        mode: "legacy",
        verdicts: memoryVerdicts(),
        keepAlive,
        reconnect: "never",
      })
      yield* TestClock.adjust("10 seconds")
      expect(client.state).toBe("ready")
      expect(peer.methods().slice(2)).toEqual(["ping", method])
    }),
  )

  it.effect.each([-32601, -32600, -32603])(
    "C109 V25-PING-04 the error %i is an answer to a ping",
    (code) =>
      Effect.gen(function* () {
        const { peer, client } = yield* connect(keepAlive)
        peer.add({ when: { method: "ping" }, reply: refusal(200, code, "ping?") })
        yield* TestClock.adjust("10 seconds")
        expect(client.state).toBe("ready")
        expect(peer.methods().slice(2)).toEqual(["ping"])
      }),
  )

  it.effect("C109 V25-PING-02 V25-PING-03 silence to both means that the connection is lost", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* connect(keepAlive)
      peer.add({ when: { method: "ping" }, reply: [{ silence: true }] })
      peer.add({ when: { method: "tools/list" }, reply: [{ silence: true }] })
      const lost = yield* Effect.forkChild(
        Effect.callback<void>((resume) => {
          client.connection.life.stateChanged.add((state) => {
            if (state === "failed") resume(Effect.void)
          })
        }),
        { startImmediately: true },
      )
      yield* TestClock.adjust("3 seconds")
      yield* Fiber.join(lost)
      expect(client.state).toBe("failed")
    }),
  )

  it.effect("C109 V25-PING-02 a good server is pinged at the interval", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* connect(keepAlive)
      yield* TestClock.adjust("5 seconds")
      expect(client.state).toBe("ready")
      expect(peer.requests("ping")).toHaveLength(5)
    }),
  )

  it.effect("C109 a modern connection is never pinged", () =>
    Effect.gen(function* () {
      const peer = memoryPeer(modernServer({ tools: [tool("a")] }))
      yield* Client.connect(peer.transport, { verdicts: memoryVerdicts(), keepAlive })
      yield* TestClock.adjust("1 minute")
      expect(peer.methods()).toEqual(["server/discover"])
    }),
  )
})

describe("an answer that is too large", { timeout: 30_000 }, () => {
  it("V25-STDIO-06 over stdio fails its own request at once, by the id it begins with", async () => {
    const text = "x".repeat(2_000)
    await using peer = await startStdioPeer(
      withRules(legacy, {
        when: { method: "tools/call" },
        reply: [{ result: { content: [{ type: "text", text }] } }],
      }),
    )
    const transport = stdio({ command: peer.command, args: peer.args, maxMessageBytes: 1_000 })
    await using client = await connected(transport, { mode: "legacy", timeoutMs: Infinity })
    await expect(client.callTool({ name: "a" })).rejects.toMatchObject({
      _tag: "ProtocolViolation",
      code: "message-too-large",
      hint: expect.stringContaining("maxMessageBytes"),
    })
    expect(names((await client.tools.list()).items)).toEqual(["a"])
  })
})
