import { constants } from "node:os"
import { tapHttp, tapStdio, type ServerEnd } from "@entente/doctor/tap"
import { InvalidInput } from "@entente/protocol"
import { redactUrl, type Trace } from "@entente/trace"
import { exitCodes } from "../exit-code.js"
import type { Io } from "../io.js"
import { styleOf } from "../render/style.js"
import { TapSummary } from "../render/tap-summary.js"
import { oneLine } from "../render/visible-text.js"
import type { TapInvocation } from "../tap-arguments.js"
import { openTraceFile } from "../trace-file.js"
import { UsageError } from "../usage-error.js"

type Stdio = Extract<TapInvocation["over"], { readonly kind: "stdio" }>
type Http = Extract<TapInvocation["over"], { readonly kind: "http" }>

/** Shells add this to the number of a signal. */
const signalBase = 128

const codeOf = ({ code, signal }: ServerEnd): number =>
  signal === undefined ? (code ?? exitCodes.internal) : signalBase + constants.signals[signal]

/** A path as a shell reads it. */
const asArgument = (path: string): string =>
  /^[\w./~:\\-]+$/.test(path) ? path : `'${oneLine(path).replaceAll("'", String.raw`'\''`)}'`

/** Stands in for the server, and ends as it ended. */
const overStdio = async (
  { command, args }: Stdio,
  trace: Trace,
  say: (line: string) => void,
  { env, cwd, process: own }: Io,
): Promise<ServerEnd> => {
  const early: Array<NodeJS.Signals> = []
  let handOn = (signal: NodeJS.Signals): void => void early.push(signal)
  own?.takeOver((signal) => {
    say(`${signal} is handed on`)
    handOn(signal)
  })
  const place = cwd === undefined ? {} : { cwd }
  const tapped = await tapStdio({ command, args, trace, env, ...place })
  handOn = tapped.signal
  for (const signal of early) handOn(signal)
  return tapped.ended
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener("abort", () => resolve(), { once: true })
  })

/** Listens until the user stops it. */
const overHttp = async (
  { url, port }: Http,
  trace: Trace,
  say: (line: string) => void,
  io: Io,
): Promise<void> => {
  const tapped = await tapHttp({ url, port, trace }).catch((cause: unknown) => {
    if (cause instanceof InvalidInput) throw cause
    const why = cause instanceof Error ? cause.message : "unknown"
    throw new UsageError(
      `Port ${port} cannot be used: ${why}.`,
      "Without --port a free one is taken.",
    )
  })
  const address = redactUrl(tapped.url)
  io.stdout.write(`${address}\n`)
  if (address !== tapped.url) say("Use the path and the query of your URL with that address.")
  say("Give this address to the client; Ctrl-C ends the tap.")
  await aborted(io.signal)
  await tapped.close()
}

/** Writes down what a client and a server say, until one of them, or the user, ends it. */
export const tap = async (
  { over, trace: path, quiet, color }: TapInvocation,
  io: Io,
): Promise<number> => {
  const say = (line: string): void => {
    if (!quiet) io.stderr.write(`tap: ${line}\n`)
  }
  const file = await openTraceFile(path, [], io)
  const summary = new TapSummary(say, styleOf(io.stderr, io, color))
  if (!quiet) file.trace.subscribe(summary.read)
  let end: ServerEnd = { code: exitCodes.ok, signal: undefined }
  try {
    if (over.kind === "http") await overHttp(over, file.trace, say, io)
    else end = await overStdio(over, file.trace, say, io)
  } finally {
    await file.close()
  }
  for (const method of summary.unanswered.slice(0, 3)) say(`no answer to ${method}`)
  say(summary.total)
  say(`next: entente doctor --log ${asArgument(path)}`)
  if (end.signal !== undefined) await io.process?.endBy(end.signal)
  return codeOf(end)
}
