import type { Expansion, Field, Members } from "./client-row.js"
import type { FileLocation } from "./locations.js"

// The words that several rows of the table are made of.

export const strictJson = { kind: "json", comments: false, trailingCommas: false } as const
export const jsonWithComments = { kind: "json", comments: true, trailingCommas: true } as const

export const project = (path: string): FileLocation => ({ scope: "project", path: `{cwd}/${path}` })
export const user = (path: string): FileLocation => ({ scope: "user", path })

/** The members that Claude Desktop began with and most have taken over. */
export const common = {
  command: ["command"],
  commandIs: "text",
  args: ["args"],
  env: ["env"],
  headers: ["headers"],
} as const satisfies Members

export const everywhere: ReadonlyArray<Field> = [
  "command",
  "args",
  "env",
  "cwd",
  "envFile",
  "url",
  "headers",
]

export const theUsualFields: ReadonlyArray<Field> = ["command", "args", "env", "url", "headers"]

export const nothingExpands: Expansion = { syntaxes: [], fields: [], unset: "literal" }

export const mcpServers = [["mcpServers"]]

/** `http` and `sse` behind `type`, as most clients have it. */
export const httpOrSse = { stdio: "local", http: "streamable-http", sse: "sse" } as const

export const typedRemote = {
  "streamable-http": { type: "http", url: "url" },
  sse: { type: "sse", url: "url" },
} as const
