#!/usr/bin/env node
import { fileURLToPath } from "node:url"
import { exitCodes } from "./exit-code.js"
import { run } from "./run.js"

const interruption = new AbortController()
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const

/** Hears of signals, once a command stands in for another program. */
let takenOver: ((signal: NodeJS.Signals) => void) | undefined

// The first signal closes everything in order, the server's processes included; a second one does not wait.
for (const signal of signals) {
  process.on(signal, () => {
    if (takenOver !== undefined) return takenOver(signal)
    if (interruption.signal.aborted) process.exit(exitCodes.interrupted)
    interruption.abort()
  })
}

// A reader that leaves early, such as `head`, is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (takenOver !== undefined) return
  if (error.code !== "EPIPE") throw error
  process.exit(exitCodes.ok)
})

process.exitCode = await run(process.argv.slice(2), {
  get stdin() {
    return process.stdin // opened only where it is read
  },
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  signal: interruption.signal,
  main: fileURLToPath(import.meta.url),
  process: {
    takeOver: (onSignal) => {
      takenOver = onSignal
    },
    endBy: async (signal) => {
      // What was written to a pipe is on its way only.
      await new Promise<void>((written) => process.stderr.write("", () => written()))
      process.removeAllListeners(signal)
      process.kill(process.pid, signal)
    },
  },
})
