import type { JsonObject } from "@entente/protocol"
import { readCatalogCommand, type CatalogInvocation } from "./catalog-arguments.js"
import { readChartsCommand, type ChartsInvocation } from "./charts-arguments.js"
import { commandNames, commandTable, isCommandName, type CommandName } from "./command-table.js"
import type { Connecting } from "./connecting.js"
import type { DemoEra } from "./demo/identity.js"
import { readDoctorCommand, type DoctorInvocation } from "./doctor-arguments.js"
import { readCommandLine, type CommandLine } from "./flags.js"
import { nearest } from "./nearest.js"
import { readConfigCommand, readSource, type ConfigInvocation } from "./config-arguments.js"
import type { Presentation } from "./presentation.js"
import { readReplayCommand, type ReplayInvocation } from "./replay-arguments.js"
import { readSeconds } from "./seconds-flag.js"
import { readTapCommand, type TapInvocation } from "./tap-arguments.js"
import { takeTarget, type Target } from "./target.js"
import { readToolArguments } from "./tool-arguments.js"
import { UsageError } from "./usage-error.js"

/** The lists of a server, by the names of their commands. */
export type ListCommand = "tools" | "prompts" | "resources" | "templates"

export interface SnapshotInvocation extends Connecting {
  readonly name: "snapshot"
}

export interface ListInvocation extends Connecting {
  readonly name: ListCommand
}

export interface CallInvocation extends Connecting {
  readonly name: "call"
  readonly tool: string
  readonly arguments: JsonObject
}

export interface DemoInvocation {
  readonly name: "demo"
  readonly era: DemoEra
  readonly over: { readonly kind: "stdio" } | { readonly kind: "http"; readonly port: number }
}

/** What a command line asks for. */
export type Invocation =
  | { readonly name: "help"; readonly topic: CommandName | undefined }
  | { readonly name: "version" }
  | SnapshotInvocation
  | ListInvocation
  | CallInvocation
  | CatalogInvocation
  | ChartsInvocation
  | ConfigInvocation
  | DemoInvocation
  | ReplayInvocation
  | DoctorInvocation
  | TapInvocation

const one = ({ flags }: CommandLine, name: string): string | undefined => flags.get(name)?.[0]

const presentation = ({ flags }: CommandLine): Presentation => ({
  json: flags.has("json"),
  color: !flags.has("no-color"),
})

const timeoutMs = (line: CommandLine): number | undefined =>
  readSeconds(one(line, "timeout"), "timeout")

/** A server of a configuration file may be behind a URL; that is known when the file is read. */
const takesHeaders: ReadonlySet<Target["kind"]> = new Set(["url", "websocket", "server"])

const connecting = (line: CommandLine, target: Target): Connecting => {
  const headers = line.flags.get("header") ?? []
  if (headers.length > 0 && !takesHeaders.has(target.kind)) {
    throw new UsageError("--header is for a URL: other targets are not reached over HTTP.")
  }
  if (target.kind !== "server" && (line.flags.has("config") || line.flags.has("from"))) {
    throw new UsageError("--config and --from are for the name of a server in a file.")
  }
  return {
    ...presentation(line),
    target,
    era: one(line, "era") ?? "auto",
    headers,
    timeoutMs: timeoutMs(line),
    strict: line.flags.has("strict"),
    insecure: line.flags.has("insecure"),
    trace: one(line, "trace"),
  }
}

const refuseMore = (words: ReadonlyArray<string>, name: CommandName): void => {
  const [extra] = words
  if (extra !== undefined) {
    throw new UsageError(`${name} takes no "${extra}".`, `entente ${name} --help shows its usage.`)
  }
}

const refuseCommand = ({ afterDashes }: CommandLine, name: CommandName): void => {
  if (afterDashes !== undefined) throw new UsageError(`${name} takes nothing after --.`)
}

const readCall = (line: CommandLine): CallInvocation => {
  const { target, rest } = takeTarget(line.words, line.afterDashes, readSource(line))
  const [tool, ...words] = rest
  if (tool === undefined) {
    throw new UsageError("There is no tool to call.", "entente tools TARGET lists them.")
  }
  return {
    name: "call",
    ...connecting(line, target),
    tool,
    arguments: readToolArguments(words, one(line, "args")),
  }
}

const demoEras: ReadonlyArray<string> = [
  "dual",
  "legacy",
  "modern",
] satisfies ReadonlyArray<DemoEra>

const isDemoEra = (text: string): text is DemoEra => demoEras.includes(text)

const readDemo = (line: CommandLine): DemoInvocation => {
  refuseCommand(line, "demo")
  refuseMore(line.words, "demo")
  const era = one(line, "era") ?? "dual"
  if (!isDemoEra(era)) throw new UsageError(`--era of demo is one of ${demoEras.join(", ")}.`)
  const port = one(line, "port")
  if (!line.flags.has("http")) {
    if (port !== undefined) throw new UsageError("--port is for --http.")
    return { name: "demo", era, over: { kind: "stdio" } }
  }
  if (port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) <= 65_535)) {
    throw new UsageError("--port takes a number from 0 to 65535.")
  }
  return { name: "demo", era, over: { kind: "http", port: Number(port ?? 0) } }
}

const commandOf = (word: string): CommandName => {
  if (isCommandName(word)) return word
  if (word.startsWith("-")) throw new UsageError(`A command comes first, then ${word}.`)
  const meant = nearest(word, commandNames)
  throw new UsageError(
    `There is no command ${word}.` + (meant === undefined ? "" : ` Did you mean ${meant}?`),
  )
}

const isOneOf = (word: string, ...words: ReadonlyArray<string>): boolean => words.includes(word)

/** Reads a command line (without the program's own name); throws a `UsageError` where it makes no sense. */
export const readArguments = (argv: ReadonlyArray<string>): Invocation => {
  const [first, ...rest] = argv
  if (first === undefined) throw new UsageError("There is no command.")
  if (isOneOf(first, "--version", "-v", "version")) return { name: "version" }
  if (isOneOf(first, "--help", "-h", "help")) {
    const [topic] = rest
    return { name: "help", topic: topic === undefined ? undefined : commandOf(topic) }
  }
  const name = commandOf(first)
  const line = readCommandLine(rest, commandTable[name].flags, name)
  if (line.flags.has("help")) return { name: "help", topic: name }
  switch (name) {
    case "call":
      return readCall(line)
    case "catalog":
      refuseCommand(line, name)
      return readCatalogCommand(line, presentation(line), readSource(line), timeoutMs(line))
    case "charts":
      refuseCommand(line, "charts")
      return readChartsCommand(line, presentation(line))
    case "config":
      refuseCommand(line, "config")
      return readConfigCommand(line, presentation(line))
    case "demo":
      return readDemo(line)
    case "replay":
      refuseCommand(line, name)
      return readReplayCommand(line, presentation(line))
    case "doctor":
      return readDoctorCommand(line, presentation(line), (target) => connecting(line, target))
    case "tap":
      return readTapCommand(line, presentation(line))
    default: {
      const { target, rest: more } = takeTarget(line.words, line.afterDashes, readSource(line))
      refuseMore(more, name)
      return { name, ...connecting(line, target) }
    }
  }
}

/** Whether a switch is given, asked of a command line that may make no sense otherwise. */
export const isGiven = (argv: ReadonlyArray<string>, flag: "--json" | "--no-color"): boolean => {
  const end = argv.indexOf("--")
  return (end < 0 ? argv : argv.slice(0, end)).includes(flag)
}
