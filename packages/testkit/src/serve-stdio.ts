import process from "node:process"
import * as Context from "effect/Context"
import type { Journal } from "./journal.js"
import { makePlayer } from "./play.js"
import type { Script } from "./script.js"
import { stdioMedium, stdioPort, stdioReader } from "./stdio-port.js"

const signals = ["SIGTERM", "SIGINT"] as const

const leave = (status: number | string): void => {
  if (typeof status === "number") process.exit(status)
  for (const signal of signals) process.removeAllListeners(signal)
  process.kill(process.pid, status)
}

/**
 * Plays a script on stdin and stdout of this process, so that it is the server that a client starts. It is
 * the script that ends the process; by default that is at the end of stdin, or when a signal comes.
 *
 * @example
 * serveStdio({ rules: [{ when: { method: "ping" }, reply: [{ result: {} }] }] })
 */
export const serveStdio = (script: Script): Journal => {
  const player = makePlayer(script, stdioMedium)
  const port = stdioPort({
    stdout: (bytes) => void process.stdout.write(bytes),
    stderr: (text) => void process.stderr.write(text),
    freeze: () => void process.stdin.pause(),
    exit: (status) =>
      void process.stdout.write("", () => void process.stderr.write("", () => leave(status))),
  })
  const place = player.open(port, Context.empty())
  // A client that no longer reads must not end the process: that is for the script to decide.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {})
  for (const signal of signals) process.on(signal, () => place.receive({ kind: "signal", signal }))
  process.stdin.on("data", stdioReader(place))
  process.stdin.on("end", () => place.receive({ kind: "end" }))
  // The caller gets the journal first, so that it sees this too.
  queueMicrotask(() => place.receive({ kind: "open", pid: process.pid }))
  // A process that ignores the end of stdin has nothing else to live for.
  setInterval(() => {}, 2_147_483_647)
  return player.journal
}
