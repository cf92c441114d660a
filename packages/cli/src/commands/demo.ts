import type { DemoInvocation } from "../arguments.js"
import { serveHttp } from "../demo/http.js"
import { serveStdio } from "../demo/stdio.js"
import { exitCodes, type ExitCode } from "../exit-code.js"
import type { Io } from "../io.js"
import { UsageError } from "../usage-error.js"
import { version } from "../version.js"

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener("abort", () => resolve(), { once: true })
  })

/** Runs the bundled server until its input ends or the user stops it; both are a good end. */
export const demo = async ({ era, over }: DemoInvocation, io: Io): Promise<ExitCode> => {
  if (over.kind === "http") {
    const server = await serveHttp(era, version(), over.port).catch((cause: unknown) => {
      throw new UsageError(
        `Port ${over.port} cannot be used: ${cause instanceof Error ? cause.message : "unknown"}.`,
        "Without --port a free one is taken.",
      )
    })
    io.stdout.write(`${server.url}\n`)
    io.stderr.write("The reading room is open; Ctrl-C closes it.\n")
    await aborted(io.signal)
    await server.close()
  } else {
    const port = { input: io.stdin, output: io.stdout, signal: io.signal }
    await serveStdio(port, era, version())
  }
  return exitCodes.ok
}
