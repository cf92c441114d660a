import { connect, memoryVerdicts, type ConnectOptions } from "@entente/client"
import { legacyRevisions, modernRevisions } from "@entente/protocol"
import { record } from "@entente/transport"
import type { Connecting } from "./connecting.js"
import type { Io } from "./io.js"
import type { Target } from "./target.js"
import { openTraceFile } from "./trace-file.js"
import { UsageError } from "./usage-error.js"
import { version } from "./version.js"
import { wayTo } from "./way-to.js"

/** A connected client. */
export type Client = Awaited<ReturnType<typeof connect>>

type Mode = NonNullable<ConnectOptions["mode"]>

const modes: ReadonlyArray<Mode> = [
  "auto",
  "modern",
  "legacy",
  ...modernRevisions,
  ...legacyRevisions,
]

/** What `--era` means. */
export const modeOf = (era: string): Mode => {
  const mode = modes.find((one) => one === era)
  if (mode === undefined) throw new UsageError(`--era is one of ${modes.join(", ")}.`)
  return mode
}

/** The server as the person at the command line named it. */
export const nameOf = (target: Target, client: Client): string =>
  target.kind === "demo" || target.kind === "server" ? target.name : client.target

/**
 * Connects, hands the client over, and closes the connection whatever happens: with it go the session
 * and the processes that were started. A trace is whole when this returns.
 */
export const withClient = async <A>(
  connecting: Connecting,
  io: Io,
  use: (client: Client) => Promise<A>,
): Promise<A> => {
  const { target, era, strict, trace: path } = connecting
  const mode = modeOf(era)
  const way = await wayTo(target, connecting, io)
  const transport = way.transport()
  const timeoutMs = connecting.timeoutMs ?? way.timeoutMs
  const file = path === undefined ? undefined : await openTraceFile(path, way.headerNames, io)
  try {
    const client = await connect(file === undefined ? transport : record(transport, file.trace), {
      mode,
      clientInfo: { name: "entente-cli", version: version() },
      reconnect: "never",
      listen: false, // a command is over before a server says anything by itself
      verdicts: memoryVerdicts(), // every run finds out for itself
      strict,
      signal: io.signal,
      // The bundled server always answers, but a busy machine may be slow to start it.
      ...(target.kind === "demo" ? { probeMs: 30_000 } : {}),
      ...(timeoutMs === undefined ? {} : { timeoutMs, handshakeMs: timeoutMs }),
      ...(file === undefined ? {} : { trace: file.observed }),
    })
    try {
      return await use(client)
    } finally {
      await client.close()
    }
  } finally {
    await file?.close()
  }
}
