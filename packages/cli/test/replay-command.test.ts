import { appendFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PassThrough } from "node:stream"
import { stripVTControlCharacters } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { legacyServer, tool, withRules } from "@entente/testkit"
import { startHttpPeer } from "@entente/testkit/node"
import { encodeEvent, traceHeader } from "@entente/trace"
import { runHere } from "./world.js"

let folder = ""
let trace = ""

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "entente-replay-"))
  trace = join(folder, "session.jsonl")
  const tools = [tool("a"), { ...tool("b"), title: "\u001b[2Jb" }]
  await using peer = await startHttpPeer(
    withRules(legacyServer({ tools, sessionIds: ["S1-secret", "S2-secret"] }), {
      when: { method: "tools/list", nth: 1 },
      reply: [{ http: { status: 404 } }],
    }),
  )
  const { code } = await runHere(["tools", peer.url, "--trace", trace])
  expect(code).toBe(0)
})

afterAll(() => rm(folder, { recursive: true }))

/** A terminal that somebody types at. */
const keyboard = () => {
  const modes: Array<boolean> = []
  const stdin = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (on: boolean) => modes.push(on),
  })
  return { stdin, modes }
}

const file = async (name: string, text: string): Promise<string> => {
  const path = join(folder, name)
  await writeFile(path, text)
  return path
}

describe("entente replay", () => {
  it("shows each message with its status, and the states after it", async () => {
    const { code, stdout, stderr } = await runHere(["replay", trace])
    expect(code).toBe(0)
    const lines = stdout.trimEnd().split("\n")
    const line = (part: string) => lines.find((one) => one.includes(part)) ?? ""
    expect(lines[0]).toMatch(/^ +1 +\+\d+\.\d{3}s · streamable-http opened +connection opening$/)
    expect(line("→ tools/list (3)")).toContain("HTTP 404")
    expect(line("→ initialize (4)")).toContain("recovering.renewingSession")
    expect(line("→ initialize (4)")).toContain("httpSession renewing")
    expect(line("← answer to initialize (4)")).toContain(": 2025-11-25 · HTTP 200")
    expect(line("2 tools")).toContain("← answer to tools/list (5): 2 tools · HTTP 200")
    expect(line("2 tools")).toContain("listing live")
    expect(lines.at(-1)).toContain("connection closed")
    expect(stderr).toBe(`${lines.length} steps: the replay came to the end of the recording.\n`)
    expect(stdout).not.toContain("\u001b")
    expect(stdout).not.toContain("secret")
  })

  it("sets off what has changed, and cuts lines to the terminal", async () => {
    const { stdout } = await runHere(["replay", trace], { isTTY: true, columns: 70 })
    expect(stdout).toContain("\u001b[1mconnection opening\u001b[22m")
    for (const line of stdout.trimEnd().split("\n")) {
      // Styles take no room.
      expect(stripVTControlCharacters(line).length).toBeLessThanOrEqual(70)
    }
  })

  it("gives one line of JSON per step with --json", async () => {
    const { code, stdout, stderr } = await runHere(["replay", trace, "--json"])
    expect(code).toBe(0)
    const steps = stdout
      .trimEnd()
      .split("\n")
      .map((line): unknown => JSON.parse(line))
    expect(steps.at(0)).toMatchObject({
      kind: "channel",
      number: 1,
      sinceStartMs: expect.any(Number),
    })
    expect(steps.at(1)).toMatchObject({
      kind: "frame",
      frame: { direction: "out", message: { method: "server/discover" } },
      states: { connection: "negotiating" },
      transitions: expect.any(Array),
    })
    expect(steps.at(-1)).toMatchObject({ kind: "close", states: { connection: "closed" } })
    expect(stderr).toBe("")
  })

  it("waits for a key before each step with --step, and ends with q", async () => {
    const { stdin, modes } = keyboard()
    let shown = 0
    const running = runHere(["replay", trace, "--step"], {
      stdin,
      onWrite: (text) => {
        if (text.startsWith("Enter")) stdin.write("x\r")
        else if (text.includes("+")) stdin.write(["\n", " ", "q"][shown++] ?? "?")
      },
    })
    const { code, stdout, stderr } = await running
    expect(code).toBe(0)
    expect(stdout.trimEnd().split("\n")).toHaveLength(3)
    expect(stderr).toContain("3 steps shown.")
    expect(modes).toEqual([true, false])
  })

  it("is interrupted by Ctrl-C, which a terminal gives as a key while it waits for one", async () => {
    const { stdin, modes } = keyboard()
    stdin.write("\u0003")
    const { code, stdout } = await runHere(["replay", trace, "--step"], { stdin })
    expect(code).toBe(130)
    expect(stdout).toBe("")
    expect(modes).toEqual([true, false])
  })

  it("shows everything at the pace of --speed", async () => {
    const { code, stdout } = await runHere(["replay", trace, "--speed", "1000"])
    expect(code).toBe(0)
    expect(stdout).toBe((await runHere(["replay", trace])).stdout)
  })

  it("ends with 6 where the replay goes another way, and says where", async () => {
    const text = await readFile(trace, "utf8")
    const path = await file(
      "other.jsonl",
      text.replaceAll('"method":"tools/list"', '"method":"prompts/list"'),
    )
    const { code, stdout, stderr } = await runHere(["replay", path])
    expect(code).toBe(6)
    expect(stdout).toContain("! prompts/list was not sent again: The server did not declare")
    expect(stderr).toContain("parted")
  })

  it("replays a file that breaks off as far as it goes, with a warning", async () => {
    const text = await readFile(trace, "utf8")
    const path = await file("cut.jsonl", text.slice(0, text.length - 30))
    const { code, stdout, stderr } = await runHere(["replay", path])
    expect(code).toBe(0)
    expect(stdout).toContain("listing live")
    expect(stderr).toMatch(/^warning: line \d+: the last line breaks off\n/)
    await appendFile(path, "\u001b[2J\n")
    const again = await runHere(["replay", path, "--json"])
    expect(JSON.parse(again.stderr)).toMatchObject({ warning: { code: "not-json" } })
  })

  it("shows nothing of a message that a terminal would obey", async () => {
    const evil = "\u001b]0;owned\u0007\n\u202e"
    const stamp = { seq: 0, at: 0, channel: 1 }
    const lines = [
      { ...stamp, type: "channel", event: "opened", transport: evil, target: "x" },
      { ...stamp, type: "frame", direction: "out", send: 1, message: { id: 1, method: evil } },
      {
        ...stamp,
        type: "frame",
        direction: "in",
        message: { method: evil, params: { name: evil } },
      },
    ] as const
    const path = await file("evil.jsonl", [traceHeader, ...lines.map(encodeEvent)].join("\n"))
    const { stdout } = await runHere(["replay", path])
    expect(stdout).toContain("\\x1b]0;owned\\x07")
    for (const character of ["\u001b", "\u0007", "\u202e"]) {
      expect(stdout).not.toContain(character)
    }
  })

  it.each([
    [["replay"], "There is no file to replay."],
    [["replay", "a", "b"], 'takes one file, and no "b"'],
    [["replay", "a", "--", "b"], "replay takes nothing after --."],
    [["replay", "a", "--speed", "0"], "--speed takes a number above zero"],
    [["replay", "a", "--step", "--speed", "2"], "--speed does not go with it"],
    [["replay", "a", "--step", "--json"], "--step is for people"],
    [["replay", "a", "--step"], "stdin is no terminal"],
    [["replay", join(tmpdir(), "entente-no-such-file")], "The log cannot be read"],
  ])("ends with 1 for %j", async (argv, message) => {
    const { code, stderr } = await runHere(argv)
    expect(code).toBe(1)
    const failure = argv.includes("--json") ? JSON.parse(stderr).error.message : stderr
    expect(failure).toContain(message)
  })

  it("ends with 1 where the file is no log that can be read", async () => {
    const { code, stderr } = await runHere(["replay", await file("empty.jsonl", "")])
    expect(code).toBe(1)
    expect(stderr).toContain("is no log that can be read")
  })
})
