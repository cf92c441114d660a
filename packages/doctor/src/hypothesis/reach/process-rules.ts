import { plainText } from "@entente/protocol"
import type { Case } from "../../case.js"
import { endOfProcess, type ProcessEnd } from "../../conversation/process-end.js"
import type { Evidence } from "../../diagnosis.js"
import { evidence } from "../../evidence.js"
import { failedBefore, hasPage, isSpokenWith } from "./how-far.js"
import { examineAgain, type Finding, type Rule } from "../rule.js"

/** Lines on stderr that are shown. */
const shownLines = 3

/** The end of a process that came before any tools did. */
const earlyEnd = ({ main }: Case): ProcessEnd | undefined =>
  hasPage(main) ? undefined : endOfProcess(main.conversation)

/** Codes by which a client's log tells that the server is gone. */
const gone: ReadonlySet<string> = new Set(["closed", "process-exited"])

/** The end of a process that shows only in the client's words: its exit is not in the log. */
const reportedEnd = (given: Case): ProcessEnd | undefined => {
  const { frames, channels, processes } = given.main.conversation
  if (frames.some(({ direction }) => direction === "in") || channels.length > 0) return undefined
  const failure = failedBefore(given, ({ code }) => gone.has(code))
  if (failure === undefined) return undefined
  const { index, at } = failure
  const stderr = processes.filter((one) => one.event === "stderr" && one.index < index)
  return { index, at, code: undefined, signal: undefined, stderr }
}

/** A line on stderr that fits, with what it names. */
interface Telling {
  readonly end: ProcessEnd
  readonly index: number
  readonly words: string
  readonly name: string | undefined
}

const tells = (given: Case, patterns: ReadonlyArray<RegExp>): Telling | undefined => {
  const end = earlyEnd(given) ?? reportedEnd(given)
  for (const { detail, index } of end?.stderr ?? []) {
    for (const pattern of patterns) {
      const match = pattern.exec(detail)
      if (end !== undefined && match !== null) {
        return { end, index, words: match[0], name: match.groups?.["name"] }
      }
    }
  }
  return undefined
}

/** Only a name that looks like one goes into a title: the line is a stranger's. */
const named = ({ name }: Telling, before: string, instead: string): string =>
  name === undefined ? instead : `${before} ${plainText(name, 80)}`

const exitShown = ({ trace }: Case, { index, code, signal }: ProcessEnd): Evidence =>
  evidence(trace, index, signal ?? (code === undefined ? undefined : `code ${code}`))

const lastLines = ({ trace }: Case, { stderr }: ProcessEnd): ReadonlyArray<Evidence> =>
  stderr
    .slice(-shownLines)
    .map(({ index, detail }, place, { length }) =>
      evidence(trace, index, place === length - 1 ? detail : undefined),
    )

const toldBy = (given: Case, telling: Telling): ReadonlyArray<Evidence> => [
  evidence(given.trace, telling.index, telling.words),
  exitShown(given, telling.end),
]

/** A setting by its name, and that it is not there; either may come first. */
const lacksSetting: ReadonlyArray<RegExp> = [
  /\b(?<name>[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\b.{0,60}\b(?:not set|not defined|not provided|not found|is missing|missing|required|undefined|empty)\b/,
  /\b(?:missing|required|must set|must provide|please set|please provide|set the|needs?|no)\b.{0,60}\b(?<name>[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\b/i,
  /\b(?:missing|no|invalid|provide an?|requires an?)\s+(?:api[ _-]?key|access token|token|credentials)\b/i,
  /\b(?:api[ _-]?key|access token|environment variable)\b.{0,40}\b(?:not set|missing|required|not provided|undefined)\b/i,
]

const lacksModule: ReadonlyArray<RegExp> = [
  /Cannot find (?:module|package) ['"](?<name>[^'"]{1,200})['"]/,
  /No module named ['"]?(?<name>[\w.-]{1,200})/,
  /npm (?:error|ERR!) (?:code E?404|404 Not Found)[^\n]{0,120}/,
  /could not determine executable to run/,
  /No such image: (?<name>\S{1,200})|pull access denied for (?<image>\S{1,200})/,
  /Unable to access jarfile (?<name>\S{1,200})/,
  /No solution found when resolving tool dependencies/,
]

const died = "A process that stays up, and answers the first message on stdout."

/** The rules for processes that end before they have answered, from the most exact one on. */
const endRule = (
  rule: Omit<Rule, "family" | "stage" | "weight" | "next" | "expected"> & {
    readonly expected?: string
  },
): Rule => ({
  family: 0,
  stage: "spawn",
  weight: "fails",
  expected: died,
  next: examineAgain(),
  ...rule,
})

/** Family 0, a server that is a program: it does not start, or is gone before it has said its tools. */
export const processRules: ReadonlyArray<Rule> = [
  endRule({
    code: "command-not-found",
    title: "The command does not exist",
    expected: "A program by that name, or a file at that path.",
    fix: {
      server: "Say in the instructions what has to be installed first.",
      proxy: "Nothing: it is not asked.",
      client:
        "Install the program, or give its full path. A program with a window does not see the PATH of your shell; arguments stand apart from the command.",
    },
    supersedes: ["command-not-started"],
    find: (given): Finding | undefined => {
      const failure = failedBefore(given, ({ code }) => code === "command-not-found")
      if (failure === undefined) return undefined
      const name = /"(?:[^"\\]|\\.){1,200}"/.exec(failure.message)?.[0]
      return {
        confidence: 0.98,
        evidence: [evidence(given.trace, failure.index, name && JSON.stringify(name).slice(1, -1))],
        ...(name === undefined
          ? {}
          : { title: `The command ${plainText(name, 120)} does not exist` }),
      }
    },
  }),
  endRule({
    code: "command-not-started",
    title: "The command could not be started",
    expected: "A file that may be executed, and a working directory that exists.",
    fix: {
      server: "Publish the program as executable, with a first line that names its interpreter.",
      proxy: "Nothing: it is not asked.",
      client:
        "Make the file executable (chmod +x), or start it with its interpreter; check the working directory.",
    },
    find: (given): Finding | undefined => {
      const failure = failedBefore(given, ({ code }) => code === "spawn-failed")
      return failure === undefined
        ? undefined
        : {
            confidence: 0.97,
            evidence: [
              evidence(given.trace, failure.index, /\bE[A-Z]{3,}\b/.exec(failure.message)?.[0]),
            ],
          }
    },
  }),
  endRule({
    code: "process-lacks-setting",
    title: "The server ends at once: a setting is missing",
    fix: {
      server: "Start without it and say so in the answer of a tool, or exit with one clear line.",
      proxy: "Hand on the environment that the server was given.",
      client:
        "Set what the line on stderr names in the env of this server's entry: a client hands on little of its own environment.",
    },
    supersedes: [
      "process-exited",
      "process-done-at-once",
      "process-lacks-module",
      "connection-ended",
    ],
    find: (given): Finding | undefined => {
      const telling = tells(given, lacksSetting)
      return (
        telling && {
          confidence: 0.94,
          title: named(
            telling,
            "The server ends at once without",
            "The server ends at once: a setting is missing",
          ),
          evidence: toldBy(given, telling),
        }
      )
    },
  }),
  endRule({
    code: "process-lacks-module",
    title: "The server ends at once: a package of it is missing",
    fix: {
      server: "Name every package that is used as a dependency, and publish what was built.",
      proxy: "Nothing: it is not asked.",
      client:
        "Check the package's name and version, and install it again; run the command in a terminal to see all it says.",
    },
    supersedes: ["process-exited", "process-done-at-once", "connection-ended"],
    find: (given): Finding | undefined => {
      const telling = tells(given, lacksModule)
      return (
        telling && {
          confidence: 0.95,
          title: named(
            telling,
            "The server ends at once: it does not find",
            "The server ends at once: its package is not found",
          ),
          evidence: toldBy(given, telling),
        }
      )
    },
  }),
  endRule({
    code: "process-killed",
    title: "The server's process was killed",
    fix: {
      server: "Find out what kills it: a crash of a native part, or memory that grows.",
      proxy: "Raise the memory that the container or the service manager allows.",
      client:
        "Look into the system's log: when memory runs out, it names the process it has killed.",
    },
    supersedes: ["process-exited"],
    find: (given): Finding | undefined => {
      const end = earlyEnd(given)
      if (end?.signal === undefined) return undefined
      return {
        confidence: 0.94,
        title: `The server's process was killed by ${end.signal}`,
        evidence: [exitShown(given, end), ...lastLines(given, end)],
      }
    },
  }),
  endRule({
    code: "process-done-at-once",
    title: "The command did its work and ended, as if there were nothing to serve",
    fix: {
      server: "Keep running until stdin ends.",
      proxy: "Nothing: it is not asked.",
      client:
        "Check the arguments: many programs serve MCP only with a subcommand or flag, and print their usage otherwise.",
    },
    supersedes: ["process-exited"],
    find: (given): Finding | undefined => {
      const end = earlyEnd(given)
      if (end?.code !== 0 || isSpokenWith(given.main)) return undefined
      return { confidence: 0.93, evidence: [exitShown(given, end), ...lastLines(given, end)] }
    },
  }),
  endRule({
    code: "process-exited",
    title: "The server's process ended before it had answered",
    fix: {
      server: "Write to stderr why it ends, and exit with another code than 0.",
      proxy: "Nothing: it is not asked.",
      client: "Read the last lines on stderr; run the command in a terminal to see all it says.",
    },
    supersedes: ["connection-ended"],
    find: (given): Finding | undefined => {
      const end = earlyEnd(given)
      const failure = failedBefore(given, ({ code }) => code === "process-exited")
      if (end === undefined && failure === undefined) return undefined
      const spoken = isSpokenWith(given.main)
      return {
        confidence: 0.92,
        ...(spoken && { title: "The server's process ended before it had sent its tools" }),
        evidence:
          end === undefined
            ? [evidence(given.trace, failure?.index ?? 0)]
            : [exitShown(given, end), ...lastLines(given, end)],
      }
    },
  }),
]
