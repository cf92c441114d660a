/** The programs whose configuration files are known, and `plain` for an `mcp.json` that is nobody's. */
export const clientKinds = [
  "claude-desktop",
  "claude-code",
  "cursor",
  "vscode",
  "windsurf",
  "antigravity",
  "gemini",
  "codex",
  "goose",
  "opencode",
  "junie",
  "mcporter",
  "plain",
] as const

export type ClientKind = (typeof clientKinds)[number]

export const isClientKind = (word: string): word is ClientKind =>
  (clientKinds as ReadonlyArray<string>).includes(word)
