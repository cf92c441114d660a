import { tapHttp, tapStdio } from "@entente/doctor/tap"
import { Trace } from "@entente/trace"
import { FileRecorder } from "@entente/trace/file"

const trace = new Trace({ maxTextLength: Infinity })
await using recorder = new FileRecorder("exchange.jsonl")
trace.subscribe(recorder.read)

await using tap = await tapHttp({ url: "https://example.com/mcp", trace })
process.stderr.write(`for the client, instead of the server's own: ${tap.url}\n`)

const stdio = await tapStdio({ command: "npx", args: ["some-server"], trace })
const { code } = await stdio.ended
process.exitCode = code ?? 1
