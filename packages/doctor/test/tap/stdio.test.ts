import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { PassThrough } from "node:stream"
import { describe, expect, it } from "vitest"
import { replay } from "@entente/transport"
import { connect } from "@entente/client"
import { tapStdio } from "@entente/doctor/tap"
import { bytesOf, Kept, tapProgram } from "./tapped.js"

/** Gives back what it gets. */
const echo = "process.stdin.pipe(process.stdout)"

const request = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }
const line = `${JSON.stringify(request)}\n`

describe("what passes a tap on stdio", () => {
  it("is the same bytes in both directions, however odd they are", async () => {
    const { input, output, tap } = await tapProgram(echo)
    const odd = Buffer.concat([
      Buffer.from([0, 255, 254, 13, 10, 10, 0xc3, 0x28, 0xed, 0xa0, 0x80]),
      randomBytes(300_000),
      Buffer.from(`\uFEFF${line}{"half":`),
    ])
    const heard = bytesOf(output)
    for (let at = 0; at < odd.length; at += 7_919) input.write(odd.subarray(at, at + 7_919))
    input.end()
    expect((await heard).equals(odd)).toBe(true)
    expect(await tap.ended).toEqual({ code: 0, signal: undefined })
  })

  it("is framed for the trace wherever it is cut, and each byte goes on by itself", async () => {
    const { input, output, events, tap } = await tapProgram(echo)
    const text = Buffer.from(`${JSON.stringify({ ...request, params: { word: "grün 🌱" } })}\n`)
    const heard = bytesOf(output)
    for (const byte of text) {
      input.write(Uint8Array.of(byte))
      await new Promise((turn) => setImmediate(turn))
    }
    input.end()
    await tap.ended
    expect((await heard).equals(text)).toBe(true)
    const frames = events.filter((event) => event.type === "frame")
    expect(frames).toMatchObject([
      {
        direction: "out",
        send: 1,
        channel: 1,
        exchange: 0,
        message: { params: { word: "grün 🌱" } },
      },
      { direction: "in", channel: 1, exchange: 0, message: { params: { word: "grün 🌱" } } },
    ])
  })

  it("goes on before the line has ended", async () => {
    const { input, output, tap } = await tapProgram(echo)
    input.write("no end yet")
    const [chunk] = (await once(output, "data")) as [Buffer] // "data" brings bytes
    expect(chunk.toString()).toBe("no end yet")
    input.end()
    await tap.ended
  })

  it("waits for a client that does not read, and loses nothing", async () => {
    const size = 4_000_000
    const { output, errors, tap } = await tapProgram(
      `const { write } = process.stdout
       process.stdout.write(Buffer.alloc(${size}, 97), () => process.stderr.write("all written"))
       process.on("exit", () => {})`,
    )
    const complaints = bytesOf(errors)
    let written = false
    void complaints.then((text) => void (written = text.toString() === "all written"))
    // The pipe and the streams on the way are full long before four megabytes.
    await new Promise<void>((full) => {
      const look = (): void => void (output.writableNeedDrain ? full() : setImmediate(look))
      look()
    })
    expect(written).toBe(false)
    expect(output.readableLength + output.writableLength).toBeLessThan(size / 2)
    expect(await bytesOf(output)).toHaveLength(size)
    await tap.ended
  })

  it("leaves stderr as it is, and tells the trace its lines", async () => {
    const kept = await tapProgram(
      `process.stdin.resume(); process.stderr.write(Buffer.from([27, 91, 255, 10])); process.stderr.write("warm\\n")`,
    )
    kept.input.end()
    await kept.tap.ended
    kept.errors.end()
    expect([...(await bytesOf(kept.errors))]).toEqual([27, 91, 255, 10, ...Buffer.from("warm\n")])
    expect(kept.of("process")).toContainEqual(
      expect.objectContaining({ event: "stderr", detail: "warm" }),
    )
  })
})

describe("the ends of a tap on stdio", () => {
  it("the client's end is the server's, and the channel is released", async () => {
    const kept = await tapProgram(
      `process.stdin.resume(); process.stdin.on("end", () => process.exit(7))`,
    )
    kept.input.end()
    expect(await kept.tap.ended).toEqual({ code: 7, signal: undefined })
    expect(kept.of("channel").map(({ event }) => event)).toEqual(["opened", "released"])
    expect(kept.of("process").map(({ event }) => event)).toEqual(["spawned", "exited"])
  })

  it("a server that ends by itself closes the channel, with its last words", async () => {
    const kept = await tapProgram(`console.error("Error: no disk left"); process.exitCode = 3`)
    kept.input.write(line)
    expect(await kept.tap.ended).toEqual({ code: 3, signal: undefined })
    expect(kept.of("channel")).toMatchObject([
      { event: "opened", transport: "stdio", exchanges: "shared" },
      { event: "closed", error: { _tag: "ProcessExited", process: { exitCode: 3 } } },
      { event: "released" },
    ])
    expect(kept.text).toContain("no disk left")
  })

  it.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("%s is handed on", async (signal) => {
    const kept = await tapProgram(`
      process.on("${signal}", () => { process.stdout.write("got ${signal}"); process.exit(5) })
      process.stdout.write("ready"); setInterval(() => {}, 1e6)`)
    await once(kept.output, "data")
    kept.tap.signal(signal)
    const [said] = (await once(kept.output, "data")) as [Buffer] // "data" brings bytes
    expect(said.toString()).toBe(`got ${signal}`)
    expect(await kept.tap.ended).toEqual({ code: 5, signal: undefined })
    expect(kept.of("process")).toContainEqual(
      expect.objectContaining({ event: "signalled", detail: signal }),
    )
  })

  it("a server that dies by a signal is told as such", async () => {
    const kept = await tapProgram(`process.kill(process.pid, "SIGKILL")`)
    expect(await kept.tap.ended).toEqual({ code: undefined, signal: "SIGKILL" })
  })

  it("a client that reads no more is the end of the server's input too", async () => {
    const kept = await tapProgram(
      `process.stdin.resume(); process.stdin.on("end", () => process.exit(9))
       process.stdout.on("error", () => {}); setInterval(() => process.stdout.write("tick"), 5)`,
    )
    await once(kept.output, "data")
    kept.output.destroy()
    expect(await kept.tap.ended).toEqual({ code: 9, signal: undefined })
    expect(kept.of("channel").map(({ event }) => event)).toEqual(["opened", "released"])
  })

  it("a stray process that keeps the pipe open holds nobody up", async () => {
    const kept = await tapProgram(
      `import { spawn } from "node:child_process"
       spawn(process.execPath, ["-e", "setTimeout(() => {}, 60000)"],
         { stdio: ["ignore", "inherit", "inherit"] }).unref()
       process.stdout.write("bye", () => process.exit(0))`,
    )
    expect(await kept.tap.ended).toEqual({ code: 0, signal: undefined })
    kept.tap.signal("SIGKILL")
  })

  it("a program that is missing is a failed channel", async () => {
    const kept = new Kept()
    const streams = {
      input: new PassThrough(),
      output: new PassThrough(),
      errors: new PassThrough(),
    }
    const starting = tapStdio({ command: "no-such-program", trace: kept.trace, client: streams })
    await expect(starting).rejects.toMatchObject({ _tag: "SpawnFailed", code: "command-not-found" })
    expect(kept.of("channel")).toMatchObject([
      { event: "failed", error: { _tag: "SpawnFailed", code: "command-not-found" } },
    ])
  })
})

describe("the trace of a tap on stdio", () => {
  it("V25-SEC-01 holds no secret of arguments, environment or messages", async () => {
    const secret = "s3cr3t-Planted-0123456789"
    const kept = await tapProgram(
      `process.stdin.pipe(process.stdout); process.stderr.write("token=" + process.env.PLANTED_TOKEN + "\\n")`,
      ["--api-key", secret, `--password=${secret}`],
      { env: { ...process.env, PLANTED_TOKEN: secret } },
    )
    const planted = { api_key: secret, text: `Authorization: Bearer ${secret}` }
    kept.input.end(
      `${JSON.stringify({ ...request, params: planted })}\nnoise: password=${secret}\n`,
    )
    const heard = await bytesOf(kept.output)
    await kept.tap.ended
    expect(heard.toString()).toContain(secret)
    expect(kept.events.length).toBeGreaterThan(6)
    expect(kept.text).not.toContain(secret)
  })

  it("numbers cursors that are secret, so that they can be followed", async () => {
    const secret = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJlLXdpdGgtbGVuZ3Ro"
    const kept = await tapProgram(echo)
    kept.input.end(
      `{"jsonrpc":"2.0","id":1,"result":{"tools":[],"nextCursor":"${secret}"}}\n` +
        `{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":"${secret}"}}\n`,
    )
    await kept.tap.ended
    expect(kept.text).not.toContain(secret)
    expect(kept.text).toContain(`"nextCursor":"‹redacted 1›"`)
    expect(kept.text).toContain(`"cursor":"‹redacted 1›"`)
  })

  it("C046 says what is no message, of either side", async () => {
    const kept = await tapProgram(echo)
    kept.input.end(`hello\n${line}`)
    await kept.tap.ended
    expect(kept.of("note")).toMatchObject([
      { code: "client-noise", detail: "hello" },
      { code: "stdout-noise", detail: "hello", channel: 1 },
    ])
  })

  it("drops a message beyond the limit from the trace, not from the pipe", async () => {
    const kept = await tapProgram(echo, [], { maxMessageBytes: 64 })
    const long = `${JSON.stringify({ ...request, params: { text: "x".repeat(100) } })}\n`
    const heard = bytesOf(kept.output)
    kept.input.end(long + line)
    expect((await heard).toString()).toBe(long + line)
    await kept.tap.ended
    expect(kept.of("frame")).toHaveLength(2)
    expect(kept.of("unreadable")).toMatchObject([{ error: { code: "message-too-large" } }])
    expect(kept.of("note")).toMatchObject([{ code: "client-message-too-large" }])
  })

  it("tells what became of each message of the client", async () => {
    const kept = await tapProgram(echo)
    kept.input.write(line + line)
    await kept.until((event) => event.type === "outcome" && event.send === 2)
    expect(kept.of("outcome")).toMatchObject([
      { channel: 1, send: 1, outcome: { _tag: "Written" } },
      { channel: 1, send: 2, outcome: { _tag: "Written" } },
    ])
    kept.input.end()
    await kept.tap.ended
  })

  it("can be replayed", async () => {
    const server = `
      import { createInterface } from "node:readline"
      const answers = {
        initialize: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } },
        "tools/list": { tools: [{ name: "greet", inputSchema: { type: "object" } }] },
      }
      createInterface({ input: process.stdin }).on("line", (text) => {
        const { id, method } = JSON.parse(text)
        if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result: answers[method] }))
      })`
    const kept = await tapProgram(server)
    const say = (message: object): void =>
      void kept.input.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
    const answered = (id: number) =>
      kept.until(
        (event) =>
          event.type === "frame" &&
          event.direction === "in" &&
          (event.message as { readonly id?: unknown }).id === id,
      )
    say({
      id: 0,
      method: "initialize",
      params: {
        protocolVersion: "2025-11-25",
        capabilities: {},
        clientInfo: { name: "c", version: "1" },
      },
    })
    await answered(0)
    say({ method: "notifications/initialized" })
    say({ id: 1, method: "tools/list", params: {} })
    await answered(1)
    kept.input.end()
    await kept.tap.ended
    await using client = await connect(replay(kept.events), { mode: "legacy" })
    expect(await client.tools.list()).toMatchObject({
      status: "complete",
      items: [{ name: "greet" }],
    })
  })
})
