// `tap-program TRACE COMMAND [ARGUMENT…]` or `tap-program TRACE --http URL`: the tap as a program, without
// the command line around it.
import { Trace } from "@entente/trace"
import { FileRecorder } from "@entente/trace/file"
import { tapHttp, tapStdio } from "@entente/doctor/tap"

const [file = "", command = "", ...args] = process.argv.slice(2)
const recorder = new FileRecorder(file)
const trace = new Trace({ maxTextLength: Infinity })
trace.subscribe(recorder.read)

if (command === "--http") {
  const tap = await tapHttp({ url: args[0] ?? "", trace })
  process.stdout.write(`${tap.url}\n`)
  await new Promise((stop) => process.once("SIGTERM", stop))
  await tap.close()
  await recorder.close()
} else {
  const tap = await tapStdio({ command, args, trace })
  process.on("SIGTERM", tap.signal)
  const { code } = await tap.ended
  await recorder.close()
  process.exitCode = code ?? 1
}
