import type { Format } from "@entente/catalog"
import { readFormat } from "./catalog-arguments.js"
import { readSource } from "./config-arguments.js"
import type { Connecting } from "./connecting.js"
import type { CommandLine } from "./flags.js"
import type { Presentation } from "./presentation.js"
import { readSeconds } from "./seconds-flag.js"
import { takeTarget, type ConfigSource, type Target } from "./target.js"
import { UsageError } from "./usage-error.js"

/** What is written on stdout. */
export type ReportForm = "text" | "json" | "markdown" | "junit"

/** How a server is examined. */
export interface Examining extends Connecting {
  readonly waitMs: number | undefined
  readonly origin: string | undefined
  readonly experiments: boolean
}

/** How all servers of a source are examined: what is for one of them alone is not there. */
export type ExaminingAll = Omit<Examining, "target" | "headers" | "trace" | "insecure" | "strict">

/** What is diagnosed. */
export type DoctorSubject =
  | { readonly kind: "server"; readonly how: Examining }
  | { readonly kind: "servers"; readonly source: ConfigSource; readonly how: ExaminingAll }
  /** The servers of a client as that client is set up, or one of them. */
  | {
      readonly kind: "client"
      readonly client: string
      readonly server: string | undefined
      readonly how: ExaminingAll
    }
  /** A file, or `-` for stdin; of the servers that it tells of the one with this name. */
  | { readonly kind: "log"; readonly path: string; readonly server: string | undefined }

export interface DoctorInvocation extends Presentation {
  readonly name: "doctor"
  readonly form: ReportForm
  /** The model API that the tools are held against. */
  readonly format: Format | undefined
  readonly subject: DoctorSubject
}

const one = ({ flags }: CommandLine, name: string): string | undefined => flags.get(name)?.[0]

const forms = ["json", "markdown", "junit"] as const

const readForm = ({ flags }: CommandLine): ReportForm => {
  const [form = "text", other] = forms.filter((name) => flags.has(name))
  if (other !== undefined) {
    throw new UsageError(`--${form} and --${other} do not go together: stdout has one form.`)
  }
  return form
}

/** A recording is what it is. */
const forExaminations = [
  "config",
  "from",
  "era",
  "header",
  "insecure",
  "timeout",
  "trace",
  "wait",
  "origin",
  "no-experiments",
  "client",
]

const refuse = ({ flags }: CommandLine, names: ReadonlyArray<string>, why: string): void => {
  const given = names.find((name) => flags.has(name))
  if (given !== undefined) throw new UsageError(`--${given} ${why}`)
}

const readLog = (line: CommandLine, path: string): DoctorSubject => {
  refuse(line, forExaminations, "is for a server that is examined; a log is only read.")
  return { kind: "log", path, server: one(line, "server") }
}

const readOrigin = (text: string | undefined): string | undefined => {
  if (text === undefined) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new UsageError("--origin takes a URL, for example --origin https://app.example.com.")
  }
  return url.origin
}

const howAll = (line: CommandLine, presentation: Presentation): ExaminingAll => {
  const experiments = !line.flags.has("no-experiments")
  if (!experiments) refuse(line, ["wait", "origin"], "is for the experiments.")
  return {
    ...presentation,
    era: one(line, "era") ?? "auto",
    timeoutMs: readSeconds(one(line, "timeout"), "timeout"),
    waitMs: readSeconds(one(line, "wait"), "wait", { zero: true }),
    origin: readOrigin(one(line, "origin")),
    experiments,
  }
}

/** A header may be a secret, and a trace is of one conversation. */
const forOneServer = ["header", "trace", "insecure"]

const readSubject = (
  line: CommandLine,
  presentation: Presentation,
  connecting: (target: Target) => Connecting,
): DoctorSubject => {
  const { words, afterDashes, flags } = line
  const log = one(line, "log")
  const client = one(line, "client")
  const source = readSource(line)
  if (log !== undefined || client !== undefined) {
    if (words.length > 0 || afterDashes !== undefined) {
      throw new UsageError(`--${log === undefined ? "client" : "log"} takes no target beside it.`)
    }
    if (log !== undefined) return readLog(line, log)
  }
  const how = howAll(line, presentation)
  if (client !== undefined) {
    refuse(line, ["config", "from", ...forOneServer], "does not go with --client.")
    return { kind: "client", client, server: one(line, "server"), how }
  }
  if (flags.has("server")) throw new UsageError("--server is for --client and --log.")
  if (words.length === 0 && afterDashes === undefined) {
    if (source.config === undefined && source.from === undefined) {
      throw new UsageError(
        "There is nothing to examine.",
        "Give a target, a command after --, --config FILE or --from CLIENT for all servers there, --client CLIENT, or --log FILE.",
      )
    }
    refuse(line, forOneServer, "is for one server; name it.")
    return { kind: "servers", source, how }
  }
  const { target, rest } = takeTarget(words, afterDashes, source)
  const [extra] = rest
  if (extra !== undefined) {
    throw new UsageError(`doctor takes no "${extra}".`, "entente doctor --help shows its usage.")
  }
  const reached = connecting(target)
  return target.kind === "replay"
    ? readLog(line, target.path)
    : { kind: "server", how: { ...reached, ...how } }
}

/** Reads the words and flags of `entente doctor`. */
export const readDoctorCommand = (
  line: CommandLine,
  presentation: Presentation,
  connecting: (target: Target) => Connecting,
): DoctorInvocation => ({
  name: "doctor",
  ...presentation,
  form: readForm(line),
  format: readFormat(one(line, "format")),
  subject: readSubject(line, presentation, connecting),
})
