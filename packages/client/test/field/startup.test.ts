import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { expect, it as plainIt } from "vitest"
import { Client, connect, memoryVerdicts, type ConnectOptions } from "@entente/client"
import type { HandshakeFailed } from "@entente/protocol"
import { legacyServer, modernServer, tool, withRules, type Rule } from "@entente/testkit"
import { startStdioPeer, stdioPeer, type StdioPeer } from "@entente/testkit/node"
import { Trace } from "@entente/trace"
import { stdio } from "@entente/transport/stdio"
import { connected, names, noted } from "./connected.js"

/** A program of that name which becomes the scripted server, in a folder of its own. */
const programNamed = (name: string, { command, args }: StdioPeer) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const folder = await mkdtemp(join(tmpdir(), "entente-runner-"))
      const file = join(folder, name)
      const words = [command, ...args].map((word) => `'${word}'`).join(" ")
      await writeFile(file, `#!/bin/sh\nexec ${words}\n`)
      await chmod(file, 0o755)
      return { folder, file }
    }),
    ({ folder }) => Effect.promise(() => rm(folder, { recursive: true })),
  )

/** What a process has said so far, for tests that must not run ahead of it. */
const listening = () => {
  const heard = { stderr: 0, noise: 0 }
  const trace = new Trace()
  let wake = (): void => {}
  trace.subscribe((event) => {
    if (event.type !== "process" || !(event.event === "stderr" || event.event === "noise")) return
    heard[event.event]++
    wake()
  })
  return {
    trace,
    /** Waits until so many lines have come on stderr, or so many that are no message on stdout. */
    until: (what: keyof typeof heard, lines: number) =>
      Effect.promise(async () => {
        const enough = (): boolean => heard[what] >= lines
        while (!enough()) await new Promise<void>((resume) => (wake = resume))
      }),
  }
}

/** Begins to connect to a peer whose program has that name. */
const starting = (name: string, peer: StdioPeer, options: ConnectOptions = {}) =>
  Effect.gen(function* () {
    const { file } = yield* programNamed(name, peer)
    const { until, trace } = listening()
    const transport = stdio({
      command: file,
      args: ["-y", "some-server"],
      shutdownGrace: { closeInput: 0, terminate: 0 },
    })
    const verdicts = memoryVerdicts()
    const opening = yield* Effect.forkScoped(
      Client.connect(transport, { verdicts, trace, reconnect: "never", ...options }),
      { startImmediately: true },
    )
    yield* Effect.promise(() => peer.next("server/discover"))
    return { opening, until, verdicts, transport }
  })

const silent = (method: string): Rule => ({ when: { method }, reply: [{ silence: true }] })
const discover = { method: "server/discover" }
const discovered = { supportedVersions: ["2026-07-28"], capabilities: { tools: {} } }

describe("a package runner that installs first", () => {
  it.effect(
    "C061 C029 signs of life on stderr keep the probe waiting, and what was sent is answered then",
    () =>
      Effect.gen(function* () {
        const server = modernServer({ tools: [tool("a")] })
        const peer = yield* stdioPeer(withRules(server, silent("server/discover")))
        const { opening, until } = yield* starting("npx", peer)
        for (let second = 1; second <= 40; second++) {
          peer.play([{ stderr: `npm http fetch GET 200 package-${second}\n` }], discover)
          yield* until("stderr", second)
          yield* TestClock.adjust("1 second")
        }
        peer.play([{ result: discovered }], discover)
        const client = yield* Fiber.join(opening)
        expect(client.era).toBe("modern")
        expect(peer.methods()).toEqual(["server/discover"])
      }),
    { timeout: 60_000 },
  )

  it.effect(
    "C061 C029 its own silence for 10 s is that of the server, as for any legacy one",
    () =>
      Effect.gen(function* () {
        const server = legacyServer({ tools: [tool("a")] })
        const peer = yield* stdioPeer(withRules(server, silent("server/discover")))
        const { opening, until } = yield* starting("uvx", peer)
        yield* TestClock.adjust("9 seconds")
        peer.play([{ stderr: "Installed 30 packages\n" }], discover)
        yield* until("stderr", 1)
        yield* TestClock.adjust("9 seconds")
        expect(peer.methods()).toEqual(["server/discover"])
        yield* TestClock.adjust("2500 millis")
        const client = yield* Fiber.join(opening)
        expect(client.era).toBe("legacy")
      }),
    { timeout: 60_000 },
  )

  it.effect(
    "C061 the probe has its own deadline again as soon as something comes on stdout",
    () =>
      Effect.gen(function* () {
        const server = legacyServer({ tools: [tool("a")] })
        const peer = yield* stdioPeer(withRules(server, silent("server/discover")))
        const { opening, until } = yield* starting("npx", peer)
        yield* TestClock.adjust("5 seconds")
        peer.play([{ raw: "Need to install\n" }], discover)
        yield* until("noise", 1)
        yield* TestClock.adjust("3 seconds")
        const client = yield* Fiber.join(opening)
        expect(client.era).toBe("legacy")
        expect(client.notes.map(({ code }) => code)).toContain("stdout-noise")
      }),
    { timeout: 60_000 },
  )

  it.effect(
    "C061 variant: it never answers, and the time-out names phase, time and last words, redacted",
    () =>
      Effect.gen(function* () {
        const peer = yield* stdioPeer(
          withRules(legacyServer(), silent("server/discover"), silent("initialize")),
        )
        const { opening, until, verdicts, transport } = yield* starting("npx", peer, {
          installMs: 40_000,
          handshakeMs: 20_000,
        })
        const secret = "npm error Authorization: Bearer abcdefghijklmnop"
        for (let second = 1; second <= 40; second++) {
          peer.play([{ stderr: `${second} ${secret}\n` }], discover)
          yield* until("stderr", second)
          yield* TestClock.adjust("1 second")
        }
        yield* Effect.promise(() => peer.next("initialize"))
        yield* TestClock.adjust("20 seconds")
        const error = (yield* Effect.flip(Fiber.join(opening))) as HandshakeFailed
        expect(error).toMatchObject({
          _tag: "HandshakeFailed",
          code: "handshake-timeout",
          process: { phase: "starting", exitCode: undefined },
          attempts: [{ outcome: "no answer within 40000 ms" }, { outcome: expect.any(String) }],
        })
        expect(error.process?.ageMs).toBe(60_000)
        expect(error.message).toContain("still starting after 60 s: nothing had come on stdout")
        expect(error.message).toContain("last words on stderr: 40 npm error Authorization: Bearer ")
        expect(error.process?.stderr).toContain("39 npm error")
        expect(JSON.stringify(error)).not.toContain("abcdefghijklmnop")
        expect(error.message).not.toContain("abcdefghijklmnop")
        expect(verdicts.get(transport.key)).toBeUndefined()
      }),
    { timeout: 60_000 },
  )

  it.effect(
    "C029 a program that is no package runner is probed for 1.5 s, whatever it says on stderr",
    () =>
      Effect.gen(function* () {
        const server = legacyServer({ tools: [tool("a")] })
        const peer = yield* stdioPeer(withRules(server, silent("server/discover")))
        const { opening, until } = yield* starting("server", peer)
        yield* TestClock.adjust("1 second")
        peer.play([{ stderr: "loading\n" }], discover)
        yield* until("stderr", 1)
        yield* TestClock.adjust("500 millis")
        expect((yield* Fiber.join(opening)).era).toBe("legacy")
      }),
    { timeout: 60_000 },
  )
})

describe("a command that is not there", () => {
  it.effect("C059 fails the connection with all that is needed to put it right, and at once", () =>
    Effect.gen(function* () {
      // Nobody moves this clock: neither a time-out nor a back-off is what ends it.
      const command = stdio({
        command: "npx",
        args: ["-y", "pkg"],
        env: { PATH: "/no/node:/here" },
      })
      const error = yield* Effect.flip(Client.connect(command, { verdicts: memoryVerdicts() }))
      expect(error).toMatchObject({
        _tag: "SpawnFailed",
        code: "command-not-found",
        target: "npx -y pkg",
        searchedPath: "/no/node:/here",
        message: expect.stringContaining("/no/node:/here"),
        hint: expect.stringContaining("PATH"),
      })
    }),
  )
})

describe("what stdout says at the start", () => {
  plainIt("a server with Content-Length framing is refused at once, by that name", async () => {
    const body = '{"jsonrpc":"2.0","id":1,"result":{}}'
    await using peer = await startStdioPeer({
      rules: [{ when: {}, reply: [{ raw: `Content-Length: ${body.length}\r\n\r\n${body}` }] }],
    })
    const failed = connect(stdio(peer), { verdicts: memoryVerdicts(), probeMs: 60_000 })
    await expect(failed).rejects.toMatchObject({
      _tag: "ProtocolViolation",
      code: "unexpected-content",
      message: expect.stringContaining("frames messages with Content-Length"),
      hint: expect.stringContaining("MCP mode"),
    })
    expect(peer.methods()).toEqual(["server/discover"])
  })

  const unanswered = (output: string) =>
    Effect.gen(function* () {
      const peer = yield* stdioPeer({
        rules: [{ when: discover, reply: [{ raw: output }] }],
        unmatched: [],
      })
      const { opening, until } = yield* starting("server", peer)
      yield* until("noise", 1)
      yield* TestClock.adjust("1500 millis")
      yield* Effect.promise(() => peer.next("initialize"))
      yield* TestClock.adjust("60 seconds")
      return yield* Effect.flip(Fiber.join(opening))
    })

  it.effect("Content-Length framing after other lines is the first reason of the time-out", () =>
    Effect.gen(function* () {
      expect(yield* unanswered("starting\nContent-Length: 2\r\n\r\n{}")).toMatchObject({
        code: "handshake-timeout",
        message: expect.stringMatching(
          /^The server did not answer the handshake\. It frames messages with Content-Length/,
        ),
        process: { phase: "running" },
      })
    }),
  )

  it.effect("C067 an unfinished line is named by the time-out, with its size and beginning", () =>
    Effect.gen(function* () {
      expect(yield* unanswered(`starting\n{"a":"${"x".repeat(1_000)}`)).toMatchObject({
        code: "handshake-timeout",
        message: expect.stringContaining(
          'A line of 1006 bytes has begun and not ended: "{\\"a\\":\\"xxx',
        ),
      })
    }),
  )

  it.effect("V25-STDIO-03 lines that were no messages are named by the time-out", () =>
    Effect.gen(function* () {
      expect(yield* unanswered(`{\n  "jsonrpc": "2.0",\n}\n`)).toMatchObject({
        code: "handshake-timeout",
        message: expect.stringContaining('3 lines came that were no messages, the first: "{".'),
      })
    }),
  )

  plainIt("C046 five lines of debug output leave one note with count 5 and a sample", async () => {
    const noise = "calling backend\nstatus=200\nheaders {\n  'x': 1\n}\n"
    const server = withRules(legacyServer({ tools: [tool("a")] }), {
      when: { method: "tools/call" },
      reply: [{ raw: noise }, { result: { content: [] } }],
    })
    await using peer = await startStdioPeer(server)
    await using client = await connected(stdio(peer))
    expect(await client.callTool({ name: "a" })).toMatchObject({ content: [] })
    expect(client.notes.filter(({ code }) => code === "stdout-noise")).toEqual([
      { code: "stdout-noise", detail: "}", count: 5 },
    ])
    expect(client.state).toBe("ready")
  })

  plainIt("C046 a scalar on a line of its own is noise too", async () => {
    const server = withRules(legacyServer({ tools: [tool("a")] }), {
      when: { method: "tools/list" },
      reply: [{ raw: '42\n"text"\nnull\n' }, { result: { tools: [tool("a")] } }],
    })
    await using peer = await startStdioPeer(server)
    await using client = await connected(stdio(peer))
    expect(names((await client.tools.list()).items)).toEqual(["a"])
    expect(client.notes).toContainEqual({ code: "stdout-noise", detail: "null", count: 3 })
  })

  plainIt(
    "C044 text that is no UTF-8 leaves a note, and under strict ends the connection",
    async () => {
      const bytes = Buffer.from(
        '{"jsonrpc":"2.0","method":"notifications/x","params":{"s":"a\xffb"}}\n',
        "latin1",
      )
      const server = withRules(legacyServer({ tools: [tool("a")] }), {
        when: { method: "tools/list" },
        reply: [{ raw: { base64: bytes.toString("base64") } }, { result: { tools: [tool("a")] } }],
      })
      await using peer = await startStdioPeer(server)
      await using lenient = await connected(stdio(peer))
      await lenient.tools.list()
      expect(noted(lenient)).toContain("invalid-utf8")
      await using strict = await connected(stdio(peer), { strict: true })
      expect(await strict.tools.list()).toMatchObject({ reason: { code: "not-tolerated" } })
    },
  )
})
