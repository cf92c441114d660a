import { redactCommand, redactUrl, Ring, Trace } from "@entente/trace"
import { FileRecorder, readTrace } from "@entente/trace/file"

/** Records a conversation to a file, and keeps its last two events at hand. */
export const record = async (path: string) => {
  const trace = new Trace({ names: ["x-tenant"] })
  const ring = new Ring({ maxEvents: 2 })
  trace.subscribe(ring.read)

  await using recorder = new FileRecorder(path, {
    onFailure: (failure) => process.emitWarning(failure.message),
  })
  trace.subscribe(recorder.read)

  const url = "https://ada:pass@example.com/mcp?token=abc"
  const headers = { authorization: "Bearer abc", "x-tenant": "acme" }
  trace.emit({ type: "http", exchange: 1, method: "POST", url, headers })
  trace.emit({ type: "process", event: "stderr", detail: "starting with API_KEY=abc" })
  trace.emit({ type: "note", code: "late-reply", detail: "id 7" })
  return { last: ring.events, dropped: ring.dropped }
}

/** Reads it back: every line, or what is wrong with it. */
export const show = async (path: string) => {
  const shown: Array<string> = []
  for await (const line of readTrace(path)) {
    if (line.kind === "problem") shown.push(`line ${line.line}: ${line.code}`)
    else shown.push(JSON.stringify(line.event))
  }
  return shown
}

/** Names a server in an error or a log. */
export const target = (url: string, command: string, args: ReadonlyArray<string>) =>
  `${redactUrl(url)} or ${redactCommand(command, args).join(" ")}`
