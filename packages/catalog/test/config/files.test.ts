import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { connect } from "@entente/client"
import { legacyServer, tool } from "@entente/testkit"
import { startHttpPeer, startHttpSsePeer, startStdioPeer } from "@entente/testkit/node"
import { findConfigs, loadConfig, serversOf } from "../../src/config/index.js"

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "entente-config-"))
})
afterEach(() => rm(root, { recursive: true, force: true }))

const write = async (path: string, text: string | object): Promise<string> => {
  const whole = join(root, path)
  await mkdir(dirname(whole), { recursive: true })
  await writeFile(whole, typeof text === "string" ? text : JSON.stringify(text))
  return whole
}

const around = (env: Readonly<Record<string, string>> = {}) =>
  ({ platform: "linux", home: join(root, "home"), cwd: join(root, "work"), env }) as const

const server = legacyServer({ tools: [tool("borrow"), tool("return")] })

const namesAt = async (
  transport: Parameters<typeof connect>[0],
): Promise<ReadonlyArray<string>> => {
  await using client = await connect(transport)
  const { items } = await client.tools.list()
  return items.map(({ name }) => name)
}

describe("findConfigs", () => {
  it("finds the files that are there, those of the project first, and nothing that is no file", async () => {
    await write("home/.cursor/mcp.json", "{}")
    await write("work/.mcp.json", "{}")
    await write("work/opencode.json", "{}")
    await mkdir(join(root, "work/mcp.json"))
    const short = (found: ReturnType<typeof findConfigs>) =>
      found.map(({ client, scope, path }) => `${client} ${scope} ${path.slice(root.length)}`)
    expect(short(findConfigs(around()))).toEqual([
      "claude-code project /work/.mcp.json",
      "opencode project /work/opencode.json",
      "cursor user /home/.cursor/mcp.json",
    ])
    expect(short(findConfigs({ ...around(), from: "cursor" }))).toEqual([
      "cursor user /home/.cursor/mcp.json",
    ])
  })
})

describe("loadConfig", () => {
  it("says why a file cannot be read, and never rejects", async () => {
    const missing = await loadConfig("nowhere.json", around())
    expect(missing).toMatchObject({
      servers: [],
      faults: [{ code: "unreadable", message: "The file cannot be read: there is no such file." }],
    })
    const folder = await loadConfig(".", around())
    expect(folder.faults).toMatchObject([{ code: "unreadable" }])
    const large = await write("work/large.json", " ".repeat(5 * 1024 * 1024))
    expect((await loadConfig(large, around())).faults).toMatchObject([
      { message: "The file cannot be read: it is larger than 4 MiB." },
    ])
    await symlink("/dev/zero", join(root, "endless.json"))
    expect((await loadConfig(join(root, "endless.json"), around())).faults).toMatchObject([
      { message: "The file cannot be read: it is no file." },
    ])
  })

  it("knows by the path whose file it is, unless it is told", async () => {
    const path = await write("work/.vscode/mcp.json", { servers: { a: { command: "a" } } })
    expect(await loadConfig(path, around())).toMatchObject({ client: "vscode", faults: [] })
    expect((await loadConfig(path, { ...around(), client: "cursor" })).faults).toMatchObject([
      { code: "other-root" },
    ])
  })

  it("asks once for each input that is needed, and for no other", async () => {
    const path = await write("work/.vscode/mcp.json", {
      inputs: [
        { id: "one", description: "One", password: true },
        { id: "two", description: "Two" },
      ],
      servers: {
        a: { command: "a", env: { A: "${input:one}", B: "${input:one}" } },
        b: { command: "b", env: { A: "${input:two}" } },
      },
    })
    const asked: Array<unknown> = []
    const input = async (definition: unknown) => {
      asked.push(definition)
      return "answer"
    }
    const { servers, faults } = await loadConfig(path, {
      ...around(),
      input,
      only: (id) => id === "a",
    })
    expect(servers.map(({ id }) => id)).toEqual(["a"])
    expect(faults).toEqual([])
    expect(asked).toEqual([{ id: "one", description: "One", password: true }])
    const unanswered = await loadConfig(path, around())
    expect(unanswered.servers).toEqual([])
    expect(unanswered.faults.map(({ code }) => code)).toEqual([
      "input-missing",
      "input-missing",
      "input-missing",
    ])
  })

  it("reads files of variables where the client starts them: in the project, or beside the file", async () => {
    await write("work/.env", "A=project")
    const cursor = await write("home/.cursor/mcp.json", {
      mcpServers: { a: { command: "a", envFile: ".env" } },
    })
    const loaded = await loadConfig(cursor, around())
    expect(loaded.servers[0]).toMatchObject({ env: { A: {} } })
  })
})

describe("serversOf", () => {
  it("makes transports that reach what the file names, with its variables and headers", async () => {
    await using remote = await startHttpPeer(server)
    await using old = await startHttpSsePeer(server)
    await using local = await startStdioPeer(server)
    const path = await write("work/.mcp.json", {
      mcpServers: {
        remote: { type: "http", url: "${REMOTE}", headers: { "X-Key": "key ${KEY}" } },
        old: { type: "sse", url: old.url },
        local: { command: local.command, args: local.args },
        off: { command: "off", disabled: true },
      },
    })
    const loaded = await loadConfig(path, around({ REMOTE: remote.url, KEY: "Q0Z" }))
    const servers = serversOf(loaded)
    expect(Object.keys(servers)).toEqual(["remote", "old", "local", "off"])
    expect(servers["off"]?.disabled).toBe(true)
    for (const name of ["remote", "old", "local"]) {
      const one = servers[name]
      if (one === undefined) throw new Error(name)
      expect(await namesAt(one.transport)).toEqual(["borrow", "return"])
    }
    expect(remote.exchanges("POST")[0]?.headers).toMatchObject({ "x-key": "key Q0Z" })
  })

  it("starts a program in the project, or where its entry says", async () => {
    await mkdir(join(root, "work/tools"), { recursive: true })
    const script = "console.error('in ' + process.cwd()); process.exit(3)"
    const entry = { command: process.execPath, args: ["-e", script] }
    const path = await write("work/.gemini/settings.json", {
      mcpServers: { a: entry, b: { ...entry, cwd: "tools" } },
    })
    const servers = serversOf(await loadConfig(path, around()))
    for (const [name, folder] of [
      ["a", join(root, "work")],
      ["b", join(root, "work/tools")],
    ] as const) {
      const { transport } = servers[name] ?? {}
      if (transport === undefined) throw new Error(name)
      const error: unknown = await connect(transport).catch((cause: unknown) => cause)
      expect(JSON.stringify(error)).toContain(`"stderr":"in ${folder}"`)
    }
  })

  it("gives a program the variables of its entry, and no others of this process", async () => {
    const script = "console.error(JSON.stringify(process.env)); process.exit(3)"
    const path = await write("work/.mcp.json", {
      mcpServers: {
        a: { command: process.execPath, args: ["-e", script], env: { OWN: "${FROM}" } },
      },
    })
    const loaded = await loadConfig(path, around({ FROM: "given", OTHER: "not given" }))
    const { transport } = serversOf(loaded)["a"] ?? {}
    if (transport === undefined) throw new Error("no server")
    const failure = await connect(transport).then(
      () => "connected",
      (error: unknown) => JSON.stringify(error),
    )
    expect(failure).toMatch(/OWN.{5,9}given/)
    expect(failure).not.toContain("OTHER")
  })

  it("keeps a secret argument out of errors, also where nothing betrays it", async () => {
    const path = await write("work/.mcp.json", {
      mcpServers: { a: { command: process.execPath, args: ["-e", "process.exit(1)", "${WORD}"] } },
    })
    const { transport } = serversOf(await loadConfig(path, around({ WORD: "harmless" })))["a"] ?? {}
    if (transport === undefined) throw new Error("no server")
    const error: unknown = await connect(transport).catch((cause: unknown) => cause)
    expect(JSON.stringify(error)).toContain("‹redacted›")
    expect(JSON.stringify(error) + String(error)).not.toContain("harmless")
  })

  it("passes lists of tools as globs that match these names only, and time limits", async () => {
    const path = await write(
      "work/.codex/config.toml",
      '[mcp_servers.a]\ncommand = "a"\nenabled_tools = ["read", "a*[b]"]\ndisabled_tools = ["x"]\ntool_timeout_sec = 1.5\n',
    )
    const { a } = serversOf(await loadConfig(path, around()))
    expect(a).toMatchObject({
      allow: ["read", "a\\*\\[b\\]"],
      deny: ["x"],
      connect: { timeoutMs: 1_500 },
    })
  })
})
