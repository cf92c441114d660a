import type { EntenteError, SubscriptionFilter } from "@entente/protocol"
import { replyError } from "../call/reply-error.js"
import type { Wishes } from "@entente/session"
import type { Reply } from "../wire/reply.js"
import type { Handle, Wire } from "../wire/wire.js"
import { grantedOf } from "./listen-filter.js"
import type { OpenListen, OpenListens } from "./open-listens.js"
import { refusalOf, type Refusal } from "./listen-refusal.js"

const method = "subscriptions/listen"

/** How a subscription came to its end, from the other side. */
export type ListenEnd =
  /** The server has ended it in due form: by a result, by a cancellation, or by both (V26-SUB-10). */
  | { readonly _tag: "Ended" }
  /** Its stream or channel is gone. */
  | { readonly _tag: "Lost"; readonly error: EntenteError; readonly mayHaveArrived: boolean }
  /** It was answered with an error or an HTTP status. */
  | { readonly _tag: "Refused"; readonly error: EntenteError; readonly refusal: Refusal }

export interface ListenListener {
  readonly acknowledged: (granted: SubscriptionFilter) => void
  readonly delivered: () => void
  /** Called at most once, and never after `abort`. */
  readonly ended: (end: ListenEnd) => void
}

/**
 * One `subscriptions/listen`: a request that stays pending for as long as it is of use, without a time limit
 * (V26-SUB-17). Its id is never used again, so a late word of an ended one meets nobody (V26-SUB-08).
 */
export class ListenRequest implements OpenListen {
  granted: SubscriptionFilter | undefined
  #over = false
  readonly #asked: SubscriptionFilter
  readonly #handle: Handle
  readonly #wire: Wire
  readonly #target: string
  readonly #open: OpenListens
  readonly #listener: ListenListener

  constructor(
    asked: SubscriptionFilter,
    wishes: Wishes | undefined,
    wire: Wire,
    target: string,
    open: OpenListens,
    listener: ListenListener,
  ) {
    this.#asked = asked
    this.#wire = wire
    this.#target = target
    this.#open = open
    this.#listener = listener
    // A wire without a channel answers at once, before there is an id.
    const early: Array<Reply> = []
    let settled = (reply: Reply): unknown => early.push(reply)
    const standing = {
      timeoutMs: Infinity,
      cancellable: true,
      standing: true,
      ...(wishes === undefined ? {} : { wishes }),
    }
    const params = { notifications: asked }
    this.#handle = wire.request(method, params, standing, (reply) => void settled(reply))
    open.add(this)
    settled = (reply) => this.#settled(reply)
    for (const reply of early) settled(reply)
  }

  get id(): number {
    return this.#handle.id
  }

  get exchange(): number {
    return this.#wire.requests.get(this.id)?.sent?.exchange ?? 0
  }

  acknowledge(filter: SubscriptionFilter): void {
    this.granted = grantedOf(this.#asked, filter)
    this.#listener.acknowledged(this.granted)
  }

  deliver(): void {
    this.#listener.delivered()
  }

  cancel(): void {
    // Nothing goes back: what the server has ended there is nothing left to cancel of.
    if (!this.#finish()) return
    this.#wire.requests.settle(this.id, { _tag: "Aborted" })?.sent?.abort()
    this.#listener.ended({ _tag: "Ended" })
  }

  /** Nobody wants it any more: the server is told, as era and channel ask (V26-SUB-09). */
  readonly abort = (): void => {
    if (this.#finish()) this.#handle.abort()
  }

  #finish(): boolean {
    if (this.#over) return false
    this.#over = true
    this.#open.remove(this)
    return true
  }

  #settled(reply: Reply): void {
    if (this.#finish()) this.#listener.ended(this.#endOf(reply))
  }

  #endOf(reply: Reply): ListenEnd {
    if (reply._tag === "Result") return { _tag: "Ended" }
    const error = replyError(reply, { method, id: this.id, target: this.#target })
    const refusal = refusalOf(reply)
    if (refusal !== undefined) return { _tag: "Refused", error, refusal }
    const mayHaveArrived = reply._tag !== "Failed" || reply.mayHaveArrived
    return { _tag: "Lost", error, mayHaveArrived }
  }
}
