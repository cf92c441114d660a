import { Buffer } from "node:buffer"
import { createServer, type Socket } from "node:net"
import process from "node:process"
import { fileURLToPath } from "node:url"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { loopback, scopedPeer } from "./loopback.js"
import { makePeer, type Peer } from "./peer.js"
import { makePlayer, type Player } from "./play.js"
import { lineReader } from "./raw-bytes.js"
import type { Script } from "./script.js"
import { stdioMedium, stdioPort, stdioReader } from "./stdio-port.js"

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

const slice = 262_144

const base64 = (bytes: Buffer): string => bytes.toString("base64")

/** One process, reached through the socket of its relay. */
const serve = (socket: Socket, player: Player, context: Context.Context<never>): void => {
  socket.setNoDelay() // several small orders in a row would wait for an acknowledgement
  const command = (order: Readonly<Record<string, string | number>>): void =>
    void socket.write(`${JSON.stringify(order)}\n`)
  const port = stdioPort({
    // In slices, so that the relay passes on the first while it still reads the last.
    stdout: (bytes) => {
      for (let from = 0; from < bytes.length; from += slice) {
        command({ stdout: base64(bytes.subarray(from, from + slice)) })
      }
    },
    stderr: (text) => command({ stderr: base64(Buffer.from(text)) }),
    freeze: () => command({ freeze: 1 }),
    exit: (status) => command({ exit: status }),
  })
  const place = player.open(port, context)
  const readLine = stdioReader(place)
  const hear = lineReader((line) => {
    const event = JSON.parse(line) as RelayEvent // the relay is ours
    if ("stdin" in event) readLine(Buffer.from(event.stdin, "base64"))
    else if ("open" in event) place.receive({ kind: "open", pid: event.open })
    else if ("end" in event) place.receive({ kind: "end" })
    else place.receive({ kind: "signal", signal: event.signal })
  })
  socket.on("data", hear)
  socket.on("error", () => {}) // a killed process resets its socket; `close` follows
  socket.on("close", () => place.leave(port.state() === "over" ? "peer" : "client"))
}

const relay = fileURLToPath(new URL("./stdio-relay.js", import.meta.url))

const openStdioPeer = async (
  script: Script,
  context: Context.Context<never>,
): Promise<StdioPeer> => {
  const player = makePlayer(script, stdioMedium)
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
