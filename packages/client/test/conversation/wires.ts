import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import { Client, PromiseClient, memoryVerdicts, type ConnectOptions } from "@entente/client"
import {
  legacyServer,
  modernServer,
  tool,
  type Peer,
  type Script,
  type ServerOptions,
} from "@entente/testkit"
import { httpPeer, stdioPeer } from "@entente/testkit/node"
import { http, type Transport } from "@entente/transport"
import { stdio } from "@entente/transport/stdio"

/** A scripted server, and the way to it. */
interface Meeting {
  readonly peer: Peer
  readonly transport: Transport
}

type Wire = "stdio" | "http"

/** A pipe that is shared, and exchanges that each request has to itself: with a real process and real sockets. */
export const wires: Readonly<
  Record<Wire, (script: Script) => Effect.Effect<Meeting, never, Scope.Scope>>
> = {
  stdio: (script) => Effect.map(stdioPeer(script), (peer) => ({ peer, transport: stdio(peer) })),
  http: (script) => Effect.map(httpPeer(script), (peer) => ({ peer, transport: http(peer.url) })),
}

export const eras = {
  legacy: (options: ServerOptions = {}) => legacyServer({ tools: [tool("a")], ...options }),
  modern: (options: ServerOptions = {}) => modernServer({ tools: [tool("a")], ...options }),
} as const

/** What every result has besides, in each era. */
export const complete = {
  legacy: {},
  modern: { resultType: "complete" },
} as const

/** Every combination, as the rows of a table of tests. */
export const everyWireAndEra = (Object.keys(wires) as Array<Wire>).flatMap((wire) =>
  (Object.keys(eras) as Array<keyof typeof eras>).map((era) => [wire, era] as const),
)

/** One connection behind both doors, on the clock of the test; it ends with the test. */
export const bothDoors = (transport: Transport, options: ConnectOptions = {}) =>
  Effect.map(Client.connect(transport, { verdicts: memoryVerdicts(), ...options }), (effects) => ({
    effects,
    promises: new PromiseClient(effects, Scope.makeUnsafe()),
  }))
