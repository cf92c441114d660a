import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { formats } from "@entente/catalog"
import { legacyServer, modernServer, notification, tool, withRules } from "@entente/testkit"
import { startHttpPeer, startStdioPeer, type StdioPeer } from "@entente/testkit/node"
import { runHere, type WorldOptions } from "./world.js"

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "entente-cli-catalog-"))
})
afterEach(() => rm(root, { recursive: true, force: true }))

const configured = (mcpServers: object) =>
  writeFile(join(root, ".mcp.json"), JSON.stringify({ mcpServers }))

const run = (words: ReadonlyArray<string>, options: WorldOptions = {}) =>
  runHere(["catalog", ...words], { cwd: root, env: { HOME: root }, ...options })

const remote = (url: string) => ({ type: "http", url })
const started = ({ command, args }: StdioPeer) => ({ command, args })
const missing = { command: "no-such-command-anywhere" }

const notify = tool("notify", { description: "Tells somebody." })
const folded = tool("either", {
  inputSchema: {
    type: "object",
    anyOf: ["a", "b"].map((name) => ({ properties: { [name]: { type: "string" } } })),
  },
})

const startServers = async () => {
  const one = await startStdioPeer(
    withRules(legacyServer({ tools: [notify], capabilities: { tools: { listChanged: true } } })),
  )
  const two = await startHttpPeer(modernServer({ tools: [notify, folded, { name: "broken" }] }))
  return {
    one,
    two,
    [Symbol.asyncDispose]: async () => {
      await one[Symbol.asyncDispose]()
      await two[Symbol.asyncDispose]()
    },
  }
}

describe("entente catalog", () => {
  it("shows all servers of a file, and says what became of those that have no tools", async () => {
    await using servers = await startServers()
    await configured({ one: started(servers.one), two: remote(servers.two.url), gone: missing })
    const { code, stdout } = await run([])
    expect(code).toBe(4) // unreachable, as for the server alone
    expect(stdout).toContain("2 of 3 servers live, 3 tools")
    expect(stdout).toMatch(/one +live +1 +2025-11-25/)
    expect(stdout).toMatch(/two +live +2 of 3 +2026-07-28 +listed 3 → accepted 2 → exposed 2/)
    expect(stdout).toMatch(/gone +failed .*"no-such-command-anywhere"/)
    expect(stdout).toMatch(/hint: gone: ./)
    expect(stdout).toMatch(/quarantined: two: broken: .* at \/inputSchema/)
    expect(stdout).toMatch(/one__notify +Tells somebody\./)
    expect(stdout).toContain("notify: one__notify, two__notify")
  })

  it("says the same as JSON", async () => {
    await using servers = await startServers()
    await configured({ two: remote(servers.two.url) })
    const { code, stdout, stderr } = await run(["--json"])
    expect([code, stderr]).toEqual([0, ""])
    expect(JSON.parse(stdout)).toMatchObject({
      servers: [
        {
          id: "two",
          state: "live",
          counts: { spawned: 1, negotiated: 1, listed: 3, accepted: 2, exposed: 2 },
          withheld: [{ kind: "quarantined", tool: "broken" }],
        },
      ],
      tools: [
        { id: "two__notify", server: "two", fingerprint: expect.stringMatching(/^[\da-f]{64}$/) },
        { id: "two__either" },
      ],
      collisions: [],
      faults: [],
    })
  })

  it.each(formats)(
    "prints the tools for %s alone on stdout, and the report on stderr",
    async (format) => {
      await using servers = await startServers()
      await configured({ two: remote(servers.two.url) })
      const { code, stdout, stderr } = await run(["--format", format])
      expect(code).toBe(0)
      expect(JSON.stringify(JSON.parse(stdout))).toContain("two__notify")
      expect(stderr).toMatch(/root-folded: two\/either: .*\/inputSchema\/anyOf/)
      const json = await run(["--format", format, "--json"])
      expect(JSON.parse(json.stdout)).toMatchObject({
        servers: [{ counts: { projected: 2, exposed: 2 } }],
        projection: {
          tools: JSON.parse(stdout) as unknown,
          names: [
            { name: "two__notify", server: "two", tool: "notify" },
            { name: "two__either", server: "two", tool: "either" },
          ],
        },
      })
    },
  )

  it.each([
    [["--format", "anthropik"], "Did you mean anthropic?"],
    [["--format", "openai", "--watch"], "--watch"],
    [["--strict-mode"], "--strict-mode is for --format."],
    [["https://example.com/mcp"], "catalog takes no"],
    [["--from", "curser"], "Did you mean cursor?"],
    [["--from", "cursor"], "No configuration file was found."],
    [["--config", "none.json"], "none.json: The file cannot be read: there is no such file."],
  ])("refuses %j", async (words, message) => {
    const { code, stdout, stderr } = await run(words)
    expect([code, stdout]).toEqual([1, ""])
    expect(stderr).toContain(message)
  })

  it("refuses a file of which nothing can be used, and says where", async () => {
    await writeFile(join(root, ".mcp.json"), '{ "mcpServers": {\n  "a": { "command": }\n} }')
    const { code, stderr } = await run([])
    expect(code).toBe(1)
    expect(stderr).toMatch(/\.mcp\.json: .+ \(line 2\)/)
  })

  it("goes on without a server that a file has wrong, and says so with its exit code", async () => {
    await using servers = await startServers()
    await configured({ one: started(servers.one), other: { type: "http" } })
    const { code, stdout, stderr } = await run([])
    expect(code).toBe(7)
    expect(stdout).toContain("1 of 1 server live")
    expect(stderr).toMatch(/error: other: /)
  })
})

/** Watches until a text was written, and leaves as a person does. */
const watched = async (words: ReadonlyArray<string>, options: WorldOptions, steps: Steps) => {
  const leaving = new AbortController()
  const [...left] = steps
  let seen = ""
  return run(["--watch", ...words], {
    ...options,
    signal: leaving.signal,
    onWrite: (text) => {
      seen += text
      const [next] = left
      if (next === undefined || !next.seen.test(seen)) return
      seen = ""
      left.shift()
      if (left.length === 0) leaving.abort()
      void next.act?.()
    },
  })
}

type Steps = ReadonlyArray<{ readonly seen: RegExp; readonly act?: () => unknown }>

describe("entente catalog --watch", () => {
  const steps = (servers: Awaited<ReturnType<typeof startServers>>, last: RegExp): Steps => [
    {
      seen: /one__notify|1 tool\b/,
      act: () => {
        servers.one.add({
          when: { method: "tools/list" },
          reply: [{ result: { tools: [{ ...notify, description: "Other." }, tool("more")] } }],
        })
        servers.one.send(notification("notifications/tools/list_changed"))
      },
    },
    { seen: last },
  ]

  it("tells of every change on a line of JSON", async () => {
    await using servers = await startServers()
    await configured({ one: started(servers.one) })
    const last = /"changed":\[\{/
    const { code, stdout } = await watched(["--json"], {}, steps(servers, last))
    expect(code).toBe(130)
    const lines = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { kind: string })
    expect(lines[0]).toMatchObject({ kind: "catalog", tools: [{ id: "one__notify" }] })
    expect(lines.filter(({ kind }) => kind === "tools")).toMatchObject([
      {
        server: "one",
        added: [{ id: "one__more" }],
        removed: [],
        changed: [{ id: "one__notify", members: ["description"] }],
      },
    ])
  })

  it("keeps a table at the end of a terminal, with the changes above it", async () => {
    await using servers = await startServers()
    await configured({ one: started(servers.one) })
    const terminal = { isTTY: true, columns: 80 }
    const last = /another description/
    const { stdout } = await watched(["--no-color"], terminal, steps(servers, last))
    expect(stdout).toMatch(/\d\d:\d\d:\d\d {2}\+ one__more/)
    expect(stdout).toMatch(/~ one__notify has another description/)
    // The table is written over: as many lines up as it has.
    expect(stdout).toContain("\u001b[4A\u001b[0J")
    expect(stdout).toMatch(/1 of 1 server live, 2 tools/)
  })

  it("writes changes as lines where there is no terminal", async () => {
    await using servers = await startServers()
    await configured({ one: started(servers.one) })
    const { stdout } = await watched([], {}, steps(servers, /another description/))
    expect(stdout).toContain("1 of 1 server live, 1 tool\n")
    expect(stdout).toMatch(/\+ one__more/)
    expect(stdout).not.toContain("\u001b")
  })
})
