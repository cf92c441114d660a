import { clientKinds, type ClientKind } from "./client-kind.js"
import { clients } from "./clients.js"

/** The last names of each path that a client looks for, most telling first. */
const endings: ReadonlyArray<readonly [ending: string, client: ClientKind]> = clientKinds
  .filter((client) => client !== "plain")
  .flatMap((client) =>
    clients[client].files.map(({ path }) => [path.replace(/^\{[^}]+\}\/?/, ""), client] as const),
  )
  .filter(([ending]) => ending !== "")
  .toSorted(([a], [b]) => b.split("/").length - a.split("/").length || b.length - a.length)

/** Whole names that say as much wherever the file lies. */
const names: Readonly<Record<string, ClientKind>> = {
  "mcp_config.json": "windsurf",
  "claude_desktop_config.json": "claude-desktop",
  "mcporter.json": "mcporter",
  "mcporter.jsonc": "mcporter",
}

const formats: Readonly<Record<string, ClientKind>> = {
  toml: "codex",
  yaml: "goose",
  yml: "goose",
}

/**
 * Whose file it probably is, by its path; `plain` if nothing says so. The text is not looked at.
 *
 * @example
 * guessClient("/work/.vscode/mcp.json") // "vscode"
 */
export const guessClient = (path: string): ClientKind => {
  const slashed = `/${path.replaceAll("\\", "/")}`
  const byPath = endings.find(([ending]) => slashed.endsWith(`/${ending}`))?.[1]
  const name = slashed.slice(slashed.lastIndexOf("/") + 1)
  const extension = name.slice(name.lastIndexOf(".") + 1).toLowerCase()
  return (
    byPath ??
    (Object.hasOwn(names, name) ? names[name] : undefined) ??
    (Object.hasOwn(formats, extension) ? formats[extension] : undefined) ??
    "plain"
  )
}
