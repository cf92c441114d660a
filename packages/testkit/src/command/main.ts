#!/usr/bin/env node
import process from "node:process"
import { run } from "./run.js"

// A reader that leaves early, such as `head`, is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error
  process.exit(0)
})

process.exitCode = await run(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  isInteractive: process.stdin.isTTY === true,
  interrupted: () =>
    new Promise((resolve) => {
      for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
        process.once(signal, () => resolve())
      }
    }),
  onEnter: (listener) => void process.stdin.on("data", listener),
})
process.stdin.pause() // nothing of it keeps the process alive
