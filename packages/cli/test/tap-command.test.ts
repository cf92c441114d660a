import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, readFile, rm, stat } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Readable } from "node:stream"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { readTrace } from "@entente/trace/file"
import type { TraceEvent } from "@entente/trace"
import { buildCommand, type BuiltCommand } from "./built-command.js"

let built: BuiltCommand
let folder = ""
let files = 0

beforeAll(async () => {
  built = await buildCommand()
  folder = await mkdtemp(join(tmpdir(), "entente-tap-"))
}, 60_000)
afterAll(async () => {
  await built.remove()
  await rm(folder, { recursive: true, force: true })
})

interface Running {
  readonly child: ChildProcessWithoutNullStreams
  readonly trace: string
  /** What came on stdout and stderr so far. */
  readonly said: { stdout: string; stderr: string }
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null }>
}

const start = (args: ReadonlyArray<string>): Running => {
  const trace = join(folder, `${++files}.jsonl`)
  const child = spawn(process.execPath, [built.main, "tap", "--trace", trace, ...args])
  const said = { stdout: "", stderr: "" }
  child.stdout.on("data", (text: Buffer) => (said.stdout += text.toString()))
  child.stderr.on("data", (text: Buffer) => (said.stderr += text.toString()))
  child.stdin.on("error", () => {})
  const ended = new Promise<Awaited<Running["ended"]>>((resolve) =>
    child.once("close", (code, signal) => resolve({ code, signal })),
  )
  return { child, trace, said, ended }
}

/** The tap before a program for Node, given as its code. */
const before = (code: string, ...flags: ReadonlyArray<string>): Running =>
  start([...flags, "--", process.execPath, "-e", code])

const until = async (stream: Readable, ready: () => boolean): Promise<void> => {
  while (!ready()) await once(stream, "data")
}

const eventsOf = async (file: string): Promise<ReadonlyArray<TraceEvent>> => {
  const events: Array<TraceEvent> = []
  for await (const line of readTrace(file)) {
    expect(line.kind).toBe("event")
    if (line.kind === "event") events.push(line.event)
  }
  return events
}

const server = `
  require("node:readline").createInterface({ input: process.stdin }).on("line", (text) => {
    const { id, method } = JSON.parse(text)
    const result = method === "initialize" ? { protocolVersion: "2025-11-25" } : { tools: [{ name: "a" }, { name: "b" }] }
    const answer = method === "bad" ? { error: { code: -32601, message: "No such \\u001b[2Jmethod" } } : { result }
    if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, ...answer }))
  })`

const line = (message: object): string => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`

describe("entente tap over stdio", () => {
  it("hands everything on, and says on stderr what passed and what to do next", async () => {
    const tap = before(server)
    const lines = (): number => tap.said.stdout.split("\n").length - 1
    tap.child.stdin.write(
      line({ id: 0, method: "initialize" }) + line({ id: 1, method: "tools/list" }),
    )
    tap.child.stdin.write(line({ id: "x", method: "bad" }))
    await until(tap.child.stdout, () => lines() === 3)
    // The trace can be read while the tap runs.
    let types: ReadonlyArray<string> = []
    while (types.filter((type) => type === "frame").length < 6) {
      types = (await eventsOf(tap.trace)).map(({ type }) => type)
    }
    tap.child.stdin.end()
    expect(await tap.ended).toEqual({ code: 0, signal: null })
    expect(
      tap.said.stdout
        .split("\n")
        .filter(Boolean)
        .map((text) => JSON.parse(text)),
    ).toHaveLength(3)
    expect(tap.said.stderr.replace(/\d+ ms/g, "0 ms")).toBe(
      [
        "tap: initialize (0) 0 ms, 2025-11-25",
        "tap: tools/list (1) 0 ms, 2 tools",
        String.raw`tap: bad ("x") 0 ms, error -32601 No such \x1b[2Jmethod`,
        "tap: the server ended: exit code 0",
        "tap: 6 messages, 3 requests, 3 answered, 1 with an error",
        `tap: next: entente doctor --log ${tap.trace}`,
        "",
      ].join("\n"),
    )
    expect((await stat(tap.trace)).mode & 0o777).toBe(0o600)
  })

  it("says nothing with --quiet", async () => {
    const tap = before(server, "--quiet")
    tap.child.stdin.end(line({ id: 0, method: "initialize" }))
    await tap.ended
    expect(tap.said.stderr).toBe("")
    expect(tap.said.stdout).not.toBe("")
  })

  it("ends with the server's exit code, and names what was not answered", async () => {
    const tap = before(`process.stdin.once("data", () => process.exit(42))`)
    tap.child.stdin.write(line({ id: 7, method: "tools/list" }))
    expect(await tap.ended).toEqual({ code: 42, signal: null })
    expect(tap.said.stderr).toContain("tap: no answer to tools/list\n")
  })

  it("dies by the signal that the server died by", async () => {
    const tap = before(`process.kill(process.pid, "SIGKILL")`)
    expect(await tap.ended).toEqual({ code: null, signal: "SIGKILL" })
    expect((await eventsOf(tap.trace)).at(-1)).toMatchObject({ event: "released" })
  })

  it.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
    "hands %s on, and lives on where the server does",
    async (signal) => {
      const tap = before(`
      let times = 0
      process.on("${signal}", () => { if (++times === 2) process.exit(3); console.log("once") })
      process.stdin.resume(); console.log("ready")`)
      await until(tap.child.stdout, () => tap.said.stdout.includes("ready"))
      tap.child.kill(signal)
      await until(tap.child.stdout, () => tap.said.stdout.includes("once"))
      tap.child.kill(signal)
      expect(await tap.ended).toEqual({ code: 3, signal: null })
    },
  )

  it("dies by a signal that the server does not mind", async () => {
    const tap = before(`process.stdin.resume(); console.log("ready")`)
    await until(tap.child.stdout, () => tap.said.stdout.includes("ready"))
    tap.child.kill("SIGTERM")
    expect(await tap.ended).toEqual({ code: null, signal: "SIGTERM" })
  })

  it("ends the server's input when the client reads no more", async () => {
    const tap = before(`
      process.stdout.on("error", () => {})
      process.stdin.resume().on("end", () => process.exit(6))
      setInterval(() => process.stdout.write("tick\\n"), 5)`)
    await until(tap.child.stdout, () => tap.said.stdout.includes("tick"))
    tap.child.stdout.destroy()
    expect(await tap.ended).toEqual({ code: 6, signal: null })
  })

  it("closes its own stdout when the server closes its", async () => {
    const tap = before(`
      require("node:fs").writeSync(1, "last words"); require("node:fs").closeSync(1)
      process.stdin.resume().on("end", () => process.exit(4))`)
    await once(tap.child.stdout, "end")
    expect(tap.said.stdout).toBe("last words")
    tap.child.stdin.end()
    expect(await tap.ended).toEqual({ code: 4, signal: null })
  })

  it("leaves no server behind when it is killed", async () => {
    const tap = before(`setInterval(() => {}, 1e6); console.log(process.pid)`)
    await until(tap.child.stdout, () => tap.said.stdout.includes("\n"))
    tap.child.kill("SIGKILL")
    await tap.ended
    const pid = Number(tap.said.stdout)
    const lives = (): boolean => {
      try {
        process.kill(pid, 0)
        return true
      } catch {
        return false
      }
    }
    while (lives()) await new Promise((turn) => setTimeout(turn, 20))
    expect(lives()).toBe(false)
  })

  it("says which program is missing", async () => {
    const tap = start(["--", "no-such-program"])
    expect(await tap.ended).toEqual({ code: 4, signal: null })
    expect(tap.said.stderr).toContain("no-such-program")
    expect(tap.said.stdout).toBe("")
    expect(await eventsOf(tap.trace)).toMatchObject([{ type: "channel", event: "failed" }])
  })

  it("V25-SEC-01 no secret of its command line is in the trace or on stderr", async () => {
    const secret = "s3cr3t-Planted-0123456789"
    const tap = start([
      "--",
      process.execPath,
      "-e",
      "process.stdin.resume()",
      "--",
      "--token",
      secret,
    ])
    tap.child.stdin.end(line({ id: 1, method: "x", params: { password: secret } }))
    await tap.ended
    expect(await readFile(tap.trace, "utf8")).toContain("‹redacted›")
    expect(await readFile(tap.trace, "utf8")).not.toContain(secret)
    expect(tap.said.stderr).not.toContain(secret)
  })
})

describe("entente tap over HTTP", () => {
  it("prints its address, says what passed, and ends well when it is interrupted", async () => {
    const upstream = createServer((request, response) => {
      request.resume()
      if (request.method === "GET") return response.writeHead(405).end()
      response.writeHead(200, { "content-type": "application/json" })
      return response.end(line({ id: 1, result: { tools: [{ name: "a" }], nextCursor: "2" } }))
    })
    upstream.listen(0, "127.0.0.1")
    await once(upstream, "listening")
    const { port } = upstream.address() as AddressInfo // a server that listens on a port has one
    const tap = start(["--http", `http://127.0.0.1:${port}/mcp`])
    await until(tap.child.stdout, () => tap.said.stdout.includes("\n"))
    const url = tap.said.stdout.trim()
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/)
    const body = line({ id: 1, method: "tools/list" })
    const headers = { "content-type": "application/json" }
    expect((await fetch(url, { method: "POST", body, headers })).status).toBe(200)
    expect((await fetch(url, { headers: { accept: "text/event-stream" } })).status).toBe(405)
    expect((await fetch(url, { headers: { origin: "https://evil.example" } })).status).toBe(403)
    tap.child.kill("SIGINT")
    expect(await tap.ended).toEqual({ code: 0, signal: null })
    expect(tap.said.stderr.replace(/\d+ ms/g, "0 ms")).toBe(
      [
        "tap: Give this address to the client; Ctrl-C ends the tap.",
        "tap: tools/list (1) 0 ms, 1 tool, more to come",
        "tap: HTTP 405 to GET /mcp",
        "tap: The Origin header names a page that is not of this machine.",
        "tap: 2 messages, 1 request, 1 answered, 1 HTTP refusal",
        `tap: next: entente doctor --log ${tap.trace}`,
        "",
      ].join("\n"),
    )
    upstream.closeAllConnections()
    upstream.close()
  })

  it("says which port cannot be used", async () => {
    const taken = createServer().listen(0, "127.0.0.1")
    await once(taken, "listening")
    const { port } = taken.address() as AddressInfo // a server that listens on a port has one
    const tap = start(["--http", "http://127.0.0.1:1/mcp", "--port", String(port)])
    expect(await tap.ended).toEqual({ code: 1, signal: null })
    expect(tap.said.stderr).toContain(`Port ${port} cannot be used`)
    taken.close()
  })
})
