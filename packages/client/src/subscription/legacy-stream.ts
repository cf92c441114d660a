import type { EntenteError } from "@entente/protocol"
import type { SubscriptionOutcome } from "@entente/session"
import { rejectionError, type Channel, type Sent } from "@entente/transport"
import type { StreamEnd, StreamPosition } from "@entente/transport"
import { SubscriptionActor, type SubscriptionRun, type Tell } from "./subscription-actor.js"

/** What the owner of a stream lends it, and hears of it. */
export interface LegacyStreamOwner {
  readonly target: string
  readonly openStream: NonNullable<Channel["openStream"]>
  /** The session's headers for a GET (V25-HTTP-29, V25-HTTP-38). */
  readonly headers: () => Readonly<Record<string, string>>
  /** Whether a 404 says that a session has expired, rather than that there is no stream (C049). */
  readonly hasSession: () => boolean
  /** The stream is gone, and what the server says now is lost. */
  readonly missed: () => void
  /** A stream is open again after something was missed. */
  readonly caughtUp: () => void
  /** The server cannot even be connected to. */
  readonly unreachable: (error: EntenteError) => void
  readonly changed: () => void
  readonly ended: (outcome: SubscriptionOutcome) => void
}

/**
 * The one GET stream of a legacy HTTP session (V25-HTTP-11): runs the subscription chart over it. Its
 * messages reach the wire like all others; the chart is told only what changes its state.
 */
export class LegacyStream {
  readonly #actor: SubscriptionActor
  readonly #owner: LegacyStreamOwner
  #position: StreamPosition | undefined
  #wasOpen = false
  #missing = false

  constructor(owner: LegacyStreamOwner, run: SubscriptionRun) {
    this.#owner = owner
    this.#actor = new SubscriptionActor(
      {
        open: (tell) => this.#open(tell).abort,
        dropped: ({ resumable }) => {
          if (resumable || !this.#wasOpen) return
          this.#missing = true
          owner.missed()
        },
        changed: owner.changed,
        ended: owner.ended,
      },
      run,
    )
  }

  /** The state of the chart, the innermost one. */
  get state(): string {
    return this.#actor.state
  }

  start(): void {
    this.#actor.start()
  }

  /** Closes the stream; the owner hears nothing more of it. */
  release(): void {
    this.#actor.release()
  }

  #open(tell: Tell): Sent {
    const from = this.#position
    let delivered = false
    return this.#owner.openStream(
      { headers: this.#owner.headers(), ...(from === undefined ? {} : { from }) },
      {
        opened: () => {
          this.#wasOpen = true
          tell({ type: "acknowledged", filter: "everything" })
          if (!this.#missing) return
          this.#missing = false
          this.#owner.caughtUp()
        },
        delivered: () => {
          // The first one is all the chart wants to know.
          if (!delivered) tell({ type: "delivered" })
          delivered = true
        },
        ended: (end) => this.#ended(end, tell),
      },
    )
  }

  #ended(end: StreamEnd, tell: Tell): void {
    switch (end._tag) {
      case "Dropped": {
        const { position, error } = end
        this.#position = position
        const resumable = position.lastEventId !== undefined
        return tell({ type: "dropped", retryMs: position.retryMs, error, resumable })
      }
      case "NoStream":
        return tell({ type: "refused", error: end.error })
      case "Rejected":
        return this.#rejected(
          end.rejection.status,
          rejectionError(end.rejection, this.#owner.target),
          tell,
        )
      case "Failed":
        tell({ type: "dropped", error: end.error, resumable: false })
        if (!end.mayHaveArrived && end.error._tag === "Unreachable") {
          this.#owner.unreachable(end.error)
        }
    }
  }

  /** C049: what each status of a GET says about the stream, and about nothing else. */
  #rejected(status: number, error: EntenteError, tell: Tell): void {
    if (status === 404 && this.#owner.hasSession()) return tell({ type: "expired", error })
    if (this.#position !== undefined) {
      // The server may no longer know the event to go on from: it is asked once more without.
      this.#position = undefined
      return tell({ type: "dropped", error, resumable: false })
    }
    const mayPass = status === 429 || (status >= 500 && status !== 501)
    if (!mayPass) return tell({ type: "refused", error })
    // A stream that was open before comes back when its server does; of a new one nobody knows.
    if (this.#wasOpen) tell({ type: "dropped", error, resumable: false })
    else tell({ type: "outage", error })
  }
}
