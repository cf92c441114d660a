import type { Progress } from "@entente/client"
import type { CallInvocation } from "../arguments.js"
import { withClient } from "../connection.js"
import { exitCodes, type ExitCode } from "../exit-code.js"
import type { Io } from "../io.js"
import { jsonLine } from "../render/json-line.js"
import { LiveLine } from "../render/live-line.js"
import { styleOf } from "../render/style.js"
import { toolResult } from "../render/tool-result.js"

/** `2 of 5, fetching`, or what of it the server has said. */
const progressText = ({ progress, total, message }: Progress): string => {
  const number = total === undefined ? String(progress) : `${progress} of ${total}`
  return message === undefined ? number : `${number}, ${message}`
}

/** Calls one tool and prints what it answered. */
export const call = async (invocation: CallInvocation, io: Io): Promise<ExitCode> => {
  const live = new LiveLine(io.stderr)
  live.show("connecting …")
  const result = await withClient(invocation, io, (client) => {
    live.show(`calling ${invocation.tool} …`)
    return client.callTool(
      { name: invocation.tool, arguments: invocation.arguments },
      {
        signal: io.signal,
        onProgress: (progress) => live.show(`${invocation.tool}: ${progressText(progress)} …`),
      },
    )
  }).finally(() => live.clear())
  const lines = invocation.json ? [jsonLine(result)] : toolResult(result)
  io.stdout.write(`${lines.join("\n")}\n`)
  if (result.isError !== true) return exitCodes.ok
  if (!invocation.json) {
    const style = styleOf(io.stderr, io, invocation.color)
    io.stderr.write(`${style.bad("error:")} the tool reported an error.\n`)
  }
  return exitCodes.toolError
}
