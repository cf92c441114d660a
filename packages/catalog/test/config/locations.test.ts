import { describe, expect, it } from "vitest"
import {
  clientKinds,
  configLocations,
  guessClient,
  type ClientKind,
} from "../../src/config/index.js"

const on = (
  platform: "linux" | "darwin" | "win32",
  env: Readonly<Record<string, string>> = {},
) => ({
  platform,
  home: platform === "win32" ? "C:\\Users\\me" : "/home/me",
  cwd: platform === "win32" ? "D:\\work" : "/work",
  env,
})

const paths = (from: ClientKind, around: ReturnType<typeof on>) =>
  configLocations({ ...around, from }).map(({ path }) => path)

describe("where clients look", () => {
  it.each<[ClientKind, "linux" | "darwin" | "win32", ReadonlyArray<string>]>([
    ["claude-desktop", "linux", ["/home/me/.config/Claude/claude_desktop_config.json"]],
    [
      "claude-desktop",
      "darwin",
      ["/home/me/Library/Application Support/Claude/claude_desktop_config.json"],
    ],
    [
      "claude-desktop",
      "win32",
      ["C:\\Users\\me\\AppData\\Roaming\\Claude\\claude_desktop_config.json"],
    ],
    ["claude-code", "linux", ["/work/.mcp.json", "/home/me/.claude.json"]],
    ["claude-code", "win32", ["D:\\work\\.mcp.json", "C:\\Users\\me\\.claude.json"]],
    ["cursor", "linux", ["/work/.cursor/mcp.json", "/home/me/.cursor/mcp.json"]],
    ["cursor", "win32", ["D:\\work\\.cursor\\mcp.json", "C:\\Users\\me\\.cursor\\mcp.json"]],
    ["vscode", "linux", ["/work/.vscode/mcp.json", "/home/me/.config/Code/User/mcp.json"]],
    [
      "vscode",
      "darwin",
      ["/work/.vscode/mcp.json", "/home/me/Library/Application Support/Code/User/mcp.json"],
    ],
    [
      "vscode",
      "win32",
      ["D:\\work\\.vscode\\mcp.json", "C:\\Users\\me\\AppData\\Roaming\\Code\\User\\mcp.json"],
    ],
    ["gemini", "linux", ["/work/.gemini/settings.json", "/home/me/.gemini/settings.json"]],
    ["codex", "win32", ["D:\\work\\.codex\\config.toml", "C:\\Users\\me\\.codex\\config.toml"]],
    ["goose", "darwin", ["/home/me/.config/goose/config.yaml"]],
    ["goose", "win32", ["C:\\Users\\me\\AppData\\Roaming\\Block\\goose\\config\\config.yaml"]],
    ["junie", "linux", ["/work/.junie/mcp/mcp.json", "/home/me/.junie/mcp/mcp.json"]],
    ["plain", "linux", ["/work/mcp.json"]],
  ])("%s on %s: %j", (client, platform, expected) => {
    expect(paths(client, on(platform))).toEqual(expected)
  })

  it("variables move files, where the client listens to them", () => {
    expect(paths("codex", on("linux", { CODEX_HOME: "/codex" }))).toEqual([
      "/work/.codex/config.toml",
      "/codex/config.toml",
    ])
    expect(paths("claude-code", on("linux", { CLAUDE_CONFIG_DIR: "/claude" }))).toEqual([
      "/work/.mcp.json",
      "/claude/.claude.json",
    ])
    expect(paths("goose", on("linux", { XDG_CONFIG_HOME: "/xdg/" }))).toEqual([
      "/xdg/goose/config.yaml",
    ])
    expect(paths("goose", on("linux", { XDG_CONFIG_HOME: "relative" }))).toEqual([
      "/home/me/.config/goose/config.yaml",
    ])
    expect(paths("vscode", on("win32", { appdata: "E:\\data" }))).toContain(
      "E:\\data\\Code\\User\\mcp.json",
    )
    expect(paths("opencode", on("linux", { OPENCODE_CONFIG: "/etc/oc.json" }))).toContain(
      "/etc/oc.json",
    )
  })

  it("puts what belongs to the project first", () => {
    const scopes = configLocations(on("linux")).map(({ scope }) => scope)
    expect(scopes).toEqual(scopes.toSorted())
    expect(new Set(scopes)).toEqual(new Set(["project", "user"]))
  })

  it.each(["linux", "darwin", "win32"] as const)(
    "no two clients share a file on %s",
    (platform) => {
      const all = configLocations(on(platform)).map(({ path }) => path)
      expect(new Set(all).size).toBe(all.length)
      for (const path of all) expect(path).not.toMatch(/[{}$]/)
    },
  )
})

describe("whose file it is", () => {
  it.each(clientKinds)("%s: seen by its places on every system", (client) => {
    for (const platform of ["linux", "darwin", "win32"] as const) {
      for (const path of paths(client, on(platform))) expect(guessClient(path)).toBe(client)
    }
  })

  it.each<[string, ClientKind]>([
    ["claude_desktop_config.json", "claude-desktop"],
    ["/tmp/mcp_config.json", "windsurf"],
    ["some.toml", "codex"],
    ["some.yml", "goose"],
    ["servers.json", "plain"],
    ["/x/toString", "plain"],
  ])("%s: %s", (path, expected) => {
    expect(guessClient(path)).toBe(expected)
  })
})
