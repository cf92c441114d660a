import { readArguments } from "./arguments.js"
import { help } from "./help.js"
import type { Io } from "./io.js"
import { list } from "./list.js"
import { serve } from "./serve.js"
import { UsageError } from "./usage-error.js"
import { version } from "./version.js"

/**
 * Runs one command line (without the program's own name) and resolves with the exit code: 0, 1 where an
 * address cannot be used, 2 where the command line makes no sense.
 *
 * @example
 * await run(["list", "--json"], io) // 0
 */
export const run = async (argv: ReadonlyArray<string>, io: Io): Promise<number> => {
  try {
    const invocation = readArguments(argv)
    switch (invocation.name) {
      case "help":
        io.stdout.write(help)
        return 0
      case "version":
        io.stdout.write(`${version()}\n`)
        return 0
      case "list":
        list(invocation.json, io)
        return 0
      default:
        return await serve(invocation, io)
    }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    io.stderr.write(
      `${error.message.replace(/^[^\n]*[^.?\n]$/, "$&.")}\nentente-testkit --help shows the usage.\n`,
    )
    return 2
  }
}
