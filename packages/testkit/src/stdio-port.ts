import { Buffer } from "node:buffer"
import { readText } from "./arrival.js"
import type { Medium } from "./check-script.js"
import type { Place, Port } from "./play.js"
import { lineReader, rawBytes } from "./raw-bytes.js"

export const stdioMedium: Medium = {
  name: "stdio",
  plays: new Set([
    "result",
    "error",
    "message",
    "raw",
    "stderr",
    "exit",
    "freeze",
    "delay",
    "silence",
    "destroy",
  ]),
  notices: new Set([
    "request",
    "notification",
    "response",
    "batch",
    "invalid",
    "open",
    "end",
    "signal",
  ]),
  overHttp: new Set(),
}

/** What can be done to the client of a process. */
export interface StdioEnds {
  readonly stdout: (bytes: Buffer) => void
  readonly stderr: (text: string) => void
  /** Reads nothing more from stdin. */
  readonly freeze: () => void
  /** Ends the process with a code or by a signal, after what was written. */
  readonly exit: (status: number | string) => void
}

/** A process as a port, wherever it runs. */
export const stdioPort = (ends: StdioEnds): Port => {
  let over = false
  const exit = (status: number | string): void => {
    if (over) return
    over = true
    ends.exit(status)
  }
  return {
    state: () => (over ? "over" : "stream"),
    put: (output) => {
      if (over) return
      if ("message" in output) ends.stdout(Buffer.from(`${JSON.stringify(output.message)}\n`))
      else if ("raw" in output) ends.stdout(rawBytes(output.raw))
      else if ("stderr" in output) ends.stderr(output.stderr)
      else if ("exit" in output) exit(output.exit)
      else if ("freeze" in output) ends.freeze()
    },
    end: () => {},
    destroy: () => exit("SIGKILL"),
  }
}

/** Takes the bytes of stdin, and receives a message for each line. */
export const stdioReader = (place: Place): ((bytes: Buffer) => void) =>
  lineReader((line) => {
    if (line !== "") place.receive(readText(line))
  })
