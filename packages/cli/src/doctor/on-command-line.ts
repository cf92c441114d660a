import { shellWord, type LogFormat, type LogReading } from "@entente/doctor"
import { redactCommand } from "@entente/trace"
import type { ConfigSource, Target } from "../target.js"

/** A server of a configuration file as a command line names it. */
export const serverOnCommandLine = (name: string, { config, from }: ConfigSource): string =>
  [
    shellWord(name),
    ...(config === undefined ? [] : ["--config", shellWord(config)]),
    ...(from === undefined ? [] : ["--from", shellWord(from)]),
  ].join(" ")

/** A target as a command line names it; undefined where the trace itself shows it, without secrets. */
export const onCommandLine = (target: Target): string | undefined => {
  if (target.kind === "demo") return target.name
  // Only here are the arguments still apart, so that each can be quoted.
  if (target.kind === "command") {
    return ["--", ...redactCommand(target.command, target.args).map(shellWord)].join(" ")
  }
  return target.kind === "server" ? serverOnCommandLine(target.name, target) : undefined
}

/** The clients whose logs name their servers as their files do, as --from knows them. */
const loggingClients: Partial<Readonly<Record<LogFormat, string>>> = {
  "claude-desktop": "claude-desktop",
  "claude-code": "claude-code",
  vscode: "vscode",
  "gemini-cli": "gemini",
}

/** The server of another client's log, as that client's files name it. */
export const loggedOnCommandLine = ({ format, server }: LogReading): string | undefined => {
  const from = loggingClients[format]
  // A name that a shell would hand on as a flag is better typed by hand.
  return from === undefined || server === undefined || server.startsWith("-")
    ? undefined
    : serverOnCommandLine(server, { config: undefined, from })
}
