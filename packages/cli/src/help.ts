import { commandNames, commandTable, type CommandEntry, type CommandName } from "./command-table.js"

const columns = (rows: ReadonlyArray<readonly [string, string]>): ReadonlyArray<string> => {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)
}

const exitCodeHelp = [
  "  0 ok · 1 usage · 3 authorization needed · 4 unreachable · 5 a tool reported an error",
  "  6 protocol or version · 7 a diagnosis found problems · 130 interrupted",
]

const overview = (): ReadonlyArray<string> => [
  "entente: look at MCP servers, call their tools, and see what a connection does.",
  "",
  "Usage: entente COMMAND [TARGET] [flags]",
  "",
  "Commands:",
  ...columns(commandNames.map((name) => [name, commandTable[name].summary])),
  "",
  "Targets:",
  ...columns([
    ["https://…", "a server over Streamable HTTP"],
    ["wss://…", "a server over WebSocket; ws:// on this machine"],
    ["unix:PATH", "a server on a Unix socket; tcp://HOST:PORT one on a TCP port, unencrypted"],
    ["-- COMMAND…", "a server to be started, over stdio; always last"],
    ["NAME", "a server of a configuration file: --config FILE, --from CLIENT, or any found"],
    ["replay:FILE", "what --trace FILE recorded, without the server"],
    ["demo", "the bundled server; demo:legacy and demo:modern speak one era only"],
  ]),
  "",
  "Exit codes:",
  ...exitCodeHelp,
  "",
  "entente COMMAND --help shows the flags of a command; entente --version the version.",
  "Try: entente snapshot demo",
]

const topicHelp = ({ summary, usage, details, flags }: CommandEntry): ReadonlyArray<string> => [
  summary,
  "",
  ...usage.map((line, index) => `${index === 0 ? "Usage:" : "      "} ${line}`),
  "",
  ...details,
  "",
  "Flags:",
  ...columns(
    Object.entries(flags).map(([name, { value, help }]) => [
      value === undefined ? `--${name}` : `--${name} ${value}`,
      help,
    ]),
  ),
  "",
  "Exit codes:",
  ...exitCodeHelp,
]

/** The help of one command, or of all. */
export const help = (topic: CommandName | undefined): string =>
  `${(topic === undefined ? overview() : topicHelp(commandTable[topic])).join("\n")}\n`
