import type { SnapshotInvocation } from "../arguments.js"
import { nameOf, withClient } from "../connection.js"
import { exitCodes, type ExitCode } from "../exit-code.js"
import type { Io } from "../io.js"
import { jsonLine } from "../render/json-line.js"
import { LiveLine } from "../render/live-line.js"
import { snapshotText } from "../render/snapshot.js"
import { styleOf } from "../render/style.js"
import { widthFor } from "../render/table.js"

/** Connects, reads all four lists, and shows everything. */
export const snapshot = async (invocation: SnapshotInvocation, io: Io): Promise<ExitCode> => {
  const live = new LiveLine(io.stderr)
  const seen = new Map<string, string>()
  live.show("connecting …")
  try {
    const taken = await withClient(invocation, io, async (client) => {
      const read = await client.snapshot({
        signal: io.signal,
        onPage: ({ list, pages, items }) => {
          seen.set(list, `${list} ${items} (page ${pages})`)
          live.show(`reading ${[...seen.values()].join(", ")} …`)
        },
      })
      return { ...read, target: nameOf(invocation.target, client) }
    })
    live.clear()
    const lines = invocation.json
      ? [jsonLine(taken)]
      : snapshotText(taken, widthFor(io.stdout), styleOf(io.stdout, io, invocation.color))
    io.stdout.write(`${lines.join("\n")}\n`)
    return exitCodes.ok
  } finally {
    live.clear()
  }
}
