import { describe, expect, it } from "vitest"
import type { Io } from "../src/command/io.js"
import { run } from "../src/command/run.js"
import { misbehaviours } from "../src/node.js"
import { call, Inbox, post } from "./raw-clients.js"

interface Run {
  readonly code: Promise<number>
  /** Lines on stdout. */
  readonly lines: Inbox<string>
  readonly stdout: () => string
  readonly stderr: () => string
  readonly interrupt: () => void
  readonly pressEnter: () => void
}

/** Runs the command in this process, with everything it touches replaced. */
const start = (...argv: ReadonlyArray<string>): Run => {
  const lines = new Inbox<string>()
  const written = { stdout: "", stderr: "" }
  let interrupt: () => void = () => {}
  let pressEnter: () => void = () => {}
  const interrupted = new Promise<void>((resolve) => (interrupt = resolve))
  const io: Io = {
    stdout: {
      write: (text) => {
        written.stdout += text
        for (const line of text.split("\n").slice(0, -1)) lines.push(line)
      },
    },
    stderr: { write: (text) => (written.stderr += text) },
    isInteractive: false,
    interrupted: () => interrupted,
    onEnter: (listener) => (pressEnter = listener),
  }
  return {
    code: run(argv, io),
    lines,
    stdout: () => written.stdout,
    stderr: () => written.stderr,
    interrupt: () => interrupt(),
    pressEnter: () => pressEnter(),
  }
}

describe("list", () => {
  it("shows every misbehaviour, its media and what the server does", async () => {
    const { code, stdout } = start("list")
    expect(await code).toBe(0)
    for (const { name, over, sentence } of misbehaviours) {
      const line = stdout()
        .split("\n")
        .find((one) => one.startsWith(`  ${name} `))
      expect(line).toContain(` ${over.join(",")} `)
      expect(line).toMatch(/ {2}\S.*\.$/)
      expect(line?.endsWith(sentence)).toBe(true)
    }
  })

  it("gives everything but the script as JSON", async () => {
    const { code, stdout } = start("list", "--json")
    expect(await code).toBe(0)
    const listed: unknown = JSON.parse(stdout())
    expect(listed).toHaveLength(misbehaviours.length)
    expect(listed).toContainEqual(
      expect.objectContaining({
        group: "pagination",
        name: "empty-cursor",
        try: "list-tools",
        settles: "by-itself",
        ids: ["C004", "V25-PAGE-05", "V26-PAGE-02"],
      }),
    )
  })
})

describe("what makes no sense", () => {
  it.each([
    [[], "There is no command."],
    [["lst"], 'There is no command "lst": it is list or serve.'],
    [["list", "more"], 'list takes no "more".'],
    [["list", "--port", "1"], "list has no flag --port."],
    [["serve"], "serve needs a NAME"],
    [["serve", "sesion-404"], "Did you mean session-404?"],
    [["serve", "cursor"], "Did you mean cursors-in-a-circle, cursor-expired"],
    [["serve", "zzzzzzzz"], 'There is no misbehaviour "zzzzzzzz".'],
    [["serve", "\u001b[2J"], 'There is no misbehaviour "\\u001b[2J".'],
    [["serve", "wrong-id", "more"], 'serve takes no "more".'],
    [["serve", "wrong-id", "--over", "tcp"], "--over http --era legacy\n"],
    [["serve", "crlf-lines", "--over", "http"], "can be served with:\n  --over stdio --era legacy"],
    [["serve", "wrong-id", "--over", "sse", "--era", "modern"], "can be served with"],
    [["serve", "wrong-id", "--port", "70000"], "--port takes a number from 0 to 65535."],
    [["serve", "crlf-lines", "--port", "1"], "stdio has no --port and no --host."],
    [["serve", "wrong-id", "--log"], "--log is for stdio"],
    [["serve", "wrong-id", "--bogus"], "Unknown option '--bogus'."],
  ])("%j is exit code 2 and says why", async (argv, why) => {
    const { code, stdout, stderr } = start(...argv)
    expect(await code).toBe(2)
    expect(stdout()).toBe("")
    expect(stderr()).toContain(why)
    expect(stderr()).toContain("--help shows the usage.\n")
  })

  it("help says how it is used", async () => {
    const { code, stdout } = start("serve", "--help")
    expect(await code).toBe(0)
    expect(stdout()).toContain("entente-testkit serve NAME")
  })
})

describe("serve", () => {
  const until = async (lines: Inbox<string>, pattern: RegExp): Promise<string> => {
    const line = await lines.take()
    return pattern.test(line) ? line : until(lines, pattern)
  }

  it("prints the address, what to expect, and a line for each thing received", async () => {
    const { code, lines, stdout, interrupt } = start("serve", "same-cursor-forever")
    const url = await lines.take()
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/)
    await until(lines, /Ctrl-C/)
    const { sentence, outcome } = misbehaviours.find(({ name }) => name === "same-cursor-forever")!
    expect(stdout()).toContain(sentence)
    expect(stdout()).toContain("connect and list all tools")
    expect(stdout()).toContain(outcome)

    const version = { "mcp-protocol-version": "2025-11-25" }
    const params = { cursor: "\u001b[2J\u202e" }
    await (await post(url, call(1, "tools/list", params), version)).text()
    expect(await until(lines, /tools\/list/)).toMatch(
      /^\d\d:\d\d:\d\d\.\d{3} {2}POST \/mcp request tools\/list id=1 \{"cursor":"\\u001b\[2J\\u\{202e\}"\}$/,
    )
    await (await post(url, "\u0007noise")).text()
    expect(await until(lines, /invalid/)).toContain("POST /mcp invalid \\u0007noise")
    interrupt()
    expect(await code).toBe(0)
    await expect(post(url, call(1, "x"))).rejects.toThrow("fetch failed")
  })

  it("begins the story anew on Enter, where it changes", async () => {
    const { code, lines, interrupt, pressEnter } = start("serve", "session-404")
    const url = await lines.take()
    const session = async (): Promise<string | null> =>
      (await post(url, call(1, "initialize", {}))).headers.get("mcp-session-id")
    expect([await session(), await session()]).toEqual(["S1", "S2"])
    pressEnter()
    expect([await session(), await session()]).toEqual(["S1", "S2"])
    interrupt()
    expect(await code).toBe(0)
  })

  it.each([
    ["ws-binary-frame", [], /^ws:\/\/127\.0\.0\.1:\d+\/mcp$/],
    ["wrong-id", ["--over", "sse", "--host", "::1"], /^http:\/\/\[::1\]:\d+\/sse$/],
    ["redirect-307", ["--era", "modern"], /^http:\/\/127\.0\.0\.1:\d+\/old$/],
  ])("%s can be served at an address (%j)", async (name, flags, address) => {
    const { code, lines, interrupt } = start("serve", name, ...flags)
    expect(await lines.take()).toMatch(address)
    interrupt()
    expect(await code).toBe(0)
  })

  it("a port that is taken is exit code 1", async () => {
    const first = start("serve", "wrong-id")
    const { port } = new URL(await first.lines.take())
    const second = start("serve", "wrong-id", "--port", port)
    expect(await second.code).toBe(1)
    expect(second.stderr()).toContain("EADDRINUSE")
    first.interrupt()
    await first.code
  })
})
