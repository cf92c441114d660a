import { explain, ProcessExited, type ProcessReport } from "@entente/protocol"

/** How a process ended, in words. */
export const exitOf = ({ exitCode, signal }: ProcessReport): string =>
  signal === undefined ? `exit code ${exitCode}` : `signal ${signal}`

/** The end of a process as an error that says what its last words were. */
export const processExited = (report: ProcessReport): ProcessExited => {
  const line = tellingLine(report.stderr)
  const silent = report.phase === "starting" ? " before it wrote anything to stdout" : ""
  const said = line ? `; on stderr it said: ${line}` : ""
  // Without a word on stderr what came on stdout may be the reason.
  const found = line || report.finding === undefined ? "" : ` ${report.finding}`
  const what = `The server process ended with ${exitOf(report)}${silent}${said}.${found}`
  return new ProcessExited({
    ...explain("process-exited", "request", report.command, what),
    process: report,
  })
}

/** The last line that speaks of a fault, or else the last of all: runtimes like to end with their version. */
const tellingLine = (stderr: string): string | undefined => {
  const lines = stderr.split("\n").map((line) => line.trim())
  return lines.findLast((line) => fault.test(line)) ?? lines.at(-1)
}

const fault = /error|exception|fatal|denied|missing|required|not (?:set|found)/i
