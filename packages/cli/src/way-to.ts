import { http, replay, webSocket, type Transport } from "@entente/transport"
import { tcpSocket, unixSocket } from "@entente/transport/socket"
import { stdio } from "@entente/transport/stdio"
import type { Connecting } from "./connecting.js"
import { headersWithoutCredentials, urlWithoutCredentials } from "./credentials.js"
import { readHeaders } from "./header-flag.js"
import type { Io } from "./io.js"
import { oneLine } from "./render/visible-text.js"
import type { ServerTarget, Target } from "./target.js"
import { readTraceFile } from "./trace-file.js"
import type { Way } from "./way.js"

type Headers = Readonly<Record<string, string>>

type Reaching = Pick<Connecting, "headers" | "insecure" | "json">

/** Milliseconds that a replay waits for what was recorded next: a list is read from a recording of all. */
const replayPatienceMs = 100

const configured = async (
  target: ServerTarget,
  headers: Headers,
  { json }: Reaching,
  io: Io,
): Promise<Way> => {
  // What reads those files is large, and only needed for them.
  const { findServer } = await import("./find-server.js")
  const { configuredWay } = await import("./configured-way.js")
  const { server, cwd, faults } = await findServer(target, io)
  if (!json) {
    for (const { message, severity } of faults) {
      if (severity !== "note") io.stderr.write(`warning: ${target.name}: ${oneLine(message)}\n`)
    }
  }
  return configuredWay(server, cwd, headers)
}

const transportTo = async (
  target: Exclude<Target, ServerTarget>,
  headers: Headers,
  { insecure }: Reaching,
  io: Io,
): Promise<() => Transport> => {
  switch (target.kind) {
    case "replay": {
      const text = await readTraceFile(target.path)
      return () => replay(text, { patienceMs: replayPatienceMs })
    }
    case "url":
      return () => http(target.url, { headers })
    case "websocket":
      return () => webSocket(target.url, { headers, allowInsecure: insecure })
    case "unix":
      return () => unixSocket(target.path)
    case "tcp":
      return () => tcpSocket(target)
    case "demo":
      return () =>
        stdio({ command: process.execPath, args: [io.main, "demo", "--era", target.era] })
    case "command":
      // What a person starts from a shell may see what the shell exports.
      return () => stdio({ command: target.command, args: target.args, inheritEnv: true })
  }
}

/** The target as somebody whom the server does not know would reach it. */
const anonymous = (
  target: Exclude<Target, ServerTarget>,
  headers: Headers,
): { readonly target: typeof target; readonly headers: Headers } | undefined => {
  if (target.kind !== "url" && target.kind !== "websocket") return undefined
  const url = urlWithoutCredentials(target.url)
  const kept = headersWithoutCredentials(headers)
  return url === undefined && kept === undefined
    ? undefined
    : { target: { ...target, url: url ?? target.url }, headers: kept ?? headers }
}

/** The way to a target. What stands in the way of it is an error of the command line. */
export const wayTo = async (target: Target, reaching: Reaching, io: Io): Promise<Way> => {
  const headers = readHeaders(reaching.headers)
  if (target.kind === "server") return await configured(target, headers, reaching, io)
  const unknown = anonymous(target, headers)
  return {
    transport: await transportTo(target, headers, reaching, io),
    ...(unknown === undefined
      ? {}
      : {
          withoutCredentials: await transportTo(unknown.target, unknown.headers, reaching, io),
        }),
    headerNames: Object.keys(headers),
  }
}
