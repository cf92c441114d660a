import type { EntenteError } from "@entente/protocol"
import type { SubscriptionOutcome, SubscriptionPolicy } from "@entente/session"
import type { ChartRunner } from "../life/charts.js"
import type { OpenChannel } from "../life/open-channel.js"
import type { SessionKeeper } from "../session/session-keeper.js"
import { Listeners } from "../wire/listeners.js"
import type { NoteBook } from "../wire/note-book.js"
import type { Wire } from "../wire/wire.js"
import { LegacyStream } from "./legacy-stream.js"

/**
 * Whether the server is heard when it speaks by itself: `closed` where there is no stream for it, `open`
 * and `opening`; `backingOff` between two tries; `unsupported` and `unavailable` when it is not tried again.
 */
export type ListeningState =
  | "closed"
  | "opening"
  | "open"
  | "backingOff"
  | "unsupported"
  | "unavailable"

/** What a connection lends to its ears. */
export interface ListeningContext {
  readonly target: string
  readonly runner: ChartRunner
  readonly wire: Wire
  readonly channel: OpenChannel
  readonly sessions: SessionKeeper
  readonly notes: NoteBook
  /** `false` opens no stream. */
  readonly policy: Partial<SubscriptionPolicy> | false
  readonly random: () => number
}

/** What came of listening, for the connection. */
export interface ListeningOwner {
  readonly missed: () => void
  readonly caughtUp: () => void
  readonly unreachable: (error: EntenteError) => void
}

/**
 * Hears what a server says by itself. Over HTTP that needs a stream of its own; a connection never waits
 * for it, and never fails because of it (V25-HTTP-12, C049, C050).
 */
export class Listening {
  readonly changed = new Listeners<ListeningState>()
  #state: ListeningState = "closed"
  #stream: LegacyStream | undefined
  /** A 404 was taken for an expired session once, and no stream has been open since. */
  #expiredBefore = false
  readonly #context: ListeningContext
  readonly #owner: ListeningOwner

  constructor(context: ListeningContext, owner: ListeningOwner) {
    this.#context = context
    this.#owner = owner
  }

  get state(): ListeningState {
    return this.#state
  }

  /** The connection is ready, on a new session or channel: listens anew. */
  start(): void {
    const { wire, channel, runner, target, policy, random, sessions } = this.#context
    const { openStream, exchanges } = channel.channel ?? {}
    // A pipe that is shared carries what the server says by itself as well.
    if (exchanges === "shared") return this.#set("open")
    if (policy === false || openStream === undefined || wire.era !== "legacy") return
    const { missed, caughtUp, unreachable } = this.#owner
    const stream = new LegacyStream(
      {
        target,
        openStream,
        // A GET is no message, but wears what every message of the session does.
        headers: () => wire.dress({ jsonrpc: "2.0", method: "GET" }).headers,
        hasSession: () => sessions.renewable && !this.#expiredBefore,
        missed,
        caughtUp,
        unreachable,
        changed: () => this.#follow(stream),
        ended: (outcome) => this.#ended(stream, outcome),
      },
      policy,
      random,
      runner,
    )
    this.#stream = stream
    stream.start()
  }

  /** The connection is not ready any more: the stream goes, and what it was is forgotten (V25-HTTP-33). */
  stop(): void {
    const stream = this.#stream
    this.#stream = undefined
    stream?.release()
    this.#set("closed")
  }

  #follow(stream: LegacyStream): void {
    if (stream !== this.#stream) return
    const state = shown[stream.state]
    if (state === undefined) return
    if (state === "open") this.#expiredBefore = false
    this.#set(state)
  }

  #ended(stream: LegacyStream, { reason, error }: SubscriptionOutcome): void {
    if (stream !== this.#stream) return
    this.#stream = undefined
    const { notes, sessions } = this.#context
    switch (reason) {
      case "released":
        return this.#set("closed")
      case "expired":
        this.#expiredBefore = true
        this.#set("closed")
        if (error !== undefined) sessions.gone("missing", sessions.generation, error)
        return
      case "unsupported":
      case "unavailable":
        notes.add({
          code: `listening-${reason}`,
          detail: error?.message ?? "the GET stream brought no answer in time",
        })
        return this.#set(reason)
    }
  }

  #set(state: ListeningState): void {
    if (state === this.#state) return
    this.#state = state
    this.changed.tell(state)
  }
}

/** The chart's states as users see them; the others are passed through at once. */
const shown: { readonly [state: string]: ListeningState | undefined } = {
  opening: "opening",
  acknowledged: "open",
  backingOff: "backingOff",
}
