import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { ClientKind } from "@entente/catalog/config"
import { clientCauses, exposure } from "@entente/doctor"
import { clientViews } from "../src/client-view.js"

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "entente-client-view-"))
})
afterEach(() => rm(root, { recursive: true, force: true }))

/** Writes a file; `~/` is the user's folder, anything else is in the project. */
const write = async (path: string, content: string | object): Promise<void> => {
  const whole = path.startsWith("~/") ? join(root, "home", path.slice(2)) : join(root, "work", path)
  await mkdir(dirname(whole), { recursive: true })
  await writeFile(whole, typeof content === "string" ? content : JSON.stringify(content, null, 2))
}

const cwd = () => join(root, "work")

const side = (client: ClientKind, server?: string, env: Readonly<Record<string, string>> = {}) =>
  clientViews(client, { platform: "linux", home: join(root, "home"), cwd: cwd(), env }, server)

const only = (client: ClientKind, server = "files", env: Readonly<Record<string, string>> = {}) => {
  const [view, ...others] = side(client, server, env).views
  expect(others).toEqual([])
  if (view === undefined) throw new Error("there is no view")
  return view
}

const tools = ["read_file", "write_file", "list"]
const seen = (client: ClientKind) => exposure(only(client), tools).exposed
const causes = (client: ClientKind) => clientCauses(only(client), tools).map(({ code }) => code)

const local = { command: "files" }
const remote = { url: "https://files.example/mcp" }

describe("a server's own entry", () => {
  it("has Codex's lists and its switch, with the place of each", async () => {
    await write(
      "~/.codex/config.toml",
      'model = "m"\n\n[mcp_servers.files]\ncommand = "files"\nenabled_tools = ["read-file", "list"]\ndisabled_tools = ["list"]\n',
    )
    const view = only("codex")
    expect(view.allow).toEqual({
      names: ["read-file", "list"],
      where: "enabled_tools in ~/.codex/config.toml (line 3)",
    })
    expect(view.deny?.where).toBe("disabled_tools in ~/.codex/config.toml (line 3)")
    expect(exposure(view, tools)).toMatchObject({
      exposed: [],
      nearMisses: [{ name: "read-file", meant: "read_file" }],
    })
    await write("~/.codex/config.toml", '[mcp_servers.files]\ncommand = "files"\nenabled = false\n')
    expect(only("codex").disabledBy).toBe("enabled in ~/.codex/config.toml (line 1)")
    expect(causes("codex")).toEqual(["server-switched-off"])
  })

  it("has the lists of Gemini CLI, Windsurf, Goose and mcporter", async () => {
    await write(".gemini/settings.json", {
      mcpServers: { files: { ...local, includeTools: ["list"], excludeTools: ["x"] } },
    })
    expect(only("gemini").allow?.where).toBe("includeTools in .gemini/settings.json (line 5)")
    expect(seen("gemini")).toEqual(["list"])
    await write("~/.codeium/windsurf/mcp_config.json", {
      mcpServers: { files: { ...local, disabledTools: ["list"] } },
    })
    expect(only("windsurf").deny?.where).toBe(
      "disabledTools in ~/.codeium/windsurf/mcp_config.json (line 5)",
    )
    expect(seen("windsurf")).toEqual(["read_file", "write_file"])
    await write(
      "~/.config/goose/config.yaml",
      "extensions:\n  files:\n    type: stdio\n    cmd: files\n    enabled: true\n    available_tools: [list]\n",
    )
    expect(seen("goose")).toEqual(["list"])
    await write("config/mcporter.json", {
      mcpServers: { files: { ...local, blockedTools: ["list"] } },
    })
    expect(seen("mcporter")).toEqual(["read_file", "write_file"])
  })

  it("tells of wrong keys, a missing type and a transport that is read as another", async () => {
    await write("~/.gemini/antigravity/mcp_config.json", { mcpServers: { files: remote } })
    expect(only("antigravity").troubles).toContainEqual({
      code: "member-of-another-client",
      severity: "error",
      message: "Antigravity reads serverUrl and not url.",
      where: "~/.gemini/antigravity/mcp_config.json, line 4",
      keepsAway: true,
    })
    expect(causes("antigravity")).toEqual(["wrong-address-key"])
    expect(seen("antigravity")).toEqual([])
    await write(".gemini/settings.json", { mcpServers: { files: remote } })
    expect(causes("gemini")).toEqual(["wrong-address-key"])
    expect(seen("gemini")).toEqual(tools)
    await write(".mcp.json", { mcpServers: { files: remote } })
    await write(".claude/settings.json", { enableAllProjectMcpServers: true })
    expect(causes("claude-code")).toEqual(["server-not-read"])
    expect(seen("claude-code")).toEqual([])
  })

  it("tells of references that stay as they are and of variables that are not set", async () => {
    await write(".cursor/mcp.json", {
      mcpServers: { files: { ...local, env: { KEY: "${KEY}" } } },
    })
    expect(causes("cursor")).toEqual(["variable-not-expanded"])
    expect(only("cursor").troubles[0]?.message).toBe(
      "Cursor does not replace the reference to KEY in env.KEY: it stays as it is written.",
    )
    await write("config/mcporter.json", {
      mcpServers: { files: { ...local, env: { KEY: "${KEY}" } } },
    })
    expect(only("mcporter").troubles).toMatchObject([{ code: "variable-unset", keepsAway: true }])
    expect(only("mcporter", "files", { KEY: "set" }).troubles).toEqual([])
  })

  it("never shows a secret, wherever in the files it is", async () => {
    const secret = "Q0Zsecret"
    await write(".mcp.json", {
      mcpServers: {
        files: {
          command: "files",
          args: ["--token", secret, "${MISSING:-Q0Zsecret}"],
          env: { API_KEY: secret, OTHER: `\${env:${"X"}}${secret}` },
        },
        remote: { url: `https://user:${secret}@files.example/?key=${secret}` },
        broken: { type: "http", url: secret, headers: { "bad name": secret } },
      },
    })
    await write(".claude/settings.json", `{ "permissions": { "deny": ["${secret}`)
    const whole = side("claude-code")
    expect(whole.views.map(({ server }) => server)).toEqual(["files", "remote", "broken"])
    expect(JSON.stringify(whole)).not.toContain("Q0Z")
    expect(whole.views[0]?.troubles).toContainEqual(
      expect.objectContaining({ code: "settings-unreadable", where: ".claude/settings.json" }),
    )
  })
})

describe("other places", () => {
  it("of Claude Code: what is denied, rejected, switched off and approved", async () => {
    await write(".mcp.json", { mcpServers: { files: local } })
    expect(only("claude-code").troubles).toMatchObject([
      {
        code: "not-approved",
        where: "enabledMcpjsonServers in .claude/settings.local.json",
        keepsAway: true,
      },
    ])
    expect(causes("claude-code")).toEqual(["server-not-approved"])
    await write("~/.claude.json", {
      projects: { [cwd()]: { enabledMcpjsonServers: ["files"] } },
    })
    expect(seen("claude-code")).toEqual(tools)
    await write("~/.claude/settings.json", {
      permissions: { deny: ["Bash(rm:*)", "mcp__files__list", "mcp__files__w*", "mcp__other"] },
    })
    expect(only("claude-code").further).toEqual([
      {
        kind: "deny",
        names: ["list"],
        patterns: ["mcp__files__w*"],
        prefix: "mcp__files__",
        except: [],
        where: "permissions.deny in ~/.claude/settings.json (line 3)",
      },
    ])
    expect(seen("claude-code")).toEqual(["read_file"])
    await write(".claude/settings.json", { permissions: { deny: ["mcp__files"] } })
    expect(seen("claude-code")).toEqual([])
    expect(causes("claude-code")).toEqual(["deny-list-hides-tools"])
    await write(".claude/settings.local.json", { disabledMcpjsonServers: ["files"] })
    expect(only("claude-code").disabledBy).toBe(
      "disabledMcpjsonServers in .claude/settings.local.json (line 2)",
    )
  })

  it("of Claude Code: lists for the project's servers do not concern those of the user", async () => {
    await write("~/.claude.json", { mcpServers: { files: local } })
    await write(".claude/settings.json", { disabledMcpjsonServers: ["files"] })
    expect(seen("claude-code")).toEqual(tools)
    await write("~/.claude.json", {
      mcpServers: { files: local },
      projects: { [cwd()]: { disabledMcpServers: ["files"] } },
    })
    expect(only("claude-code").disabledBy).toBe(
      "disabledMcpServers of this project in ~/.claude.json (line 9)",
    )
    await write("~/.claude.json", { mcpServers: { files: local } })
    await write("~/.claude/settings.json", { deniedMcpServers: [{ serverName: "files" }] })
    expect(causes("claude-code")).toEqual(["server-switched-off"])
  })

  it("of Gemini CLI: the lists of servers, of tools, and its own switches", async () => {
    await write("~/.gemini/settings.json", { mcpServers: { files: local } })
    expect(seen("gemini")).toEqual(tools)
    await write(".gemini/settings.json", { mcp: { allowed: ["other"] } })
    expect(only("gemini").disabledBy).toBe("mcp.allowed in .gemini/settings.json (line 3)")
    await write(".gemini/settings.json", { mcp: { allowed: [], excluded: ["files"] } })
    expect(only("gemini").disabledBy).toBe("mcp.excluded in .gemini/settings.json (line 4)")
    await write(".gemini/settings.json", {
      tools: { exclude: ["mcp_files_list", "run_shell_command"] },
    })
    expect(seen("gemini")).toEqual(["read_file", "write_file"])
    await write(".gemini/settings.json", { tools: { core: ["read_file", "mcp_files_list"] } })
    expect(seen("gemini")).toEqual(["list"])
    await write(".gemini/settings.json", { tools: { core: [] } })
    expect(causes("gemini")).toEqual(["allow-list-leaves-nothing"])
    await write(".gemini/settings.json", {})
    await write("~/.gemini/mcp-server-enablement.json", { files: { enabled: false } })
    expect(only("gemini").disabledBy).toBe(
      "enabled of this server in ~/.gemini/mcp-server-enablement.json (line 3)",
    )
  })

  it("of VS Code: access to servers, of which the nearest file counts, and the cap", async () => {
    await write(".vscode/mcp.json", { servers: { files: local } })
    await write("~/.config/Code/User/settings.json", { "chat.mcp.access": "none" })
    expect(only("vscode").disabledBy).toBe(
      "chat.mcp.access in ~/.config/Code/User/settings.json (line 2)",
    )
    await write(".vscode/settings.json", '{\n  // ours\n  "chat.mcp.access": "all",\n}\n')
    expect(only("vscode").disabledBy).toBeUndefined()
    const many = Array.from({ length: 130 }, (_, index) => `tool_${index}`)
    expect(exposure(only("vscode"), many).hidden).toHaveLength(2)
    expect(clientCauses(only("vscode"), many)[0]?.code).toBe("tool-cap-exceeded")
    expect(only("vscode").troubles).toMatchObject([{ code: "kept-elsewhere", severity: "note" }])
  })

  it("of Codex: the file of a project that is not trusted", async () => {
    await write(".codex/config.toml", '[mcp_servers.files]\ncommand = "files"\n')
    expect(causes("codex")).toEqual(["server-not-approved"])
    await write("~/.codex/config.toml", `[projects."${cwd()}"]\ntrust_level = "trusted"\n`)
    expect(seen("codex")).toEqual(tools)
    await write("~/.codex/config.toml", `[projects."${dirname(cwd())}"]\ntrust_level = "trusted"\n`)
    expect(seen("codex")).toEqual(tools)
    await write("~/.codex/config.toml", `[projects."${cwd()}"]\ntrust_level = "untrusted"\n`)
    expect(only("codex").troubles[0]?.where).toBe(
      "trust_level of this project in ~/.codex/config.toml",
    )
  })

  it("of OpenCode: switches by pattern, of which the last that fits counts", async () => {
    const servers = { files: { type: "local", command: ["files"] } }
    const write_ = (rest: object) => write("opencode.json", { mcp: servers, ...rest })
    await write_({ tools: { "files_*": false } })
    expect(seen("opencode")).toEqual([])
    await write_({ permission: { "*": "deny", files_list: "ask" } })
    expect(seen("opencode")).toEqual(["list"])
    await write_({ permission: { files_list: "allow", "files_l*": "deny" } })
    expect(seen("opencode")).toEqual(["read_file", "write_file"])
    await write_({ permission: "deny" })
    expect(seen("opencode")).toEqual([])
    await write_({ permission: { bash: { "rm *": "deny" }, "other_*": "deny" } })
    expect(seen("opencode")).toEqual(tools)
  })
})

describe("all servers of a client", () => {
  it("are one view each, those of the project before those of the user", async () => {
    await write("~/.cursor/mcp.json", { mcpServers: { files: remote, more: local } })
    await write(".cursor/mcp.json", { mcpServers: { files: { ...local, args: 3 } } })
    const { views } = side("cursor")
    expect(views.map(({ server }) => server)).toEqual(["files", "more"])
    expect(views[0]?.troubles).toMatchObject([
      { code: "wrong-type", where: ".cursor/mcp.json, line 5", keepsAway: true },
      { code: "kept-elsewhere" },
    ])
    expect(views[0]?.cap).toMatchObject({ limit: 40, doubtful: true })
  })

  it("may be missing because of the file: that is told, and the server that was asked for has a view", async () => {
    await write(".vscode/mcp.json", { mcpServers: { files: local } })
    expect(side("vscode").views).toEqual([])
    expect(side("vscode").troubles).toMatchObject([
      { code: "other-root", message: "VS Code looks for servers, and the file has mcpServers." },
    ])
    expect(only("vscode").troubles.map(({ code }) => code)).toEqual([
      "other-root",
      "not-configured",
    ])
    expect(causes("vscode")).toEqual(["server-not-read", "server-not-configured"])
    await write(".cursor/mcp.json", '{ "mcpServers": ')
    expect(side("cursor").troubles).toMatchObject([{ code: "syntax-error", keepsAway: true }])
    expect(seen("junie")).toEqual([])
  })
})

describe("hostile files", () => {
  it.each([
    ["deep", "[".repeat(5_000)],
    ["a list", "[]"],
    [
      "a prototype",
      '{"__proto__":{"disabledMcpServers":["files"]},"permissions":{"deny":{"0":"mcp__files"}}}',
    ],
    ["large", `{"a":"${"x".repeat(5 * 1024 * 1024)}"}`],
    [
      "of other kinds",
      '{"permissions":7,"disabledMcpjsonServers":"files","deniedMcpServers":[{}]}',
    ],
  ])("of settings hide nothing and break nothing: %s", async (_, text) => {
    await write("~/.claude.json", { mcpServers: { files: local } })
    await write(".claude/settings.json", text)
    expect(seen("claude-code")).toEqual(tools)
  })

  it("with many patterns and many tools are compared in bounded time", async () => {
    await write("~/.claude.json", { mcpServers: { files: local } })
    const deny = Array.from({ length: 5_000 }, (_, index) => `mcp__files__*a*b*${index}*`)
    await write(".claude/settings.json", { permissions: { deny } })
    const many = Array.from({ length: 2_000 }, (_, index) => `tool_${index}`)
    expect(exposure(only("claude-code"), many).exposed).toHaveLength(2_000)
  })
})
