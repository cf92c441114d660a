import { Buffer } from "node:buffer"
import { createServer, type Socket } from "node:net"
import process from "node:process"
import { fileURLToPath } from "node:url"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { readText } from "./arrival.js"
import type { Medium } from "./check-script.js"
import { loopback, scopedPeer } from "./loopback.js"
import { makePeer, type Peer } from "./peer.js"
import { makePlayer, type Player, type Port } from "./play.js"
import { lineReader, rawBytes } from "./raw-bytes.js"
import type { Script } from "./script.js"

const medium: Medium = {
  name: "stdio",
  plays: new Set([
    "result",
    "error",
    "message",
    "raw",
    "stderr",
    "exit",
    "freeze",
    "delay",
    "silence",
    "destroy",
  ]),
  notices: new Set([
    "request",
    "notification",
    "response",
    "batch",
    "invalid",
    "open",
    "end",
    "signal",
  ]),
  overHttp: new Set(),
}

/** What to spawn. Every process started so is a server of its own, played by the one peer. */
export interface StdioPeer extends Peer {
  readonly command: string
  readonly args: ReadonlyArray<string>
}

/** What the relay says: the process is up, stdin bytes in Base64, stdin is closed, a signal came. */
type RelayEvent =
  | { readonly open: number }
  | { readonly stdin: string }
  | { readonly end: true }
  | { readonly signal: string }

const base64 = (bytes: Buffer): string => bytes.toString("base64")

/** One process, reached through the socket of its relay. */
const serve = (socket: Socket, player: Player, context: Context.Context<never>): void => {
  let over = false
  const command = (order: Readonly<Record<string, string | number>>): void =>
    void socket.write(`${JSON.stringify(order)}\n`)
  const exit = (status: string | number): void => {
    if (over) return
    over = true
    command({ exit: status })
  }
  const write = (bytes: Buffer): void => command({ stdout: base64(bytes) })

  const port: Port = {
    state: () => (over ? "over" : "stream"),
    put: (output) => {
      if (over) return
      if ("message" in output) write(Buffer.from(`${JSON.stringify(output.message)}\n`))
      else if ("raw" in output) write(rawBytes(output.raw))
      else if ("stderr" in output) command({ stderr: base64(Buffer.from(output.stderr)) })
      else if ("exit" in output) exit(output.exit)
      else if ("freeze" in output) command({ freeze: 1 })
    },
    end: () => {},
    destroy: () => exit("SIGKILL"),
  }
  const place = player.open(port, context)
  const readLine = lineReader((line) => {
    if (line !== "") place.receive(readText(line))
  })
  const hear = lineReader((line) => {
    const event = JSON.parse(line) as RelayEvent // the relay is ours
    if ("stdin" in event) readLine(Buffer.from(event.stdin, "base64"))
    else if ("open" in event) place.receive({ kind: "open", pid: event.open })
    else if ("end" in event) place.receive({ kind: "end" })
    else place.receive({ kind: "signal", signal: event.signal })
  })
  socket.on("data", hear)
  socket.on("error", () => {}) // a killed process resets its socket; `close` follows
  socket.on("close", () => place.leave(over ? "peer" : "client"))
}

const relay = fileURLToPath(new URL("./stdio-relay.js", import.meta.url))

const openStdioPeer = async (
  script: Script,
  context: Context.Context<never>,
): Promise<StdioPeer> => {
  const player = makePlayer(script, medium)
  const { start, stop, port } = loopback(createServer((socket) => serve(socket, player, context)))
  await start()

  return {
    ...makePeer(player, { start, stop }),
    command: process.execPath,
    args: [relay, String(port())],
  }
}

/**
 * A scripted stdio server: spawn `command` with `args` as often as you like. The processes only relay;
 * the script is played here, so the journal, live control and the caller's clock work as over memory.
 * They end with the scope, and with this process.
 */
export const stdioPeer = (script: Script): Effect.Effect<StdioPeer, never, Scope.Scope> =>
  scopedPeer((context) => openStdioPeer(script, context))

/**
 * The same as a Promise; `close`, or the end of `await using`, ends it.
 *
 * @example
 * const peer = await startStdioPeer({ rules: [{ when: { kind: "open" }, reply: [{ exit: 3 }] }] })
 * spawn(peer.command, peer.args)
 */
export const startStdioPeer = (script: Script): Promise<StdioPeer> =>
  openStdioPeer(script, Context.empty())
