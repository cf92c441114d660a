import type { CommandLine } from "./flags.js"
import type { Presentation } from "./presentation.js"
import { UsageError } from "./usage-error.js"

/** Where `entente tap` is to stand, and what it writes. */
export interface TapInvocation extends Presentation {
  readonly name: "tap"
  /** The file that the trace is written to. */
  readonly trace: string
  /** Whether nothing is said of what passes. */
  readonly quiet: boolean
  readonly over:
    | { readonly kind: "stdio"; readonly command: string; readonly args: ReadonlyArray<string> }
    | { readonly kind: "http"; readonly url: string; readonly port: number }
}

const hint = "entente tap --help shows its usage."

const readPort = (text: string | undefined): number => {
  if (text !== undefined && !(/^\d{1,5}$/.test(text) && Number(text) <= 65_535)) {
    throw new UsageError("--port takes a number from 0 to 65535.")
  }
  return Number(text ?? 0)
}

const readPlace = ({ flags, words, afterDashes }: CommandLine): TapInvocation["over"] => {
  const [url, port] = [flags.get("http")?.[0], flags.get("port")?.[0]]
  const [extra] = words
  if (extra !== undefined) {
    throw new UsageError(`tap takes no "${extra}".`, "The command of a server comes after --.")
  }
  if (url !== undefined) {
    if (afterDashes !== undefined) throw new UsageError("--http takes no command after --.", hint)
    return { kind: "http", url, port: readPort(port) }
  }
  if (port !== undefined) throw new UsageError("--port is for --http.", hint)
  const [command, ...args] = afterDashes ?? []
  if (command === undefined) {
    throw new UsageError(
      "There is no server to stand before.",
      "Write entente tap --trace FILE -- COMMAND, or --http URL.",
    )
  }
  return { kind: "stdio", command, args }
}

/** Reads the flags of `entente tap`. */
export const readTapCommand = (line: CommandLine, presentation: Presentation): TapInvocation => {
  const over = readPlace(line)
  const trace = line.flags.get("trace")?.[0]
  if (trace === undefined) {
    throw new UsageError(
      "tap needs a file to write to.",
      "Add --trace FILE; under a client, give its full path.",
    )
  }
  return { name: "tap", ...presentation, trace, quiet: line.flags.has("quiet"), over }
}
