import type { ClientKind } from "../client/client-kind.js"
import { clients } from "../client/clients.js"
import { project, user } from "../client/shape.js"
import type { HidingRow, HidingRule } from "./hiding-row.js"

const claudeState = ["projects", "{cwd}"]

/** OpenCode has two words for one thing; the older one takes true and false. */
const openCodeSwitches = (member: string): HidingRule => ({
  at: [member],
  means: "tool-switches",
  prefix: "{server}_",
  off: [false, "deny"],
})

/**
 * What keeps tools from the model of each client, as its documentation or its source said in November 2026. Members
 * of a server's own entry are in `clients`; here are the other places, and how many tools are handed on at most.
 */
export const hiding: Readonly<Record<ClientKind, HidingRow>> = {
  "claude-desktop": {
    unseen: "Claude Desktop keeps in the program which tools are switched off, and no file tells.",
  },
  "claude-code": {
    places: [
      {
        files: [
          project(".claude/settings.local.json"),
          project(".claude/settings.json"),
          { ...user("{home}/.claude/settings.json"), unless: "CLAUDE_CONFIG_DIR" },
          user("{$CLAUDE_CONFIG_DIR}/settings.json"),
        ],
        format: "json",
        rules: [
          { at: ["disabledMcpjsonServers"], means: "off", scope: "project" },
          { at: ["deniedMcpServers"], means: "off", name: "serverName" },
          { at: ["enabledMcpjsonServers"], means: "approved", scope: "project" },
          {
            at: ["enableAllProjectMcpServers"],
            means: "approved-if",
            value: true,
            scope: "project",
          },
          { at: ["permissions", "deny"], means: "denied-tools", prefix: "mcp__{server}__" },
        ],
      },
      {
        files: clients["claude-code"].files.filter(({ scope }) => scope === "user"),
        format: "json",
        rules: [
          { at: [...claudeState, "disabledMcpServers"], means: "off" },
          { at: [...claudeState, "disabledMcpjsonServers"], means: "off", scope: "project" },
          { at: [...claudeState, "enabledMcpjsonServers"], means: "approved", scope: "project" },
        ],
      },
    ],
  },
  cursor: {
    cap: {
      limit: 40,
      known: "reported",
      source:
        "a warning that users saw in 2025; others report 80, and Cursor's documentation names no number",
    },
    unseen:
      "Cursor keeps its switches for servers and tools in its own database, which is not looked at.",
  },
  vscode: {
    cap: {
      limit: 128,
      known: "documented",
      source:
        "the documentation of VS Code, 2026: built-in tools count too, and above it a request is refused, or tools are put into groups that the model has to open",
    },
    places: [
      {
        files: [
          project(".vscode/settings.json"),
          { ...user("{support}/Code/User/settings.json"), on: ["darwin"] },
          { ...user("{appdata}/Code/User/settings.json"), on: ["win32"] },
          { ...user("{config}/Code/User/settings.json"), on: ["linux"] },
        ],
        format: "json",
        rules: [
          { at: ["chat.mcp.access"], means: "off-if", value: "none", nearest: true },
          { at: ["chat.mcp.enabled"], means: "off-if", value: false, nearest: true },
        ],
      },
    ],
    unseen:
      "VS Code keeps the tools picker, the switches of servers and whom it trusts in its own database, which is not looked at.",
  },
  windsurf: {
    cap: {
      limit: 100,
      known: "documented",
      source: "the documentation of Cascade, September 2026: 100 tools of all servers together",
    },
  },
  antigravity: {},
  gemini: {
    places: [
      {
        files: clients.gemini.files,
        format: "json",
        rules: [
          { at: ["mcp", "excluded"], means: "off", nearest: true },
          { at: ["mcp", "allowed"], means: "only", nearest: true },
          { at: ["admin", "mcp", "enabled"], means: "off-if", value: false, nearest: true },
          { at: ["tools", "exclude"], means: "denied-tools", prefix: "mcp_{server}_" },
          // Meant for the tools of Gemini CLI itself, and since 2026 everything else is refused with it.
          { at: ["tools", "core"], means: "only-tools", prefix: "mcp_{server}_", nearest: true },
        ],
      },
      {
        files: [
          {
            ...user("{home}/.gemini/mcp-server-enablement.json"),
            unless: "GEMINI_CLI_HOME",
          },
          user("{$GEMINI_CLI_HOME}/.gemini/mcp-server-enablement.json"),
        ],
        format: "json",
        rules: [{ at: ["{server}", "enabled"], means: "off-if", value: false }],
      },
    ],
  },
  codex: {
    places: [
      {
        files: clients.codex.files.filter(({ scope }) => scope === "user"),
        format: "toml",
        rules: [
          {
            at: ["projects", "{cwd}", "trust_level"],
            means: "approved-if",
            value: "trusted",
            scope: "project",
          },
        ],
      },
    ],
  },
  goose: {},
  opencode: {
    places: [
      {
        files: clients.opencode.files,
        format: "json",
        rules: [openCodeSwitches("permission"), openCodeSwitches("tools")],
      },
    ],
  },
  junie: {
    unseen:
      "The JetBrains IDEs keep their switches for servers in their settings, which are not looked at.",
  },
  mcporter: {},
  plain: {},
}
