import { parseArgs } from "node:util"
import type { Flag } from "./command-table.js"
import { nearest } from "./nearest.js"
import { UsageError } from "./usage-error.js"

/** A command line after its command: flags by name, words, and what followed `--`. */
export interface CommandLine {
  /** Every value of each flag that was given; a switch has the value "". */
  readonly flags: ReadonlyMap<string, ReadonlyArray<string>>
  readonly words: ReadonlyArray<string>
  /** Undefined where there was no `--`. */
  readonly afterDashes: ReadonlyArray<string> | undefined
}

const unknownFlag = (given: string, known: ReadonlyArray<string>, command: string): UsageError => {
  const meant = nearest(given.replace(/^-+/, ""), known)
  return new UsageError(
    `${command} has no flag ${given}.` + (meant === undefined ? "" : ` Did you mean --${meant}?`),
    `entente ${command} --help shows its flags.`,
  )
}

/** Reads flags and words. What is unknown, repeated, or without its value is a usage error. */
export const readCommandLine = (
  args: ReadonlyArray<string>,
  known: Readonly<Record<string, Flag>>,
  command: string,
): CommandLine => {
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(
      Object.entries(known).map(([name, { value }]) => [
        name,
        { type: value === undefined ? "boolean" : "string" } as const,
      ]),
    ),
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const flags = new Map<string, Array<string>>()
  const words: Array<string> = []
  for (const token of tokens) {
    if (token.kind === "option-terminator") {
      return { flags, words, afterDashes: args.slice(token.index + 1) }
    }
    if (token.kind === "positional") {
      words.push(token.value)
      continue
    }
    const name = token.rawName === "-h" ? "help" : token.name
    const flag = Object.hasOwn(known, name) ? known[name] : undefined
    if (flag === undefined) throw unknownFlag(token.rawName, Object.keys(known), command)
    if (flag.value === undefined && token.value !== undefined) {
      throw new UsageError(`--${name} takes no value.`)
    }
    // `--era --json` would otherwise take the second flag for the value of the first; `-` alone is stdin.
    const missing = token.value === undefined || (!token.inlineValue && /^-./.test(token.value))
    if (flag.value !== undefined && missing) {
      throw new UsageError(`--${name} needs a value: --${name} ${flag.value}.`)
    }
    const values = flags.get(name) ?? []
    if (values.length > 0 && flag.repeatable !== true) {
      throw new UsageError(`--${name} is given more than once.`)
    }
    flags.set(name, [...values, token.value ?? ""])
  }
  return { flags, words, afterDashes: undefined }
}
