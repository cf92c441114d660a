import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { readFile } from "node:fs/promises"
import { createInterface } from "node:readline"
import { promisify } from "node:util"
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest"
import { buildCommand, type BuiltCommand } from "./built-command.js"
import { call, spawnStdio, type StdioClient } from "./raw-clients.js"

// The first builds the command, and each starts processes.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

let command: BuiltCommand
beforeAll(async () => {
  command = await buildCommand()
})
afterAll(() => command.remove())

const clients: Array<StdioClient> = []
afterEach(() => {
  for (const { child } of clients.splice(0)) child.kill("SIGKILL")
})

const serve = (...args: ReadonlyArray<string>): StdioClient => {
  const client = spawnStdio({ command: process.execPath, args: [command.main, "serve", ...args] })
  clients.push(client)
  return client
}

const initialize = call(1, "initialize", { protocolVersion: "2025-11-25", capabilities: {} })

describe("the built command", () => {
  it("is one file that needs nothing beside it but its manifest", async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [command.main, "--version"])
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
    const text = await readFile(command.main, "utf8")
    expect(text.startsWith("#!/usr/bin/env node\n")).toBe(true)
    const foreign = [...text.matchAll(/^import .* from "([^"]+)"/gm)].map(([, name]) => name ?? "")
    expect(foreign.filter((name) => !name.startsWith("node:"))).toEqual([])
  })

  it("serves at an address until it is stopped", async () => {
    const child = spawn(process.execPath, [command.main, "serve", "html-page"])
    const [url] = await once(createInterface({ input: child.stdout }), "line")
    expect(await (await fetch(String(url))).text()).toContain("<!doctype html>")
    child.kill("SIGINT")
    expect(await once(child, "exit")).toEqual([0, null])
  })
})

describe("a misbehaviour served on stdin and stdout", () => {
  it("is the server itself, and keeps stdout for it", async () => {
    const { child, lines, errors, say, exit } = serve("banner-on-stdout")
    expect(await lines.take()).toBe("== Scripted Server 1.0 ==")
    say(initialize)
    await lines.take()
    await lines.take()
    expect(await lines.take()).toContain('"id":1,"result"')
    child.stdin.end()
    expect(await exit).toEqual([0, null])
    expect(errors.size).toBe(0)
  })

  it("tells on stderr what is received, if asked", async () => {
    const { errors, say } = serve("wrong-id", "--over", "stdio", "--log")
    say(call(7, "tools/call", { name: "echo", arguments: { text: "\u009b2J" } }))
    expect(await errors.take()).toMatch(/ {2}open$/)
    expect(await errors.take()).toContain("request tools/call id=7")
    expect(errors.size).toBe(0)
  })

  it("V25-STDIO-10 ends as the misbehaviour says", async () => {
    const started = serve("exits-with-stderr")
    expect(await started.exit).toEqual([1, null])
    expect(await started.errors.take()).toBe("Error: API_KEY is not set")
    expect(await serve("killed-at-start").exit).toEqual([null, "SIGKILL"])
  })

  it("V25-STDIO-08 dies in the middle of a line", async () => {
    const { lines, say, exit } = serve("dies-mid-line")
    say(call(3, "tools/call", { name: "echo" }))
    expect(await exit).toEqual([1, null])
    expect(await lines.take()).toBe('{"jsonrpc":"2.0","id":3,"result":{"content":[{"ty')
  })

  it("V25-STDIO-07 ignores what it says it ignores", async () => {
    const { child, errors, exit } = serve("ignores-sigterm", "--log")
    expect(await errors.take()).toMatch(/open$/)
    child.stdin.end()
    expect(await errors.take()).toMatch(/end$/)
    child.kill("SIGTERM")
    expect(await errors.take()).toMatch(/signal SIGTERM$/)
    child.kill("SIGKILL")
    expect(await exit).toEqual([null, "SIGKILL"])
  })
})
