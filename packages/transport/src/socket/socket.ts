import { resolve } from "node:path"
import * as Effect from "effect/Effect"
import { explain, InvalidInput } from "@entente/protocol"
import { redactText } from "@entente/trace"
import { noCredentials } from "../credential-fingerprint.js"
import { isLoopback } from "../loopback.js"
import { defaultMaxMessageBytes } from "../framing/message-limit.js"
import { currentTimers } from "../timers.js"
import type { Transport } from "../transport.js"
import { StreamChannel, type StreamAddress } from "./stream-channel.js"

export interface SocketOptions {
  /** The longest message accepted, in bytes. Default 16 MiB. */
  readonly maxMessageBytes?: number
  readonly timeouts?: {
    /** Milliseconds until the connection must be there. Default 10 000. */
    readonly connect?: number
  }
}

/** Where a server listens on TCP. */
export interface TcpAddress {
  /** A name or an address. Default: this machine, `127.0.0.1`. */
  readonly host?: string
  readonly port: number
}

const defaultConnectTimeout = 10_000

/** Bytes a path may have. Longer ones are cut off below Node without a word: another socket would answer. */
const longestPath = process.platform === "linux" ? 107 : 103

/**
 * A server that listens on a Unix socket, or on a named pipe of Windows. A *custom* transport with
 * stdio's framing: each message is one line of JSON, a request is cancelled by
 * `notifications/cancelled`, and who may connect is up to the permissions of the socket file
 * (V26-CUST-04, V26-CUST-05). Throws `InvalidInput` for a path that is empty, or longer than the system
 * takes.
 *
 * @example
 * unixSocket("/run/mcp.sock")
 */
export const unixSocket = (path: string, options: SocketOptions = {}): Transport => {
  if (path === "" || path.includes("\0")) throw invalid("unix:", "The path of the socket is empty.")
  // A pipe of Windows is no file, so it has no directory to be resolved against.
  const isPipe = path.startsWith("\\\\")
  const absolute = isPipe ? path : resolve(path)
  const target = redactText(`unix:${absolute}`)
  if (!isPipe && Buffer.byteLength(absolute) > longestPath) {
    throw invalid(target, `The path of a Unix socket may have ${longestPath} bytes, not more.`)
  }
  return streamTransport("unix-socket", target, { path: absolute }, false, options)
}

/**
 * A server that listens on a TCP port, spoken to as over a Unix socket. Nothing is encrypted, and nobody
 * proves who they are: use it on this machine or inside a tunnel, and send no secrets. A connection to
 * another machine leaves the note `clear-text` (V26-CUST-07). Throws `InvalidInput` for a port or a host
 * that can't be one.
 *
 * @example
 * tcpSocket({ port: 7400 })
 */
export const tcpSocket = (
  { host = "127.0.0.1", port }: TcpAddress,
  options: SocketOptions = {},
): Transport => {
  const target = `tcp://${host.includes(":") ? `[${host}]` : host}:${port}`
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw invalid(target, "A TCP port is a number from 1 to 65535.")
  }
  if (!/^[\w.:%-]+$/.test(host)) throw invalid("tcp:", "The host is no name and no address.")
  return streamTransport("tcp-socket", target, { host, port }, !isLoopback(host), options)
}

const streamTransport = (
  kind: "unix-socket" | "tcp-socket",
  target: string,
  address: StreamAddress,
  clearText: boolean,
  options: SocketOptions,
): Transport => ({
  kind,
  target,
  key: target,
  reach: kind === "tcp-socket" && clearText ? "anywhere" : "machine",
  credentials: noCredentials,
  open: Effect.gen(function* () {
    // Made before the connection: its timers still run while that is being closed.
    const timers = yield* currentTimers
    const channel = yield* Effect.acquireRelease(
      Effect.sync(
        () =>
          new StreamChannel({
            target,
            address,
            timers,
            clearText,
            connectTimeout: options.timeouts?.connect ?? defaultConnectTimeout,
            maxMessageBytes: options.maxMessageBytes ?? defaultMaxMessageBytes,
          }),
      ),
      ({ close }) => close,
    )
    yield* channel.opened
    return channel
  }),
})

const invalid = (target: string, what: string): InvalidInput =>
  new InvalidInput(explain("invalid-input", "input", target, what))
