import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { legacyServer, tool } from "@entente/testkit"
import { startHttpPeer, startStdioPeer } from "@entente/testkit/node"
import { runHere } from "./world.js"

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "entente-cli-config-"))
  await mkdir(join(root, "work"))
})
afterEach(() => rm(root, { recursive: true, force: true }))

const write = async (path: string, content: string | object): Promise<void> => {
  const whole = join(root, path)
  await mkdir(dirname(whole), { recursive: true })
  await writeFile(whole, typeof content === "string" ? content : JSON.stringify(content))
}

const run = (line: string, env: Readonly<Record<string, string>> = {}, options = {}) =>
  runHere(line.split(" "), {
    cwd: join(root, "work"),
    env: { HOME: join(root, "home"), ...env },
    ...options,
  })

const library = legacyServer({ tools: [tool("borrow")] })

const server: typeof library = {
  ...library,
  rules: [
    {
      when: { method: "tools/call" },
      reply: [{ result: { content: [{ type: "text", text: "done" }] } }],
    },
    ...library.rules,
  ],
}

describe("entente config list", () => {
  it("says which files there are, and which servers they name, without secrets", async () => {
    await write("work/.mcp.json", {
      mcpServers: {
        a: { command: "npx", args: ["-y", "a", "--token", "Q0Z"], env: { KEY: "Q0Z" } },
        b: { type: "http", url: "https://b.example/mcp?api_key=Q0Z" },
      },
    })
    await write("home/.codeium/windsurf/mcp_config.json", {
      mcpServers: { off: { command: "off", disabled: true } },
    })
    await write("home/.cursor/mcp.json", "{ broken")
    await write("home/.gemini/settings.json", { theme: "dark" })
    const { code, stdout, stderr } = await run("config list")
    expect([code, stderr]).toEqual([0, ""])
    expect(stdout).toMatchInlineSnapshot(`
      "CLIENT       SCOPE    FILE                                 SERVER  TARGET
      claude-code  project  .mcp.json                            a       npx -y a --token ‹redacted›
      claude-code  project  .mcp.json                            b       https://b.example/mcp?api_key=‹redacted›
      cursor       user     ~/.cursor/mcp.json                           The file cannot be read: InvalidSymbol.
      windsurf     user     ~/.codeium/windsurf/mcp_config.json  off     off (switched off)
      gemini       user     ~/.gemini/settings.json                      no servers
      "
    `)
    const json = await run("config list --json")
    expect(JSON.parse(json.stdout)).toMatchObject({
      files: [
        {
          client: "claude-code",
          scope: "project",
          servers: [
            { id: "a", transport: "stdio", disabled: false },
            { id: "b", transport: "streamable-http" },
          ],
        },
        { client: "cursor", servers: [], faults: [{ code: "syntax-error" }] },
        { client: "windsurf", servers: [{ id: "off", disabled: true }] },
        { client: "gemini", servers: [], faults: [] },
      ],
    })
    expect(stdout + json.stdout).not.toContain("Q0Z")
  })

  it("says where it has looked when there is none", async () => {
    const { code, stdout } = await run("config list --from cursor")
    expect(code).toBe(0)
    expect(stdout).toContain("No configuration file was found. These were looked for:")
    expect(stdout).toContain("cursor  .cursor/mcp.json\ncursor  ~/.cursor/mcp.json\n")
  })
})

describe("entente config check", () => {
  it("exits with 0 for a file that is fine, with notes on others", async () => {
    await write("work/.mcp.json", { mcpServers: { a: { command: "a", env: { K: "${K}" } } } })
    const { code, stdout, stderr } = await run("config check .mcp.json", { K: "set" })
    expect([code, stderr]).toEqual([0, ""])
    expect(stdout).toContain("  fine for Claude Code\n")
    expect(stdout).toContain("does not replace the reference to K in env.K")
  })

  it("exits with 7 for what Gemini CLI may read differently", async () => {
    await write("work/.gemini/settings.json", {
      mcpServers: { a: { url: "https://a.example/mcp" } },
    })
    const { code, stdout } = await run("config check")
    expect(code).toBe(7)
    expect(stdout).toContain("warning: a: Gemini CLI takes url without a type for HTTP+SSE")
    const json = await run("config check --json")
    expect(json.code).toBe(7)
    expect(JSON.parse(json.stdout)).toMatchObject({
      files: [
        {
          client: "gemini",
          findings: expect.arrayContaining([
            expect.objectContaining({ code: "url-means-sse", client: "gemini", line: 1 }),
            expect.objectContaining({ code: "type-missing", severity: "note" }),
          ]),
        },
      ],
    })
  })

  it("exits with 7 for a file that is broken, with the place", async () => {
    await write("work/x.json", '{\n  "mcpServers": }')
    const { code, stdout } = await run("config check x.json --from cursor")
    expect(code).toBe(7)
    expect(stdout).toContain("[syntax-error] (line 2, column 17)")
  })

  it("exits with 1 where there is nothing to check, or it cannot be read", async () => {
    expect(await run("config check")).toMatchObject({ code: 1, stdout: "" })
    const { code, stderr } = await run("config check nowhere.json --json")
    expect(code).toBe(1)
    expect(JSON.parse(stderr)).toMatchObject({
      error: { message: "nowhere.json: The file cannot be read: there is no such file." },
    })
    const unknown = await run("config check x.json --from crusor")
    expect(unknown).toMatchObject({ code: 1 })
    expect(unknown.stderr).toContain("--from knows no client crusor. Did you mean cursor?")
  })

  it("tells of a file that was found and cannot be read, and checks the others", async () => {
    await write("work/.mcp.json", { mcpServers: { a: { command: "a" } } })
    await write("home/.cursor/mcp.json", " ".repeat(4 * 1024 * 1024 + 1))
    const { code, stdout } = await run("config check")
    expect(code).toBe(7)
    expect(stdout).toContain("  fine for Claude Code\n")
    expect(stdout).toContain(
      "error: The file cannot be read: it is larger than 4 MiB. [unreadable]",
    )
    expect((await run("tools b")).stderr).toContain("They name a.")
  })

  it("shows no secret, and nothing that would steer the terminal", async () => {
    await write("work/mcp.json", {
      mcpServers: {
        "a\u001b[2J": {
          command: "a",
          args: ["--token=Q0Z"],
          env: { TOKEN: "Q0Z", BAD: "x ${Q0} y" },
        },
      },
    })
    const { stdout } = await run("config check", { Q0: "Q0Z" })
    expect(stdout).toContain("a\\x1b[2J: A secret is written into the file: TOKEN.")
    expect(stdout).not.toContain("Q0Z")
    expect(stdout).not.toContain("\u001b")
  })
})

describe("entente config translate", () => {
  const cursor = {
    mcpServers: {
      a: { command: "a", env: { TOKEN: "Q0Z", OTHER: "${env:OTHER}" } },
      b: { url: "https://b.example/mcp", headers: { Authorization: "Bearer ${env:B}" } },
    },
  }

  it("writes the file on stdout, and what is not the same on stderr", async () => {
    await write("work/.cursor/mcp.json", cursor)
    const { code, stdout, stderr } = await run("config translate .cursor/mcp.json --to codex")
    expect(stdout).toBe(
      [
        "[mcp_servers.a]",
        'command = "a"',
        'env_vars = [ "TOKEN", "OTHER" ]',
        "",
        "[mcp_servers.b]",
        'url = "https://b.example/mcp"',
        'bearer_token_env_var = "B"',
        "",
      ].join("\n"),
    )
    expect(stderr).toContain("set the variable TOKEN. [secret-withheld]")
    expect(code).toBe(7)
  })

  it("exits with 0 where nothing is lost; secrets are copied when that is asked for", async () => {
    await write("work/.cursor/mcp.json", cursor)
    const argv = "config translate .cursor/mcp.json --to claude-code --copy-secrets --json"
    const { code, stdout, stderr } = await run(argv)
    expect([code, stderr]).toEqual([0, ""])
    const { text: written, ...rest } = JSON.parse(stdout) as { readonly text: string }
    expect(rest).toEqual({ client: "claude-code", findings: [] })
    expect(JSON.parse(written)).toMatchObject({
      mcpServers: { a: { type: "stdio", env: { TOKEN: "Q0Z", OTHER: "${OTHER}" } } },
    })
  })

  it("writes nothing for a file that cannot be read", async () => {
    await write("work/x.json", "{")
    const { code, stdout, stderr } = await run("config translate x.json --to codex")
    expect([code, stdout]).toEqual([1, ""])
    expect(stderr).toContain("line 1, column 2")
  })
})

describe("the name of a server as a target", () => {
  it("reaches a server over HTTP with the headers of its file, and those of the command line", async () => {
    await using peer = await startHttpPeer(server)
    await write("work/servers.json", {
      mcpServers: { web: { url: peer.url, headers: { "X-Key": "${KEY}", "X-Two": "file" } } },
    })
    const argv = ["tools", "web", "--config", "servers.json", "--header", "x-two: line", "--json"]
    const { code, stdout, stderr } = await runHere(argv, {
      cwd: join(root, "work"),
      env: { HOME: join(root, "home"), KEY: "Q0Z" },
    })
    expect([code, stderr]).toEqual([0, ""])
    expect(JSON.parse(stdout)).toMatchObject({ items: [{ name: "borrow" }] })
    expect(peer.exchanges("POST")[0]?.headers).toMatchObject({ "x-key": "Q0Z", "x-two": "line" })
  })

  it("reaches a program of a client's file, found by itself, and calls its tool", async () => {
    await using peer = await startStdioPeer(server)
    await write("home/.cursor/mcp.json", {
      mcpServers: { local: { command: peer.command, args: peer.args } },
    })
    expect(await run("call local borrow")).toEqual({ code: 0, stdout: "done\n", stderr: "" })
    expect(await run("call local borrow --from cursor")).toMatchObject({ code: 0 })
    const { stdout } = await run("snapshot local --json")
    expect(JSON.parse(stdout)).toMatchObject({ target: "local" })
  })

  it("that two clients have in common is one server; that of the project counts for a client", async () => {
    await using peer = await startHttpPeer(server)
    const entry = { type: "http", url: peer.url }
    await write("work/.mcp.json", { mcpServers: { web: entry } })
    await write("home/.claude.json", {
      mcpServers: { web: { type: "http", url: "http://127.0.0.1:9/" } },
    })
    await write("home/.cursor/mcp.json", { mcpServers: { web: entry } })
    expect((await run("tools web --json")).code).toBe(0)
  })

  it("that means different servers is not guessed", async () => {
    await write("work/.mcp.json", { mcpServers: { x: { command: "one" } } })
    await write("home/.cursor/mcp.json", { mcpServers: { x: { command: "two" } } })
    const { code, stderr } = await run("tools x")
    expect(code).toBe(1)
    expect(stderr).toBe(
      [
        "error: x is the name of different servers:",
        "  --from claude-code: one (.mcp.json)",
        "  --from cursor: two (~/.cursor/mcp.json)",
        "hint: Say which one with --from CLIENT or --config FILE.",
        "",
      ].join("\n"),
    )
  })

  it("that nobody has is a usage error with the nearest one", async () => {
    await write("work/.mcp.json", { mcpServers: { github: { command: "one" } } })
    const { code, stderr } = await run("tools githb")
    expect(code).toBe(1)
    expect(stderr).toContain(
      "githb is neither a URL nor a demo, and no configuration file names such a server. Did you mean github?",
    )
    const inFile = await run("tools githb --config .mcp.json")
    expect(inFile.stderr).toContain(".mcp.json names no server githb. Did you mean github?")
    expect((await run("tools x --from goose")).stderr).toContain(
      "No file of goose names a server x.",
    )
    expect((await run("tools toString")).code).toBe(1)
    expect((await run("tools x --config nowhere.json")).stderr).toContain("there is no such file")
  })

  it("that cannot be used says why, without a secret", async () => {
    await write("work/.vscode/mcp.json", {
      inputs: [{ id: "key", type: "promptString" }],
      servers: { web: { url: "http://127.0.0.1:9/", headers: { K: "${input:key}" } } },
    })
    const { code, stderr } = await run("tools web")
    expect(code).toBe(1)
    expect(stderr).toContain("Nobody has given the input key.")
    expect(stderr).toContain("hint: Give it as the variable ENTENTE_INPUT_KEY.")
    const bad = await run("tools web", { ENTENTE_INPUT_KEY: "Q0Z\r\nX: Q0Z" })
    expect(bad.code).toBe(1)
    expect(bad.stderr).not.toContain("Q0Z")
    expect((await run("tools web", { ENTENTE_INPUT_KEY: "Q0Z" })).code).toBe(4)
  })

  it("warns of what its client would do otherwise", async () => {
    await using peer = await startHttpPeer(server)
    await write("work/.mcp.json", { mcpServers: { web: { url: peer.url } } })
    const { code, stderr } = await run("tools web")
    expect(code).toBe(0)
    expect(stderr).toContain("warning: web: Claude Code refuses a server without a type here.\n")
  })

  it("takes no headers where it is a program", async () => {
    await write("work/.mcp.json", { mcpServers: { a: { command: "a" } } })
    const { code, stderr } = await run("tools a --header A:1")
    expect(code).toBe(1)
    expect(stderr).toContain("--header is for a URL: a is a program.")
  })

  it("keeps secrets out of traces and failures", async () => {
    await using peer = await startHttpPeer(server)
    await write("work/.mcp.json", {
      mcpServers: { web: { type: "http", url: peer.url, headers: { "X-Odd": "${WORD}" } } },
    })
    const trace = join(root, "out.jsonl")
    const { code } = await run(`tools web --trace ${trace}`, { WORD: "Q0Zharmless" })
    expect(code).toBe(0)
    const written = await readFile(trace, "utf8")
    expect(written).toContain("x-odd")
    expect(written).not.toContain("Q0Zharmless")
  })
})
