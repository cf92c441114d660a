import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { explain, Unreachable } from "@entente/protocol"
import type { Channel, Receiver, Transport } from "@entente/transport"
import { readText } from "./arrival.js"
import type { Medium } from "./check-script.js"
import { makePeer, type Peer } from "./peer.js"
import { makePlayer, type Player, type Port } from "./play.js"
import type { Script } from "./script.js"

const medium: Medium = {
  name: "memory",
  plays: new Set(["result", "error", "message", "delay", "silence", "destroy"]),
  notices: new Set(["open", "request", "notification", "response", "batch", "invalid"]),
  overHttp: new Set(),
}

export interface MemoryPeer extends Peer {
  /** The way to this peer; every opening is a channel of its own. */
  readonly transport: Transport
}

const target = "scripted peer in memory"

const unreachable = (what: string): Unreachable =>
  new Unreachable(explain("unreachable", "open", target, what))

/** One client's channel. What either side says is delivered in order, in later microtasks. */
const openChannel = (
  player: Player,
  context: Context.Context<never>,
): { readonly channel: Channel; readonly release: () => void } => {
  let state: "open" | "released" | "cut" = "open"
  let receiver: Receiver | undefined
  const early: Array<(receiver: Receiver) => void> = []

  const tell = (say: (receiver: Receiver) => void): void =>
    queueMicrotask(() => {
      if (state === "released") return
      if (receiver === undefined) early.push(say)
      else say(receiver)
    })

  const port: Port = {
    state: () => (state === "open" ? "stream" : "over"),
    put: (output) => {
      if (state !== "open" || !("message" in output)) return
      const text = JSON.stringify(output.message) // as on a wire: later changes do not show
      tell(({ message }) => message(JSON.parse(text), { exchange: 0 }))
    },
    end: () => {},
    destroy: () => {
      if (state !== "open") return
      state = "cut"
      place.leave("peer")
      tell(({ closed }) => closed(unreachable("The peer cut the channel.")))
    },
  }
  const place = player.open(port, context)
  place.receive({ kind: "open" })

  return {
    channel: {
      exchanges: "shared",
      listen: (listener) => {
        receiver = listener
        for (const say of early.splice(0)) say(listener)
      },
      send: ({ message }, settled) => {
        const text = JSON.stringify(message)
        queueMicrotask(() => {
          if (state !== "open") {
            const error = unreachable("The channel is closed.")
            return settled({ _tag: "Failed", error, mayHaveArrived: false })
          }
          settled({ _tag: "Written" })
          place.receive(readText(text))
        })
        return { exchange: 0, abort: () => {} }
      },
    },
    release: () => {
      state = "released"
      place.leave("client")
    },
  }
}

let peers = 0

/**
 * A scripted server without a process or socket. Delays run on the clock of the Effect that opens the
 * transport, so `TestClock` drives them.
 *
 * @example
 * const peer = memoryPeer({ rules: [{ when: { method: "ping" }, reply: [{ result: {} }] }] })
 * const channel = yield* peer.transport.open
 */
export const memoryPeer = (script: Script): MemoryPeer => {
  const player = makePlayer(script, medium)
  let accepting = true
  peers += 1
  const accept = (accepts: boolean) => (): Promise<void> => {
    accepting = accepts
    return Promise.resolve()
  }
  return {
    ...makePeer(player, { stop: accept(false), start: accept(true) }),
    transport: {
      kind: "memory",
      target,
      key: `memory:scripted-peer-${peers}`,
      open: Effect.gen(function* () {
        if (!accepting) return yield* unreachable("The peer is closed.")
        const context = yield* Effect.context<never>()
        const { channel } = yield* Effect.acquireRelease(
          Effect.sync(() => openChannel(player, context)),
          ({ release }) => Effect.sync(release),
        )
        return channel
      }),
    },
  }
}
