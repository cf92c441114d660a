import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { describe, expect, it } from "vitest"
import { stdio } from "@entente/transport/stdio"
import { openChannel, openingFails, Recorder, request } from "./open-channel.js"
import { fixture, fixturePath, isAlive } from "./stdio-fixture.js"

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex")

describe("stdio messages", { timeout: 30_000 }, () => {
  it("V25-STDIO-01 V25-STDIO-02 V25-STDIO-03 carries messages both ways, one line each", async () => {
    await using opened = await openChannel(fixture("echo"))
    const params = { text: "two\nlines\r\u2028 and — 🙂" }
    expect(await opened.send(request(1, "x", params))).toEqual({ _tag: "Written" })
    await opened.send(request(2, "x"))
    await opened.recorder.until(({ messages }) => messages.length === 2)
    expect(opened.recorder.messages).toEqual([
      { jsonrpc: "2.0", id: 1, result: { params } },
      { jsonrpc: "2.0", id: 2, result: { params: {} } },
    ])
    expect(opened.recorder.origins).toContainEqual({ exchange: 0 })
    expect(opened.recorder.notes).toEqual([])
  })

  it("C044 reads characters that arrive byte by byte", async () => {
    const message = { jsonrpc: "2.0", id: 1, result: { s: "—🙂" } }
    const bytes = new TextEncoder().encode(`${JSON.stringify(message)}\n`)
    const pieces = Array.from(bytes, (byte) => hex(Uint8Array.of(byte)))
    await using opened = await openChannel(fixture("write-hex", pieces))
    const { messages } = await opened.recorder.until(({ ends }) => ends.length > 0)
    expect(messages).toEqual([message])
  })

  it("C046 V25-STDIO-04 skips lines that are not JSON and notes each with a sample", async () => {
    const noise = "calling backend\nstatus=200\nheaders {\n  'x': 1\n}\n"
    const text = `${noise}{"jsonrpc":"2.0","id":3,"result":{"content":[]}}\n`
    await using opened = await openChannel(fixture("write-hex", [hex(Buffer.from(text))]))
    const { messages, notes, ends } = await opened.recorder.until((one) => one.ends.length > 0)
    expect(messages).toEqual([{ jsonrpc: "2.0", id: 3, result: { content: [] } }])
    expect(notes.map(({ code, detail }) => `${code}: ${detail}`)).toEqual(
      ["calling backend", "status=200", "headers {", "  'x': 1", "}"].map(
        (line) => `stdout-noise: ${line}`,
      ),
    )
    expect(ends).toHaveLength(1)
    expect(opened.events).toContainEqual(
      expect.objectContaining({ type: "process", event: "noise", detail: "status=200" }),
    )
  })

  it("shortens and redacts the sample of a noisy line", async () => {
    const line = `Authorization: Bearer abcdefghijklmnop ${"x".repeat(5000)}\n`
    await using opened = await openChannel(fixture("write-hex", [hex(Buffer.from(line))]))
    const { notes } = await opened.recorder.until(({ ends }) => ends.length > 0)
    expect(notes).toHaveLength(1)
    expect(notes[0]?.detail).not.toContain("abcdefghijklmnop")
    expect(notes[0]?.detail.length).toBeLessThan(250)
  })

  it("V25-STDIO-06 strips CR and skips blank lines and bare scalars", async () => {
    const text = '\uFEFF{"id":1}\r\n\r\n   \n42\n[{"id":2}]\r\n'
    await using opened = await openChannel(fixture("write-hex", [hex(Buffer.from(text))]))
    const { messages, notes } = await opened.recorder.until(({ ends }) => ends.length > 0)
    expect(messages).toEqual([{ id: 1 }, [{ id: 2 }]])
    expect(notes).toEqual([{ code: "stdout-noise", detail: "42" }])
  })

  it("notes a last line without an end, and delivers it if it is whole", async () => {
    const cut = await openChannel(fixture("write-hex", [hex(Buffer.from('{"id":1}\n{"id"'))]))
    await cut.recorder.until(({ ends }) => ends.length > 0)
    expect(cut.recorder).toMatchObject({
      messages: [{ id: 1 }],
      notes: [{ code: "truncated-line", detail: '5 bytes: {"id"' }],
    })
    const whole = await openChannel(fixture("write-hex", [hex(Buffer.from('{"id":1}'))]))
    await whole.recorder.until(({ ends }) => ends.length > 0)
    expect(whole.recorder).toMatchObject({
      messages: [{ id: 1 }],
      notes: [{ code: "truncated-line" }],
    })
  })

  it("V25-STDIO-06 drops a line past the limit, says so and reads on", async () => {
    const pieces = [`{"s":"${"x".repeat(100)}"}\n`, '{"id":2}\n'].map((one) =>
      hex(Buffer.from(one)),
    )
    await using opened = await openChannel(fixture("write-hex", pieces, { maxMessageBytes: 50 }))
    const { messages, errors } = await opened.recorder.until(({ ends }) => ends.length > 0)
    expect(messages).toEqual([{ id: 2 }])
    expect(errors).toMatchObject([{ _tag: "ProtocolViolation", code: "message-too-large" }])
  })

  it("V25-STDIO-05 V26-STDIO-04 answers although 10 MB lie on stderr", async () => {
    await using opened = await openChannel(fixture("flood-stderr"))
    await opened.send(request(1))
    await opened.recorder.until(({ messages }) => messages.length === 1)
    const { stderr } = opened.channel.process!()
    expect(stderr).toMatch(/the flood is over$/)
    expect(stderr.length).toBeLessThanOrEqual(4096)
  })

  it("V25-STDIO-06 holds back what a process does not read yet", async () => {
    await using opened = await openChannel(fixture("deaf"))
    await opened.recorder.until(({ messages }) => messages.length === 1)
    const params = { text: "x".repeat(100_000) }
    let written = 0
    const sent = Array.from({ length: 50 }, (_, id) =>
      opened.send(request(id, "x", params)).then(({ _tag }) => {
        written += _tag === "Written" ? 1 : 0
      }),
    )
    const last = opened.send(request(50, "stop"))
    await new Promise((resume) => setImmediate(resume))
    // The pipe between the two takes a few messages, and no more.
    expect(written).toBeLessThan(10)
    const [ready] = opened.recorder.messages as [{ ready: number }]
    process.kill(ready.ready, "SIGUSR2")
    await Promise.all(sent)
    expect(await last).toEqual({ _tag: "Written" })
    expect(written).toBe(50)
    await opened.recorder.until(({ messages }) => messages.length === 2)
    expect(opened.recorder.messages[1]).toEqual({ lines: 51 })
  })

  it("leaves in the pipe what a process writes before anybody listens", async () => {
    const heard: Array<string> = []
    let wake = (): void => {}
    const next = async (): Promise<string> => {
      while (heard.length === 0) await new Promise<void>((resume) => (wake = resume))
      return heard.shift()!
    }
    const onStderr = (text: string): void => {
      heard.push(...text.trim().split("\n"))
      wake()
    }
    const scope = Scope.makeUnsafe()
    const opening = fixture("flood-stdout", [], { onStderr }).open
    const channel = await Effect.runPromise(Scope.provide(opening, scope))
    const pid = Number(await next())
    // Each of these is time enough to take all of it, if anybody did.
    for (let round = 0; round < 20; round++) {
      process.kill(pid, "SIGUSR2")
      expect(await next()).toBe("waiting")
    }
    const recorder = new Recorder()
    channel.listen(recorder)
    await recorder.until(({ messages }) => messages.length === 10_000)
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  it("closes a flooding process that nobody ever listened to", async () => {
    let tell: (pid: number) => void = () => {}
    const started = new Promise<number>((resolve) => (tell = resolve))
    const onStderr = (text: string): void => tell(Number.parseInt(text, 10))
    const flood = fixture("flood-stdout", [], { onStderr, shutdownGrace: { closeInput: 60_000 } })
    const scope = Scope.makeUnsafe()
    await Effect.runPromise(Scope.provide(flood.open, scope))
    const pid = await started
    await Effect.runPromise(Scope.close(scope, Exit.void))
    expect(isAlive(pid)).toBe(false)
  })

  it("keeps the last words of a process that ends before anybody listens", async () => {
    const scope = Scope.makeUnsafe()
    const channel = await Effect.runPromise(Scope.provide(fixture("die").open, scope))
    while (channel.process!().exitCode === undefined) {
      await new Promise((resume) => setImmediate(resume))
    }
    const recorder = new Recorder()
    channel.listen(recorder)
    const { messages } = await recorder.until(({ ends }) => ends.length > 0)
    expect(messages).toEqual([{ jsonrpc: "2.0", method: "notifications/last" }])
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  it("names Content-Length framing as soon as its header is there, and ends", async () => {
    const header = hex(
      Buffer.from('Content-Length: 36\r\n\r\n{"jsonrpc":"2.0","id":1,"result":{}}'),
    )
    await using opened = await openChannel(fixture("write-hex", [header]))
    const { ends, notes, messages } = await opened.recorder.until((one) => one.ends.length > 0)
    expect(messages).toEqual([])
    expect(notes).toEqual([{ code: "content-length-framing", detail: "Content-Length: 36" }])
    expect(ends).toMatchObject([
      { code: "unexpected-content", message: expect.stringContaining("as language servers do") },
    ])
  })

  it("reports a message that has no JSON form and stays usable", async () => {
    await using opened = await openChannel(fixture("echo"))
    expect(await opened.send(request(1, "x", { big: 1n }))).toMatchObject({
      _tag: "Failed",
      mayHaveArrived: false,
      error: { _tag: "InvalidInput" },
    })
    expect(await opened.send(request(2))).toEqual({ _tag: "Written" })
  })
})

describe("stdio start", { timeout: 30_000 }, () => {
  it("C059 V25-STDIO-10 says which PATH was searched for a command that does not exist", async () => {
    const error = await openingFails(
      stdio({ command: "no-such-command", env: { PATH: "/nowhere:/neither" } }),
    )
    expect(error).toMatchObject({
      _tag: "SpawnFailed",
      code: "command-not-found",
      searchedPath: "/nowhere:/neither",
      stage: "open",
    })
    expect(error.message).toContain("no-such-command")
    const line = await openingFails(stdio({ command: "npx -y server" }))
    expect(line).toMatchObject({ code: "command-not-found", hint: expect.stringContaining("args") })
  })

  it("names a missing file, a missing directory and a file that may not be executed", async () => {
    const directory = await mkdtemp(join(tmpdir(), "entente-"))
    const file = join(directory, "plain")
    await writeFile(file, "#!/bin/sh\n")
    await chmod(file, 0o644)
    expect(await openingFails(stdio({ command: join(directory, "none") }))).toMatchObject({
      code: "command-not-found",
    })
    expect(await openingFails(stdio({ command: file }))).toMatchObject({
      code: "spawn-failed",
      message: expect.stringContaining("EACCES"),
    })
    const nowhere = join(directory, "nowhere")
    expect(await openingFails(stdio({ command: "node", cwd: nowhere }))).toMatchObject({
      code: "spawn-failed",
      message: expect.stringContaining("working directory"),
    })
    await rm(directory, { recursive: true })
  })

  it("says what the operating system said when a file cannot be run", async () => {
    const directory = await mkdtemp(join(tmpdir(), "entente-"))
    const file = join(directory, "script")
    await writeFile(file, "#!/no/such/interpreter\n")
    await chmod(file, 0o755)
    expect(await openingFails(stdio({ command: file }))).toMatchObject({
      _tag: "SpawnFailed",
      code: "spawn-failed",
      message: expect.stringContaining("ENOENT"),
    })
    await rm(directory, { recursive: true })
  })

  it("V25-STDIO-09 V26-STDIO-11 gives the process what it needs and no secret of this process", async () => {
    process.env["ENTENTE_TEST_SECRET"] = "s3cret"
    await using opened = await openChannel(
      fixture("environment", ["a b", "$HOME", '"'], { env: { TOKEN: "t" }, cwd: "/" }),
    )
    delete process.env["ENTENTE_TEST_SECRET"]
    const { messages } = await opened.recorder.until((one) => one.messages.length === 1)
    const [started] = messages as [{ env: object; args: unknown; cwd: unknown }]
    expect(started).toMatchObject({ args: ["a b", "$HOME", '"'], cwd: "/" })
    expect(started.env).toMatchObject({ TOKEN: "t", PATH: process.env["PATH"] })
    expect(started.env).not.toHaveProperty("ENTENTE_TEST_SECRET")
  })

  it("never shows a secret of the command line", async () => {
    const transport = stdio({ command: "srv", args: ["--token", "abcdefghijklmnop", "two words"] })
    expect(transport.target).not.toContain("abcdefghijklmnop")
    expect(transport.target).toMatch(/^srv --token .* "two words"$/)
    expect(transport.key).not.toContain("abcdefghijklmnop")
    expect(JSON.stringify(await openingFails(transport))).not.toContain("abcdefghijklmnop")
  })

  it("hands stderr to whoever wants it", async () => {
    let heard = ""
    const onStderr = (text: string): void => void (heard += text)
    await using opened = await openChannel(fixture("die", [], { onStderr }))
    await opened.recorder.until(({ ends }) => ends.length > 0)
    expect(heard).toContain("API_KEY is not set\n")
    expect(fixturePath("die")).toContain("die.mjs")
  })
})
