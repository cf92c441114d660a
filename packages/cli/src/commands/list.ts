import type { ListCommand, ListInvocation } from "../arguments.js"
import { withClient, type Client } from "../connection.js"
import { exitCodeOf, exitCodes, type ExitCode } from "../exit-code.js"
import type { Io } from "../io.js"
import { jsonLine } from "../render/json-line.js"
import { listing, type ShownList } from "../render/listing.js"
import { LiveLine } from "../render/live-line.js"
import { styleOf } from "../render/style.js"
import { widthFor } from "../render/table.js"

type ReadOptions = Parameters<Client["tools"]["list"]>[0]

const read: Readonly<
  Record<ListCommand, (client: Client, options: ReadOptions) => Promise<ShownList>>
> = {
  tools: (client, options) => client.tools.list(options),
  prompts: (client, options) => client.prompts.list(options),
  resources: (client, options) => client.resources.list(options),
  templates: (client, options) => client.resources.templates.list(options),
}

/** A whole list is a success, and so is one that is not offered; anything less says what stopped it. */
const exitCodeFor = ({ status, reason }: ShownList): ExitCode =>
  status === "complete" || status === "unsupported"
    ? exitCodes.ok
    : (exitCodeOf(reason?.code ?? "") ?? exitCodes.protocol)

/** Reads one list and shows it. */
export const list = async (invocation: ListInvocation, io: Io): Promise<ExitCode> => {
  const { name } = invocation
  const live = new LiveLine(io.stderr)
  live.show("connecting …")
  try {
    const taken = await withClient(invocation, io, (client) =>
      read[name](client, {
        signal: io.signal,
        onPage: ({ pages, items }) => live.show(`reading ${name}: ${items} (page ${pages}) …`),
      }),
    )
    live.clear()
    const { status, pages, items, quarantined, reason } = taken
    const shown: ShownList = {
      status,
      pages,
      items,
      quarantined,
      ...(reason === undefined ? {} : { reason }),
    }
    const lines = invocation.json
      ? [jsonLine(shown)]
      : listing(name, shown, widthFor(io.stdout), styleOf(io.stdout, io, invocation.color))
    io.stdout.write(`${lines.join("\n")}\n`)
    return exitCodeFor(shown)
  } finally {
    live.clear()
  }
}
