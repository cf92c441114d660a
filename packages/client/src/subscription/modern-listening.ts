import type { EntenteError, SubscriptionFilter } from "@entente/protocol"
import { grantsNothing, type SubscriptionOutcome } from "@entente/session"
import type { NoteBook } from "../wire/note-book.js"
import { describe, listsOnly, sameFilter, union, withheldOf } from "./listen-filter.js"
import { ListenStream, type ListenStreamOwner } from "./listen-stream.js"
import type { SubscriptionRun } from "./subscription-actor.js"

export interface ModernListeningOwner extends Pick<
  ListenStreamOwner,
  "target" | "wire" | "open" | "wishes" | "unreachable"
> {
  readonly notes: NoteBook
  /** What the host wants and the server offers, now. */
  readonly wanted: () => SubscriptionFilter
  /** What the server could not tell of for a while, and what it can tell of again. */
  readonly missed: (covered: SubscriptionFilter) => void
  readonly caughtUp: (covered: SubscriptionFilter) => void
  /** What became of what was asked for. */
  readonly granted: (granted: SubscriptionFilter) => void
  readonly withheld: (withheld: SubscriptionFilter, cause: EntenteError | undefined) => void
  readonly changed: () => void
}

/** A request that led to nothing, and why. It is not made again as it was (V26-SUB-16). */
interface Failure {
  readonly wish: SubscriptionFilter
  readonly asked: SubscriptionFilter
  readonly granted: SubscriptionFilter | undefined
  readonly state: "unsupported" | "unavailable"
  readonly error: EntenteError | undefined
}

/**
 * Keeps a subscription to everything that is wanted of a modern server. A filter cannot be changed, so
 * another one is asked for beside it, and the old stream goes only when the new one is acknowledged: nothing
 * is missed between them (V26-SUB-07). One at a time; what changes meanwhile is in the next.
 */
export class ModernListening {
  #current: ListenStream | undefined
  #next: ListenStream | undefined
  #failure: Failure | undefined
  /** What to ask for where all that is wanted was refused: what was acknowledged last, or lists alone. */
  #fallback: SubscriptionFilter | undefined
  #missing: SubscriptionFilter | undefined
  /** The server does not know the method: it is never asked again on this connection (C037). */
  #unknown = false
  readonly #owner: ModernListeningOwner
  readonly #run: SubscriptionRun

  constructor(owner: ModernListeningOwner, run: SubscriptionRun) {
    this.#owner = owner
    this.#run = run
  }

  /** The state of the chart that serves the host now, or how it ended. */
  get state(): string {
    return this.#current?.state ?? this.#failure?.state ?? "closed"
  }

  get asked(): SubscriptionFilter | undefined {
    return this.#failure?.wish ?? this.#current?.asked
  }

  get granted(): SubscriptionFilter | undefined {
    return this.#current === undefined ? this.#failure?.granted : this.#current.granted
  }

  /** Brings what is asked for in line with what is wanted. */
  follow(): void {
    const wanted = this.#owner.wanted()
    if (grantsNothing(wanted)) {
      this.release()
      return this.#owner.changed()
    }
    const failure = this.#failure
    if (failure !== undefined && (this.#unknown || sameFilter(failure.wish, wanted))) {
      return this.#settle(wanted, failure.error)
    }
    if (this.#next !== undefined) return
    const current = this.#current
    if (current === undefined) {
      this.#failure = undefined
      this.#current = this.#stream()
      this.#current.start()
    } else if (current.granted !== undefined) {
      if (sameFilter(current.asked, wanted)) {
        this.#failure = undefined
        this.#settle(wanted, undefined)
      } else {
        this.#next = this.#stream()
        this.#next.start()
      }
    }
  }

  /** Cancels whatever is open, and forgets what it came to. */
  release(): void {
    this.#current?.release()
    this.#next?.release()
    this.#current = undefined
    this.#next = undefined
    this.#failure = undefined
    this.#fallback = undefined
    this.#missing = undefined
  }

  /** Tells those who wait what they have got: what the stream that is open grants, and no more. */
  #settle(asked: SubscriptionFilter, cause: EntenteError | undefined): void {
    const granted = this.#current?.granted
    if (this.#current !== undefined && granted === undefined) return
    if (granted !== undefined) this.#owner.granted(granted)
    this.#owner.withheld(withheldOf(asked, granted ?? {}), cause)
  }

  #stream(): ListenStream {
    const { target, wire, open, wishes, unreachable } = this.#owner
    const stream: ListenStream = new ListenStream(
      {
        target,
        wire,
        open,
        wishes,
        unreachable,
        wanted: () => this.#toAsk(),
        acknowledged: () => this.#acknowledged(stream),
        missed: (covered) => this.#missed(stream, covered),
        changed: () => this.#changed(stream),
        ended: (outcome) => this.#ended(stream, outcome),
      },
      this.#run,
    )
    return stream
  }

  #toAsk(): { readonly wish: SubscriptionFilter; readonly ask: SubscriptionFilter } {
    const wish = this.#owner.wanted()
    const isRefused = this.#failure !== undefined && sameFilter(this.#failure.wish, wish)
    return { wish, ask: isRefused ? (this.#fallback ?? wish) : wish }
  }

  #acknowledged(stream: ListenStream): void {
    if (stream === this.#next) {
      this.#current?.release()
      this.#current = stream
      this.#next = undefined
    }
    const { granted, asked, wish } = stream
    if (stream !== this.#current || granted === undefined) return
    this.#fallback = asked
    if (sameFilter(asked, wish)) this.#failure = undefined
    const withheld = withheldOf(asked, granted)
    if (!grantsNothing(withheld)) this.#noteNarrowed(`not granted: ${describe(withheld)}`)
    const missing = this.#missing
    this.#missing = undefined
    if (missing !== undefined) this.#owner.caughtUp(missing)
    this.#settle(asked, undefined)
    this.#owner.changed()
    this.follow()
  }

  #missed(stream: ListenStream, covered: SubscriptionFilter): void {
    if (stream !== this.#current) return
    this.#missing = union(this.#missing ?? {}, covered)
    this.#owner.missed(covered)
  }

  #changed(stream: ListenStream): void {
    if (stream !== this.#current) return
    // The one that was to follow it is on its way already.
    if (stream.state === "backingOff" && this.#next !== undefined) {
      stream.release()
      this.#current = this.#next
      this.#next = undefined
    }
    this.#owner.changed()
  }

  #ended(stream: ListenStream, { reason, error }: SubscriptionOutcome): void {
    if (stream !== this.#current && stream !== this.#next) return
    this.#unknown ||= stream.unknown
    const state = reason === "unsupported" ? reason : "unavailable"
    const { wish, asked, granted } = stream
    this.#failure = { wish, asked, granted, state, error }
    if (stream === this.#next) {
      this.#next = undefined
      this.#noteNarrowed(error?.message ?? `not granted: ${describe(asked)}`)
    } else {
      this.#current = this.#next
      this.#next = undefined
      if (this.#current === undefined) this.#narrow(this.#failure)
    }
    this.#owner.changed()
    this.follow()
  }

  /** One resource or task that the server does not like must not cost the news of all lists. */
  #narrow({ asked, granted, state, error }: Failure): void {
    const less = listsOnly(asked)
    const isRefusal = state === "unsupported" && granted === undefined && !this.#unknown
    if (isRefusal && !grantsNothing(less) && !sameFilter(less, asked)) {
      this.#noteNarrowed(error?.message ?? `refused: ${describe(asked)}`)
      this.#fallback = less
      this.#current = this.#stream()
      return this.#current.start()
    }
    const why =
      granted === undefined
        ? "subscriptions/listen was not acknowledged in time"
        : "the server grants nothing of what was asked for"
    this.#owner.notes.add({ code: `listening-${state}`, detail: error?.message ?? why })
  }

  #noteNarrowed(detail: string): void {
    this.#owner.notes.add({ code: "listening-narrowed", detail })
  }
}
