import type { Era } from "@entente/protocol"
import type { Script } from "../script.js"

/** What a misbehaviour is served over. */
export type Over = "stdio" | "http" | "sse" | "ws"

/** Where and in which era a misbehaviour is played. */
export interface Scene {
  readonly over: Over
  readonly era: Era
}

/**
 * What a client does to meet the fault. Each begins with connecting and ends with closing.
 *
 * - `connect`: nothing else
 * - `list-tools`: list all tools
 * - `call-echo`: list the tools, then call `echo` with `{ text: "hello" }`
 * - `wait`: list the tools, then wait for what the server does by itself
 */
export type Attempt = "connect" | "list-tools" | "call-echo" | "wait"

/** A way in which servers break the protocol, or the nerves of a client. */
export interface Misbehaviour {
  /** In kebab-case; unique. */
  readonly name: string
  /** What the server does, in one sentence. */
  readonly sentence: string
  /** What a good client shows, in one sentence. */
  readonly outcome: string
  readonly try: Attempt
  /**
   * Whether a good client is done by itself, or only when its own time limit for the handshake or a request is
   * over.
   */
  readonly settles: "by-itself" | "at-time-limit"
  /** What it can be served over; the first is the default. */
  readonly over: ReadonlyArray<Over>
  /** The eras it can be played in; the first is the default. HTTP+SSE and WebSocket are of the legacy era. */
  readonly eras: ReadonlyArray<Era>
  /** Requirements (`V25-…`, `V26-…`) and field cases (`C…`) it is about. */
  readonly ids: ReadonlyArray<string>
  /** The path to connect to where it is not the endpoint. */
  readonly path?: string
  /** Where the server changes as the story goes on, so that a second client needs it told anew. */
  readonly once?: true
  /** The server, as data. */
  readonly script: (scene: Scene) => Script
}

/** Every scene a misbehaviour can be played in; the default first. */
export const scenesOf = ({
  over,
  eras,
}: Pick<Misbehaviour, "over" | "eras">): ReadonlyArray<Scene> =>
  over.flatMap((one) =>
    eras
      .filter((era) => era === "legacy" || one === "stdio" || one === "http")
      .map((era) => ({ over: one, era })),
  )
