import type { Attempt } from "@entente/protocol"
import type { Presentation } from "../presentation.js"
import { exitCodeOf, exitCodes, type ExitCode } from "../exit-code.js"
import type { Io } from "../io.js"
import { jsonLine } from "./json-line.js"
import { styleOf } from "./style.js"
import { oneLine, severalLines } from "./visible-text.js"

/** A failure as `--json` shows it. */
export interface Failure {
  readonly code: string
  readonly stage: string
  readonly message: string
  readonly hint: string
  /** What was tried, in order; the first is the primary cause. */
  readonly attempts: ReadonlyArray<Attempt>
  /** The last lines that the server process wrote on stderr. */
  readonly stderr: string
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

const text = (value: unknown, otherwise: string): string =>
  typeof value === "string" ? value : otherwise

const attemptsOf = (value: unknown): ReadonlyArray<Attempt> =>
  Array.isArray(value)
    ? value.filter(isRecord).map(({ what, outcome }) => ({
        what: text(what, ""),
        outcome: text(outcome, ""),
      }))
    : []

/** What went wrong. Anything that is no error of Entente's own is a fault of this program. */
export const failureOf = (error: unknown): Failure => {
  if (isRecord(error) && typeof error["code"] === "string" && typeof error["stage"] === "string") {
    const { code, stage, message, hint, attempts, process } = error
    return {
      code,
      stage,
      message: text(message, code),
      hint: text(hint, ""),
      attempts: attemptsOf(attempts),
      stderr: isRecord(process) ? text(process["stderr"], "") : "",
    }
  }
  return {
    code: "internal",
    stage: "input",
    message: error instanceof Error ? (error.stack ?? error.message) : String(error),
    hint: "This is a fault of entente; please report it with the lines above.",
    attempts: [],
    stderr: "",
  }
}

/** One attempt that ended in the failure itself adds nothing to it. */
const worthShowing = ({ attempts, message }: Failure): Failure["attempts"] =>
  attempts.length === 1 && attempts[0]?.outcome === message ? [] : attempts

const forPeople = (failure: Failure, color: boolean, io: Io): ReadonlyArray<string> => {
  const style = styleOf(io.stderr, io, color)
  if (io.signal.aborted) return [style.bad("interrupted")]
  const attempts = worthShowing(failure)
  const stderr = severalLines(failure.stderr).trimEnd()
  return [
    `${style.bad("error:")} ${severalLines(failure.message)}`,
    ...(attempts.length === 0 ? [] : ["tried, in order:"]),
    ...attempts.map(
      ({ what, outcome }, index) => `  ${index + 1}. ${oneLine(what)}: ${oneLine(outcome)}`,
    ),
    ...(stderr === "" ? [] : ["the server's last lines on stderr:"]),
    ...(stderr === "" ? [] : stderr.split("\n").map((line) => `  ${style.dim("│")} ${line}`)),
    ...(failure.hint === "" ? [] : [`${style.bold("hint:")} ${oneLine(failure.hint)}`]),
  ]
}

/** Says on stderr what went wrong, in words or as one line of JSON, and returns the exit code for it. */
export const reportFailure = (error: unknown, { json, color }: Presentation, io: Io): ExitCode => {
  const failure = failureOf(error)
  const lines = json ? [jsonLine({ error: failure })] : forPeople(failure, color, io)
  io.stderr.write(`${lines.join("\n")}\n`)
  return io.signal.aborted
    ? exitCodes.interrupted
    : (exitCodeOf(failure.code) ?? exitCodes.internal)
}
