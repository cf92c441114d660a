import { PassThrough, type Readable } from "node:stream"
import type { Io, Output } from "../src/io.js"
import { run } from "../src/run.js"

/** What a run of the command left behind. */
export interface Outcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface WorldOptions {
  /** Whether a person sits in front of it. */
  readonly isTTY?: boolean
  readonly columns?: number
  readonly env?: Io["env"]
  readonly cwd?: string
  readonly signal?: AbortSignal
  /** What comes in on stdin: a text that ends, or what is typed. Nothing by default, and it stays open. */
  readonly stdin?: string | Readable
  /** Sees what is written as it is written. */
  readonly onWrite?: (text: string) => void
  /** The built command, for the targets that start it. */
  readonly main?: string
}

const stdinOf = (given: WorldOptions["stdin"]): Readable => {
  if (typeof given === "object") return given
  const stdin = new PassThrough()
  if (given !== undefined) stdin.end(given)
  return stdin
}

/** Runs the command in this process, with everything it touches replaced. */
export const runHere = async (
  argv: ReadonlyArray<string>,
  options: WorldOptions = {},
): Promise<Outcome> => {
  const written = { stdout: "", stderr: "" }
  const output = (name: keyof typeof written): Output => ({
    write: (text) => {
      written[name] += text
      options.onWrite?.(text)
    },
    isTTY: options.isTTY ?? false,
    ...(options.columns === undefined ? {} : { columns: options.columns }),
  })
  const stdin = stdinOf(options.stdin)
  const code = await run(argv, {
    stdin,
    stdout: output("stdout"),
    stderr: output("stderr"),
    env: options.env ?? {},
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    signal: options.signal ?? new AbortController().signal,
    main: options.main ?? "",
  })
  return { code, ...written }
}
