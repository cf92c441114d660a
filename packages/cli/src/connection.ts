import { connect, memoryVerdicts, type ConnectOptions } from "@entente/client"
import { legacyRevisions, modernRevisions } from "@entente/protocol"
import { http, record, replay, webSocket, type Transport } from "@entente/transport"
import { tcpSocket, unixSocket } from "@entente/transport/socket"
import { stdio } from "@entente/transport/stdio"
import type { Connecting } from "./arguments.js"
import { readHeaders } from "./header-flag.js"
import type { Io } from "./io.js"
import { oneLine } from "./render/visible-text.js"
import type { ServerTarget, Target } from "./target.js"
import { openTraceFile, readTraceFile } from "./trace-file.js"
import { UsageError } from "./usage-error.js"
import { version } from "./version.js"

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

const modeOf = (era: string): Mode => {
  const mode = modes.find((one) => one === era)
  if (mode === undefined) throw new UsageError(`--era is one of ${modes.join(", ")}.`)
  return mode
}

/** Milliseconds that a replay waits for what was recorded next: a list is read from a recording of all. */
const replayPatienceMs = 100

type Headers = Readonly<Record<string, string>>

/** A way to a server, and what is known of it beforehand. */
interface Way {
  readonly transport: Transport
  /** Names of all headers that are the user's. */
  readonly headerNames: ReadonlyArray<string>
  /** How long each answer may take, where a configuration file says so. */
  readonly timeoutMs?: number
}

const configuredWay = async (
  { target, json }: Connecting & { readonly target: ServerTarget },
  headers: Headers,
  io: Io,
): Promise<Way> => {
  // What reads those files is large, and only needed for them.
  const { findServer, transportOf } = await import("./find-server.js")
  const { server, cwd, faults } = await findServer(target, io)
  if (!json) {
    for (const { message, severity } of faults) {
      if (severity !== "note") io.stderr.write(`warning: ${target.name}: ${oneLine(message)}\n`)
    }
  }
  const given = Object.keys(headers)
  if (server.kind === "local" && given.length > 0) {
    throw new UsageError(`--header is for a URL: ${server.id} is a program.`)
  }
  const own = server.kind === "remote" ? Object.keys(server.headers) : []
  return {
    transport: transportOf(server, { cwd, headers }),
    headerNames: [...own, ...given],
    ...(server.timeoutMs === undefined ? {} : { timeoutMs: server.timeoutMs }),
  }
}

const wayTo = async (connecting: Connecting, headers: Headers, io: Io): Promise<Way> => {
  const { target } = connecting
  return target.kind === "server"
    ? await configuredWay({ ...connecting, target }, headers, io)
    : {
        transport: await transportTo({ ...connecting, target }, headers, io),
        headerNames: Object.keys(headers),
      }
}

const transportTo = async (
  { target, insecure }: Connecting & { readonly target: Exclude<Target, ServerTarget> },
  headers: Headers,
  io: Io,
): Promise<Transport> => {
  switch (target.kind) {
    case "replay":
      return replay(await readTraceFile(target.path), { patienceMs: replayPatienceMs })
    case "url":
      return http(target.url, { headers })
    case "websocket":
      return webSocket(target.url, { headers, allowInsecure: insecure })
    case "unix":
      return unixSocket(target.path)
    case "tcp":
      return tcpSocket(target)
    case "demo":
      return stdio({ command: process.execPath, args: [io.main, "demo", "--era", target.era] })
    case "command":
      // What a person starts from a shell may see what the shell exports.
      return stdio({ command: target.command, args: target.args, inheritEnv: true })
  }
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
  const { target, era, headers: given, strict, trace: path } = connecting
  const mode = modeOf(era)
  const way = await wayTo(connecting, readHeaders(given), io)
  const { transport } = way
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
