import type { EntenteError, SubscriptionFilter } from "@entente/protocol"
import { grantsNothing, type SubscriptionOutcome, type Wishes } from "@entente/session"
import type { Wire } from "../wire/wire.js"
import { ListenRequest, type ListenEnd } from "./listen-request.js"
import type { OpenListens } from "./open-listens.js"
import { SubscriptionActor, type SubscriptionRun, type Tell } from "./subscription-actor.js"

/** What the owner of a stream lends it, and hears of it. */
export interface ListenStreamOwner {
  readonly target: string
  readonly wire: Wire
  readonly open: OpenListens
  /** What is wanted whenever it is opened, and how much of that to ask for. */
  readonly wanted: () => { readonly wish: SubscriptionFilter; readonly ask: SubscriptionFilter }
  /** What the request wants beside that. */
  readonly wishes: (ask: SubscriptionFilter) => Wishes | undefined
  readonly acknowledged: (granted: SubscriptionFilter) => void
  /** The stream is gone, and what the server would say now of these is lost. */
  readonly missed: (covered: SubscriptionFilter) => void
  /** The server cannot even be connected to. */
  readonly unreachable: (error: EntenteError) => void
  readonly changed: () => void
  readonly ended: (outcome: SubscriptionOutcome) => void
}

/**
 * The stream on which a modern server tells of changes: runs the subscription chart over
 * `subscriptions/listen`, a new request with a new id for each opening (V26-SUB-08, V26-SUB-12).
 */
export class ListenStream {
  /** What was wanted when it was opened last, and what was asked for. */
  wish: SubscriptionFilter = {}
  asked: SubscriptionFilter = {}
  /** What counts of the answer, from the acknowledgement to the end of the stream. */
  granted: SubscriptionFilter | undefined
  /** Whether it was refused because the server does not know the method. */
  unknown = false
  #wasOpen = false
  readonly #actor: SubscriptionActor
  readonly #owner: ListenStreamOwner

  constructor(owner: ListenStreamOwner, run: SubscriptionRun) {
    this.#owner = owner
    this.#actor = new SubscriptionActor(
      {
        open: (tell) => this.#open(tell),
        dropped: () => this.#dropped(),
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

  /** Cancels the subscription; the owner hears nothing more of it. */
  release(): void {
    this.#actor.release()
  }

  #open(tell: Tell): () => void {
    const { wanted, wishes, wire, target, open } = this.#owner
    let delivered = false
    const { wish, ask } = wanted()
    this.wish = wish
    this.asked = ask
    this.unknown = false
    const request = new ListenRequest(ask, wishes(ask), wire, target, open, {
      acknowledged: (granted) => {
        this.granted = granted
        tell({ type: "acknowledged", filter: granted })
        if (grantsNothing(granted)) return
        this.#wasOpen = true
        this.#owner.acknowledged(granted)
      },
      delivered: () => {
        // The first one is all the chart wants to know.
        if (!delivered) tell({ type: "delivered" })
        delivered = true
      },
      ended: (end) => this.#ended(end, tell),
    })
    return request.abort
  }

  #dropped(): void {
    const covered = this.granted
    this.granted = undefined
    if (covered !== undefined) this.#owner.missed(covered)
  }

  #ended(end: ListenEnd, tell: Tell): void {
    switch (end._tag) {
      case "Ended":
        return tell({ type: "dropped", graceful: true, resumable: false })
      case "Lost": {
        const { error, mayHaveArrived } = end
        tell({ type: "dropped", error, resumable: false })
        if (!mayHaveArrived && error._tag === "Unreachable") this.#owner.unreachable(error)
        return
      }
      case "Refused": {
        const { error, refusal } = end
        this.unknown = refusal === "never"
        // What was agreed to before ends with an error; it may come back like after any other end.
        if (this.granted !== undefined) return tell({ type: "dropped", error, resumable: false })
        if (refusal !== "later") return tell({ type: "refused", error })
        // A stream that was open before comes back when its server does; of a new one nobody knows.
        if (this.#wasOpen) return tell({ type: "dropped", error, resumable: false })
        tell({ type: "outage", error })
      }
    }
  }
}
