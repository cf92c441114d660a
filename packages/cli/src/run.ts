import { isGiven, readArguments, type Invocation } from "./arguments.js"
import { exitCodes } from "./exit-code.js"
import { help } from "./help.js"
import type { Io } from "./io.js"

/** Each command is loaded when it is asked for, so that `--help` waits for none of them. */
const start = async (invocation: Invocation, io: Io): Promise<number> => {
  switch (invocation.name) {
    case "help":
      io.stdout.write(help(invocation.topic))
      return exitCodes.ok
    case "version": {
      const { version } = await import("./version.js")
      io.stdout.write(`${version()}\n`)
      return exitCodes.ok
    }
    case "snapshot":
      return (await import("./commands/snapshot.js")).snapshot(invocation, io)
    case "call":
      return (await import("./commands/call.js")).call(invocation, io)
    case "catalog":
      return (await import("./commands/catalog.js")).catalog(invocation, io)
    case "charts":
      return (await import("./commands/charts.js")).charts(invocation, io)
    case "config":
      return (await import("./commands/config.js")).config(invocation, io)
    case "demo":
      return (await import("./commands/demo.js")).demo(invocation, io)
    case "replay":
      return (await import("./commands/replay.js")).replay(invocation, io)
    case "doctor":
      return (await import("./commands/doctor.js")).doctor(invocation, io)
    case "tap":
      return (await import("./commands/tap.js")).tap(invocation, io)
    default:
      return (await import("./commands/list.js")).list(invocation, io)
  }
}

/**
 * Runs one command line (without the program's own name) and says how it ended: an exit code of the table,
 * or that of a server which the command stood in for. It never throws: what goes wrong is written to stderr.
 *
 * @example
 * await run(["snapshot", "demo", "--json"], io) // 0
 */
export const run = async (argv: ReadonlyArray<string>, io: Io): Promise<number> => {
  try {
    return await start(readArguments(argv), io)
  } catch (error) {
    const { reportFailure } = await import("./render/failure.js")
    const presentation = {
      json: isGiven(argv, "--json"),
      color: !isGiven(argv, "--no-color"),
    }
    return reportFailure(error, presentation, io)
  }
}
