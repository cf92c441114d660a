import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { legacyServer, modernServer, tool, type Script } from "@entente/testkit"
import { startHttpPeer, startStdioPeer, type HttpPeer } from "@entente/testkit/node"
import { runHere, type WorldOptions } from "./world.js"

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "entente-cli-doctor-"))
})
afterAll(() => rm(root, { recursive: true, force: true }))

const run = (words: ReadonlyArray<string>, options: WorldOptions = {}) =>
  runHere(["doctor", ...words], { cwd: root, env: { HOME: root }, ...options })

const tools = [tool("echo"), tool("add")]
/** Has tools and does not say so. */
const silent = (): Script => legacyServer({ tools, capabilities: {} })
const fine = (): Script => modernServer({ tools })

interface Shown {
  readonly verdict: string
  readonly hypotheses: ReadonlyArray<{ readonly code: string; readonly next: string }>
}

const read = (stdout: string): Shown => JSON.parse(stdout) as Shown // what the tests below look at

describe("entente doctor", () => {
  it("shows the line that differs in its place, what it means and what to change", async () => {
    await using peer = await startHttpPeer(silent())
    const { code, stdout, stderr } = await run([peer.url])
    expect(code).toBe(7)
    expect(stdout).toContain(`✗ failed  ${peer.url} · legacy, 2025-11-25\n`)
    expect(stdout).toContain("raw 2 → accepted 2 → exposed 0")
    expect(stdout).toMatch(/✗ negotiate {2}The server has tools/)
    expect(stdout).toMatch(/▶ +\d+ +\+\d+ ms {2}← initialize: 2025-11-25, capabilities: none\n/)
    expect(stdout).toMatch(/"capabilities":\{\},.*\n +\^{17}\n/)
    expect(stdout).toMatch(/A right exchange has: .*\n\n {2}server .*\n {2}proxy .*\n {2}client /)
    expect(stdout).toContain(`  next    entente doctor ${peer.url}\n`)
    // No terminal: what is done is told on lines of its own.
    expect(stderr).toMatch(
      /^connecting and reading the tools …\nasking for tools although none are declared …\n/,
    )
  })

  it("exits with 0 for a healthy server, started as a command", async () => {
    const { command, args, close } = await startStdioPeer(fine())
    const { code, stdout } = await run(["--", command, ...args])
    await close()
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /^✓ healthy {2}.* · modern, 2026-07-28\n {2}All 2 tools reach the model\./,
    )
  })

  it("says it as JSON in exactly the shape of the issue, and nothing else", async () => {
    await using peer = await startHttpPeer(silent())
    const { code, stdout, stderr } = await run([peer.url, "--json"])
    expect([code, stderr]).toEqual([7, ""])
    const shown = JSON.parse(stdout) as Readonly<Record<string, unknown>>
    expect(shown).toEqual({
      verdict: "failed",
      era: "legacy",
      protocolVersion: "2025-11-25",
      stages: ["spawn", "bytes", "negotiate", "session", "list", "accept", "project", "expose"].map(
        (stage) => ({
          stage,
          status: expect.stringMatching(/^(ok|warn|failed|not-reached)$/),
          detail: expect.any(String),
        }),
      ),
      counts: { raw: 2, accepted: 2, exposed: 0 },
      hypotheses: [
        {
          code: "tools-capability-missing",
          family: 1,
          confidence: expect.any(Number),
          title: expect.any(String),
          evidence: [
            {
              frame: expect.any(Number),
              excerpt: expect.stringContaining('"capabilities":{}'),
              marked: '"capabilities":{}',
            },
            { frame: expect.any(Number), excerpt: expect.any(String), marked: '"tools":[' },
          ],
          expected: expect.any(String),
          fix: {
            server: expect.any(String),
            proxy: expect.any(String),
            client: expect.any(String),
          },
          next: `entente doctor ${peer.url}`,
        },
      ],
      remarks: [],
    })
  })

  it("writes Markdown, and JUnit XML whose failures go with the exit code", async () => {
    await using ill = await startHttpPeer(silent())
    await using well = await startHttpPeer(fine())
    const markdown = await run([ill.url, "--markdown"])
    expect(markdown.code).toBe(7)
    expect(markdown.stdout).toMatch(/^### ✗ failed: `http:\/\/127\.0\.0\.1:\d+\/mcp`\n/)
    expect(markdown.stdout).toContain("```text\n")
    const failing = await run([ill.url, "--junit"])
    expect([failing.code, failing.stdout]).toEqual([7, expect.stringContaining("<failure type=")])
    const passing = await run([well.url, "--junit"])
    expect([passing.code, passing.stdout]).toEqual([0, expect.not.stringContaining("<failure")])
    expect(passing.stdout).toMatch(/^<\?xml [^]*<\/testsuites>\n$/)
  })

  it("keeps a live line on a terminal, colours what differs, and leaves NO_COLOR without any", async () => {
    await using peer = await startHttpPeer(silent())
    const { stdout, stderr } = await run([peer.url], { isTTY: true, columns: 80 })
    expect(stdout).toContain('\u001b[31m\u001b[1m\u001b[4m"capabilities":{}\u001b[24m')
    expect(stdout).not.toContain("^^^")
    expect(stderr.startsWith("\r\u001b[2Kconnecting and reading the tools …")).toBe(true)
    expect(stderr.endsWith("\r\u001b[2K")).toBe(true)
    const env = { HOME: root, NO_COLOR: "1" }
    const plain = await run([peer.url], { isTTY: true, columns: 80, env })
    expect(plain.stdout).not.toContain("\u001b")
    expect(plain.stdout).toContain("^^^")
  })

  it("lets nothing of a server steer the terminal", async () => {
    const evil = "\u001b]0;owned\u0007\u202e\u200b"
    const capabilities = { [evil]: {} }
    await using peer = await startHttpPeer(
      legacyServer({ tools, capabilities, serverInfo: { name: evil, version: evil } }),
    )
    for (const form of [[], ["--markdown"], ["--junit"], ["--json"]]) {
      const { code, stdout, stderr } = await run([peer.url, ...form])
      expect(code).toBe(7)
      expect(stdout.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}]/u)
      expect(stderr.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}]/u)
    }
  })

  it("holds the tools against a model API", async () => {
    const $ref = "https://example.com/elsewhere.json"
    const far = tool("far", { inputSchema: { type: "object", properties: { t: { $ref } } } })
    await using peer = await startHttpPeer(modernServer({ tools: [tool("near"), far] }))
    const { stdout } = await run([peer.url, "--format", "openai", "--json"])
    expect(JSON.parse(stdout)).toMatchObject({
      stages: expect.arrayContaining([
        {
          stage: "project",
          status: "warn",
          detail: "1 tool cannot be said in the format of openai.",
        },
      ]),
    })
  })

  it("exits with 130 when it is interrupted, in the middle of an experiment too", async () => {
    await using peer = await startHttpPeer(modernServer({ tools: [] }))
    const leaving = new AbortController()
    const { code, stdout, stderr } = await run([peer.url, "--wait", "600"], {
      signal: leaving.signal,
      onWrite: (text) => {
        if (text.startsWith("reading the empty list once more")) leaving.abort()
      },
    })
    expect([code, stdout]).toEqual([130, ""])
    expect(stderr).toMatch(/interrupted\n$/)
  })

  it.each([
    [[], "There is nothing to examine."],
    [["http://127.0.0.1:1/mcp", "more"], 'doctor takes no "more".'],
    [["demo", "--junit", "--markdown"], "--markdown and --junit do not go together"],
    [["demo", "--wait", "soon"], "--wait takes seconds"],
    [["demo", "--origin", "here"], "--origin takes a URL"],
    [["demo", "--no-experiments", "--wait", "1"], "--wait is for the experiments."],
    [["demo", "--format", "antropic"], "Did you mean anthropic?"],
    [["demo", "--era", "ancient"], "--era is one of"],
    [["demo", "--header", "A: b"], "--header is for a URL"],
    [["demo", "--client", "cursor"], "--client takes no target beside it."],
    [["demo", "--log", "x"], "--log takes no target beside it."],
    [["--log", "x", "--timeout", "3"], "--timeout is for a server that is examined"],
    [["replay:x", "--wait", "3"], "--wait is for a server that is examined"],
    [["--config", "x", "--header", "A: b"], "--header is for one server; name it."],
    [["--from", "cursor", "--trace", "x"], "--trace is for one server; name it."],
    [["--config", "none.json"], "none.json: The file cannot be read"],
    [["nobody"], "nobody is neither a URL nor a demo"],
  ])("refuses %j", async (words, message) => {
    const { code, stdout, stderr } = await run(words)
    expect([code, stdout]).toEqual([1, ""])
    expect(stderr).toContain(message)
    expect(stderr).toContain("hint:")
  })
})

const bearer = "Bearer s3cr3t-of-mine"

describe("entente doctor --trace and --log", () => {
  it.each([
    ["over HTTP", silent],
    ["that is healthy", fine],
    ["with an empty list", () => modernServer({ tools: [] })],
  ])("gives the same diagnosis again for a server %s", async (what, script) => {
    await using peer = await startHttpPeer(script())
    const trace = join(root, `${what}.jsonl`)
    const first = await run([peer.url, "--wait", "0", "--json", "--trace", trace])
    for (const again of [["--log", trace], [`replay:${trace}`]]) {
      const { code, stdout, stderr } = await run([...again, "--json"])
      const { log, ...diagnosis } = JSON.parse(stdout) as Readonly<Record<string, unknown>>
      expect(diagnosis).toEqual(JSON.parse(first.stdout))
      expect(log).toEqual({ format: "entente-trace", problems: [] })
      expect([code, stderr]).toEqual([first.code, ""])
    }
    const text = await readFile(trace, "utf8")
    const piped = await run(["--log", "-", "--json"], { stdin: text })
    expect(read(piped.stdout).hypotheses).toEqual(read(first.stdout).hypotheses)
  })

  it("does so for a process, in the words of its command line", async () => {
    const { command, args, close } = await startStdioPeer(silent())
    const trace = join(root, "process.jsonl")
    const first = await run(["--json", "--trace", trace, "--", command, ...args])
    await close()
    const again = await run(["--log", trace, "--json"])
    expect(read(again.stdout).hypotheses).toEqual(read(first.stdout).hypotheses)
    expect(read(first.stdout).hypotheses[0]?.next).toBe(
      `entente doctor -- ${command} ${args.join(" ")}`,
    )
  })

  it("keeps credentials out of the trace and of everything it says", async () => {
    await using peer = await startHttpPeer(silent())
    const trace = join(root, "secret.jsonl")
    const url = `${peer.url}?api_key=k3y-of-mine`
    const words = [url, "--header", `Authorization: ${bearer}`, "--header", "X-Tenant: acme-inc"]
    const { stdout, stderr } = await run([...words, "--trace", trace])
    const text = await readFile(trace, "utf8")
    expect(text).toContain("x-tenant")
    for (const written of [text, stdout, stderr]) {
      expect(written).not.toMatch(/s3cr3t-of-mine|acme-inc|k3y-of-mine/)
    }
  })

  it("diagnoses the last recording of a file that has several, and says so", async () => {
    const trace = join(root, "several.jsonl")
    await using ill = await startHttpPeer(silent())
    await using well = await startHttpPeer(fine())
    await run([ill.url, "--trace", trace])
    await run([well.url, "--trace", trace])
    const { code, stdout, stderr } = await run(["--log", trace])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^✓ healthy {2}.*several\.jsonl/)
    expect(stderr).toBe(
      "warning: Recordings before the last one in the file: 1. Only the last one counts.\n",
    )
  })

  it("reads what it can of a file that is damaged, and counts the rest", async () => {
    await using peer = await startHttpPeer(silent())
    const trace = join(root, "damaged.jsonl")
    await run([peer.url, "--trace", trace])
    const text = await readFile(trace, "utf8")
    const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`
    const frame = `{"type":"frame","seq":9999,"at":1,"direction":"in","message":${deep}}`
    const broken = `${text}${"broken\n".repeat(8)}${frame}\n{"cut":`
    await writeFile(trace, broken)
    const { code, stdout, stderr } = await run(["--log", trace])
    expect(code).toBe(7)
    expect(stdout).toContain("tools-capability-missing")
    expect(stderr.match(/^warning: line \d+: /gm)).toHaveLength(5)
    expect(stderr).toMatch(/warning: \d+ more of such lines\n$/)
  })

  it.each([
    ["is not there", () => join(root, "none.jsonl"), "The log cannot be read: ENOENT"],
    ["is a folder", () => root, "The log cannot be read: EISDIR"],
  ])("exits with 1 and a hint for a file that %s", async (_, path, message) => {
    const { code, stdout, stderr } = await run(["--log", path()])
    expect([code, stdout]).toEqual([1, ""])
    expect(stderr).toContain(message)
    expect(stderr).toContain("hint:")
  })

  it.each(["", "hello\n", '{"a":1}', "\u0000\u0001\u0002", "<html>\n"])(
    "exits with 1 and a hint for what is no log: %j",
    async (stdin) => {
      const { code, stdout, stderr } = await run(["--log", "-", "--json"], { stdin })
      expect([code, stdout]).toEqual([1, ""])
      expect(JSON.parse(stderr)).toMatchObject({
        error: { code: "invalid-input", message: "stdin is no log that can be read." },
      })
    },
  )
})

describe("entente doctor for all servers of a file", () => {
  const configured = async (peers: Readonly<Record<string, HttpPeer>>, more: object = {}) => {
    const path = join(root, "servers.json")
    const remote = Object.entries(peers).map(([name, { url }]) => [name, { type: "http", url }])
    await writeFile(
      path,
      JSON.stringify({ mcpServers: { ...Object.fromEntries(remote), ...more } }),
    )
    return path
  }

  it("begins with a table, then says what is wrong with each that is not healthy", async () => {
    await using ill = await startHttpPeer(silent())
    await using well = await startHttpPeer(fine())
    const config = await configured({ well, ill }, { off: { command: "x", disabled: true } })
    const { code, stdout, stderr } = await run(["--config", config])
    expect(code).toBe(7)
    expect(stdout).toMatch(/^2 servers, 1 of them not healthy\n/)
    expect(stdout).toMatch(/✓ healthy +well +2 → 2 → 2\n/)
    expect(stdout).toMatch(/✗ failed +ill +2 → 2 → 0 +The server has tools/)
    expect(stdout.match(/^[✓✗!] \w+ {2}/gm)).toEqual(["✗ failed  "])
    expect(stdout).toContain(`next    entente doctor ill --config ${config}`)
    expect(stderr).toContain("well: connecting and reading the tools …\n")
    expect(stderr).toContain("note: off is switched off in its file and was not examined.\n")
  })

  it("gives JSON and exit codes for all of them", async () => {
    await using one = await startHttpPeer(fine())
    await using two = await startHttpPeer(fine())
    const healthy = await run(["--config", await configured({ one, two }), "--json"])
    expect([healthy.code, healthy.stderr]).toEqual([0, ""])
    expect(JSON.parse(healthy.stdout)).toMatchObject({
      servers: [
        { name: "one", verdict: "healthy", counts: { exposed: 2 } },
        { name: "two", verdict: "healthy" },
      ],
      faults: [],
      switchedOff: [],
    })
    const broken = await run(["--config", await configured({ one }, { two: { type: "http" } })])
    expect(broken.code).toBe(7)
    expect(broken.stderr).toMatch(/error: two: /)
  })

  it.each([
    ["names none", {}, "No server is named there."],
    ["has all switched off", { off: { command: "x", disabled: true } }, "switched off: off."],
  ])("is an error where the file %s: nothing is healthy by being absent", async (_, more, why) => {
    const { code, stdout, stderr } = await run(["--config", await configured({}, more)])
    expect([code, stdout]).toEqual([1, ""])
    expect(stderr).toContain(why)
  })

  it("examines one of them by its name, with what its file says", async () => {
    await using peer = await startHttpPeer(silent())
    const config = await configured(
      {},
      {
        mine: { type: "http", url: peer.url, headers: { Authorization: bearer } },
      },
    )
    const { code, stdout } = await run(["mine", "--config", config])
    expect(code).toBe(7)
    expect(stdout).toMatch(/^✗ failed {2}mine · legacy/)
    expect(stdout).toContain(`next    entente doctor mine --config ${config}\n`)
    expect(stdout).not.toContain(bearer)
    expect(peer.requests("initialize")[0]?.headers).toMatchObject({ authorization: bearer })
  })
})
