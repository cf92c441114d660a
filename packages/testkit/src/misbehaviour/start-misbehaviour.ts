import { explain, InvalidInput } from "@entente/protocol"
import { startHttpPeer } from "../http-peer.js"
import { startHttpSsePeer } from "../http-sse-peer.js"
import type { Address } from "../loopback.js"
import type { Peer } from "../peer.js"
import type { Script } from "../script.js"
import { startStdioPeer } from "../stdio-peer.js"
import { startWebSocketPeer } from "../web-socket-peer.js"
import { misbehaviours } from "./catalogue.js"
import { scenesOf, type Misbehaviour, type Over, type Scene } from "./misbehaviour.js"

/** How a client reaches what was started. */
export type MisbehaviourTarget =
  | { readonly kind: "stdio"; readonly command: string; readonly args: ReadonlyArray<string> }
  | { readonly kind: Exclude<Over, "stdio">; readonly url: string }

export interface StartedMisbehaviour extends AsyncDisposable {
  readonly misbehaviour: Misbehaviour
  readonly scene: Scene
  readonly target: MisbehaviourTarget
  /** The server itself: what it received, and ways to steer it. */
  readonly peer: Peer
  /** Begins the story anew, for another client; see `Misbehaviour.once`. */
  readonly again: () => void
  /** Ends the server and, over stdio, its processes. */
  readonly close: () => Promise<void>
}

const refuse = (what: string): never => {
  throw new InvalidInput(explain("invalid-input", "input", "misbehaviour", what))
}

/** The scene that is meant; throws `InvalidInput` where the misbehaviour cannot be played there. */
export const sceneOf = (misbehaviour: Misbehaviour, wanted: Partial<Scene> = {}): Scene => {
  const scenes = scenesOf(misbehaviour)
  return (
    scenes.find(({ over, era }) => (wanted.over ?? over) === over && (wanted.era ?? era) === era) ??
    refuse(
      `${misbehaviour.name} is played over ${scenes
        .map(({ over, era }) => `${over} (${era})`)
        .join(", ")}.`,
    )
  )
}

/** The misbehaviour of that name; throws `InvalidInput` where there is none. */
export const misbehaviourNamed = (name: string): Misbehaviour =>
  misbehaviours.find((one) => one.name === name) ?? refuse(`There is no misbehaviour ${name}.`)

const play = async (
  script: Script,
  { over }: Scene,
  path: string | undefined,
  address: Address | undefined,
): Promise<readonly [Peer, MisbehaviourTarget]> => {
  if (over === "stdio") {
    const peer = await startStdioPeer(script)
    return [peer, { kind: over, command: peer.command, args: peer.args }]
  }
  const start = { http: startHttpPeer, sse: startHttpSsePeer, ws: startWebSocketPeer }[over]
  const peer = await start(script, address)
  const url = path === undefined ? peer.url : new URL(path, peer.url).href
  return [peer, { kind: over, url }]
}

/**
 * Starts a server that misbehaves as named. Where it can be served in several ways, the first is taken
 * unless `scene` says otherwise. Any number may run beside each other.
 *
 * @throws InvalidInput for an unknown name, or a scene in which it is not played
 * @example
 * await using started = await startMisbehaviour("same-cursor-forever", { over: "http" })
 * started.target // { kind: "http", url: "http://127.0.0.1:…/mcp" }
 */
export const startMisbehaviour = async (
  name: string,
  wanted: Partial<Scene> = {},
  address?: Address,
): Promise<StartedMisbehaviour> => {
  const misbehaviour = misbehaviourNamed(name)
  const scene = sceneOf(misbehaviour, wanted)
  const script = misbehaviour.script(scene)
  const [peer, target] = await play(script, scene, misbehaviour.path, address)
  return {
    misbehaviour,
    scene,
    target,
    peer,
    again: () => peer.replace(script.rules),
    close: peer.close,
    [Symbol.asyncDispose]: peer.close,
  }
}
