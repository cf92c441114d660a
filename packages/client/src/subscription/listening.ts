import type { EntenteError, JsonObject, SubscriptionFilter } from "@entente/protocol"
import type { AcknowledgedFilter, SubscriptionOutcome, SubscriptionPolicy } from "@entente/session"
import type { ChartRunner } from "../life/charts.js"
import { listNotices, type ListNotice } from "../list/list-notice.js"
import type { OpenChannel } from "../life/open-channel.js"
import type { SessionKeeper } from "../session/session-keeper.js"
import { declaringTasks } from "../task/task-capability.js"
import { Listeners } from "../wire/listeners.js"
import type { NoteBook } from "../wire/note-book.js"
import type { Wire } from "../wire/wire.js"
import { Interest } from "./interest.js"
import { LegacyStream } from "./legacy-stream.js"
import { tellsOfList, withheldOf, type Wanted } from "./listen-filter.js"
import { ModernListening } from "./modern-listening.js"
import { OpenListens } from "./open-listens.js"
import type { SubscriptionRun } from "./subscription-actor.js"

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

/** What a server was asked to tell, and what it agreed to. */
export interface Subscriptions {
  /** What was asked for; absent of a legacy server, which is asked for resources one by one. */
  readonly asked?: SubscriptionFilter
  /** What is told: `everything` on a legacy channel; absent while nothing is heard. */
  readonly filter?: AcknowledgedFilter
  /** What was asked for and is not told: read that again when you need it (V26-SUB-04). */
  readonly withheld: SubscriptionFilter
}

/** What a connection lends to its ears. */
export interface ListeningContext {
  readonly target: string
  readonly runner: ChartRunner
  readonly wire: Wire
  readonly channel: OpenChannel
  readonly sessions: SessionKeeper
  readonly notes: NoteBook
  /** What this client declares to a modern server. */
  readonly declared: () => JsonObject
  /** `false` opens no stream that nobody has asked for. */
  readonly policy: Partial<SubscriptionPolicy> | false
  readonly random: () => number
}

/** What came of listening, for the connection. */
export interface ListeningOwner {
  /** What a modern server offers of what is wanted. */
  readonly offered: (wanted: Wanted) => SubscriptionFilter
  /** Whether the server declares that it tells when a list changes. */
  readonly announces: (notice: ListNotice) => boolean
  readonly missed: (covered: AcknowledgedFilter) => void
  readonly caughtUp: (covered: AcknowledgedFilter) => void
  readonly unreachable: (error: EntenteError) => void
}

/**
 * Hears what a server says by itself, in either era: one interest, and whatever stream serves it
 * (V26-DUAL-11). A connection never waits for it, and never fails because of it (V25-HTTP-12, C049, C050).
 */
export class Listening {
  readonly changed = new Listeners<ListeningState>()
  /** Resources and tasks that the host wants to hear of, by URI and by id. */
  readonly resources = new Interest()
  readonly tasks = new Interest()
  /** Lists that somebody follows, by the notification that tells of them. */
  readonly lists = new Interest<ListNotice>()
  /** What became of what a modern server was asked for. */
  readonly granted = new Listeners<SubscriptionFilter>()
  readonly withheld = new Listeners<{
    readonly filter: SubscriptionFilter
    readonly cause: EntenteError | undefined
  }>()
  /** The subscriptions of a modern server that are open, and what may come on them. */
  readonly open: OpenListens
  #state: ListeningState = "closed"
  #started = false
  #legacy: LegacyStream | undefined
  #modern: ModernListening | undefined
  /** A 404 was taken for an expired session once, and no stream has been open since. */
  #expiredBefore = false
  readonly #context: ListeningContext
  readonly #owner: ListeningOwner

  constructor(context: ListeningContext, owner: ListeningOwner) {
    this.#context = context
    this.#owner = owner
    this.open = new OpenListens(context.notes)
    this.resources.changed.add(() => this.#follow())
    this.tasks.changed.add(() => this.#follow())
    // Otherwise all lists are listened for anyway.
    this.lists.changed.add(() => void (this.mayListen || this.#follow()))
  }

  get state(): ListeningState {
    return this.#state
  }

  /** Whether a stream may be opened that the host has not asked for itself. */
  get mayListen(): boolean {
    return this.#context.policy !== false
  }

  get subscriptions(): Subscriptions {
    const { asked, granted } = this.#modern ?? {}
    const heard = this.#modern === undefined && this.#state === "open" ? "everything" : granted
    return {
      ...(asked === undefined ? {} : { asked }),
      ...(heard === undefined ? {} : { filter: heard }),
      withheld: asked === undefined ? {} : withheldOf(asked, granted ?? {}),
    }
  }

  /** Whether the server is heard, and has agreed to tell when a list changes. */
  tellsOf(notice: ListNotice): boolean {
    const { filter } = this.subscriptions
    if (filter === undefined) return false
    return filter === "everything" ? this.#owner.announces(notice) : tellsOfList(filter, notice)
  }

  /** The connection is ready, on a new session or channel: listens anew (V26-STDIO-10, V26-SUB-12). */
  start(): void {
    this.#started = true
    if (this.#context.wire.era === "modern") this.#modern = this.#modernListening()
    this.#follow()
  }

  /** The connection is not ready any more: the stream goes, and what it was is forgotten (V25-HTTP-33). */
  stop(): void {
    this.#started = false
    const modern = this.#modern
    this.#modern = undefined
    modern?.release()
    this.#releaseLegacy()
  }

  #releaseLegacy(): void {
    const stream = this.#legacy
    this.#legacy = undefined
    stream?.release()
    this.#set("closed")
  }

  get #run(): SubscriptionRun {
    const { policy, random, runner } = this.#context
    return { policy: policy === false ? {} : policy, random, runner }
  }

  /** Whether there is anything to hear that somebody has asked for. */
  get #isWanted(): boolean {
    return this.#context.policy !== false || !this.resources.isEmpty || !this.lists.isEmpty
  }

  #follow(): void {
    if (!this.#started) return
    if (this.#modern === undefined) return this.#followLegacy()
    this.#modern.follow()
    this.#show(this.#modern.state)
  }

  #modernListening(): ModernListening {
    const { target, wire, notes, policy } = this.#context
    const { missed, caughtUp, unreachable, offered } = this.#owner
    const listening: ModernListening = new ModernListening(
      {
        target,
        wire,
        notes,
        missed,
        caughtUp,
        unreachable,
        open: this.open,
        // V26-TASK-01, V26-TASK-19: whoever names a task has declared the extension.
        wishes: ({ taskIds }) =>
          taskIds === undefined
            ? undefined
            : { capabilities: declaringTasks(this.#context.declared()) },
        wanted: () =>
          offered({
            lists: policy === false ? this.lists.names : listNotices,
            resources: this.resources.names,
            tasks: this.tasks.names,
          }),
        granted: (filter) => this.granted.tell(filter),
        withheld: (filter, cause) => this.withheld.tell({ filter, cause }),
        changed: () => {
          if (listening === this.#modern) this.#show(listening.state)
        },
      },
      this.#run,
    )
    return listening
  }

  #followLegacy(): void {
    const { wire, channel, target, sessions } = this.#context
    const { openStream, exchanges } = channel.channel ?? {}
    // A pipe that is shared carries what the server says by itself as well.
    if (exchanges === "shared") return this.#set("open")
    if (!this.#isWanted) return this.#releaseLegacy()
    if (openStream === undefined || this.#state !== "closed") return
    const { missed, caughtUp, unreachable } = this.#owner
    const stream = new LegacyStream(
      {
        target,
        openStream,
        // A GET is no message, but wears what every message of the session does.
        headers: () => wire.dress({ jsonrpc: "2.0", method: "GET" }).headers,
        hasSession: () => sessions.renewable && !this.#expiredBefore,
        missed: () => missed("everything"),
        caughtUp: () => caughtUp("everything"),
        unreachable,
        changed: () => this.#heard(stream),
        ended: (outcome) => this.#ended(stream, outcome),
      },
      this.#run,
    )
    this.#legacy = stream
    stream.start()
  }

  #heard(stream: LegacyStream): void {
    if (stream !== this.#legacy) return
    this.#show(stream.state)
    if (this.#state === "open") this.#expiredBefore = false
  }

  #ended(stream: LegacyStream, { reason, error }: SubscriptionOutcome): void {
    if (stream !== this.#legacy) return
    this.#legacy = undefined
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

  /** Shows the state of a chart; those that are passed through at once are not shown. */
  #show(chart: string): void {
    const state = shown[chart]
    if (state !== undefined) this.#set(state)
  }

  #set(state: ListeningState): void {
    if (state === this.#state) return
    this.#state = state
    this.changed.tell(state)
  }
}

/** The chart's states as users see them. */
const shown: { readonly [state: string]: ListeningState | undefined } = {
  closed: "closed",
  opening: "opening",
  acknowledged: "open",
  backingOff: "backingOff",
  unsupported: "unsupported",
  unavailable: "unavailable",
}
