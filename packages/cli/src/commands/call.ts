import type { CallInvocation } from "../arguments.js"
import { withClient } from "../connection.js"
import { exitCodes, type ExitCode } from "../exit-code.js"
import type { Io } from "../io.js"
import { jsonLine } from "../render/json-line.js"
import { styleOf } from "../render/style.js"
import { toolResult } from "../render/tool-result.js"

/** Calls one tool and prints what it answered. */
export const call = async (invocation: CallInvocation, io: Io): Promise<ExitCode> => {
  const result = await withClient(invocation, io, (client) =>
    client.callTool(
      { name: invocation.tool, arguments: invocation.arguments },
      { signal: io.signal },
    ),
  )
  const lines = invocation.json ? [jsonLine(result)] : toolResult(result)
  io.stdout.write(`${lines.join("\n")}\n`)
  if (result.isError !== true) return exitCodes.ok
  if (!invocation.json) {
    const style = styleOf(io.stderr, io, invocation.color)
    io.stderr.write(`${style.bad("error:")} the tool reported an error.\n`)
  }
  return exitCodes.toolError
}
