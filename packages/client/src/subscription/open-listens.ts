import {
  isJsonObject,
  metaKey,
  validateTolerantly,
  SubscriptionFilter,
  type Era,
  type JsonRpcNotification,
} from "@entente/protocol"
import type { Origin } from "@entente/transport"
import type { NoteBook } from "../wire/note-book.js"
import { grants, isChange } from "./listen-filter.js"

/** A `subscriptions/listen` request that has not ended. */
export interface OpenListen {
  /** Also the name of its subscription, as a number: `"1"` is another one (V26-SUB-05, T-23). */
  readonly id: number
  /** The exchange that carries it; 0 on a shared channel. */
  readonly exchange: number
  /** What counts of the acknowledgement, once it has come. */
  readonly granted: SubscriptionFilter | undefined
  readonly acknowledge: (filter: SubscriptionFilter) => void
  /** Something came that was granted. */
  readonly deliver: () => void
  /** The server takes it back. */
  readonly cancel: () => void
}

/** Says why a notification is not passed on; nothing where it is. */
type Verdict = string | undefined

const acknowledgement = "notifications/subscriptions/acknowledged"

/** Notifications that belong to a request of their own, never to a subscription (V26-SUB-13, V26-LOG-02). */
const requestScoped: ReadonlySet<string> = new Set([
  "notifications/progress",
  "notifications/message",
])

/**
 * The subscriptions of a modern connection, and the rule for what may come where: changes only on a
 * subscription that is acknowledged and names them, nothing else on one. What breaks it is dropped with a
 * note, so that a foreign word makes no list stale (C037, V26-HTTP-17, V26-STDIO-05).
 */
export class OpenListens {
  readonly #open = new Map<number, OpenListen>()
  readonly #notes: NoteBook

  constructor(notes: NoteBook) {
    this.#notes = notes
  }

  add(listen: OpenListen): void {
    this.#open.set(listen.id, listen)
  }

  remove({ id }: Pick<OpenListen, "id">): void {
    this.#open.delete(id)
  }

  /** Whether a notification is passed on. A legacy server may say anything anywhere. */
  admits(era: Era | undefined, notification: JsonRpcNotification, origin: Origin): boolean {
    if (era !== "modern") return true
    const verdict = this.#judge(notification, origin)
    if (verdict === undefined) return true
    this.#notes.add({ code: "notice-dropped", detail: `${notification.method}: ${verdict}` })
    return false
  }

  #judge(notification: JsonRpcNotification, origin: Origin): Verdict {
    const { method, params } = notification
    if (method === "notifications/cancelled") return this.#cancel(params, origin)
    const named = subscriptionIdOf(params)
    const listen = named === undefined ? this.#carriedBy(origin) : this.#named(named, origin)
    if (listen === undefined) {
      if (named !== undefined) return "it names a subscription that is not open"
      return isChange(method) || method === acknowledgement
        ? "it came outside any subscription"
        : undefined
    }
    if (requestScoped.has(method)) return "it came on a subscription"
    if (named === undefined) {
      const refused = this.#notes.tolerate("subscription-id-missing", "request", method)
      if (refused !== undefined) return "it does not name its subscription"
    }
    return this.#onListen(listen, notification)
  }

  #onListen(listen: OpenListen, { method, params }: JsonRpcNotification): Verdict {
    const { granted } = listen
    if (method === acknowledgement) {
      if (granted !== undefined) return "the subscription was acknowledged before"
      const asked = isJsonObject(params) ? params["notifications"] : undefined
      const read = validateTolerantly(SubscriptionFilter, asked, this.#notes.policy)
      if (!read.ok) return `${read.reason} at /notifications${read.pointer}`
      for (const note of read.notes) this.#notes.add(note)
      listen.acknowledge(read.value)
      return undefined
    }
    // V26-SUB-03: nothing for a subscription precedes its acknowledgement.
    if (granted === undefined) return "it came before the acknowledgement"
    if (isChange(method) && !grants(granted, method, params)) return "it was not granted"
    listen.deliver()
    return undefined
  }

  /** V26-CANC-05: a modern server can take back nothing but a subscription. */
  #cancel(params: JsonRpcNotification["params"], origin: Origin): Verdict {
    const id = isJsonObject(params) ? params["requestId"] : undefined
    const listen = this.#named(id, origin)
    if (listen === undefined) return "it names no open subscription"
    listen.cancel()
    return undefined
  }

  /** The map's keys are numbers, so that the string of an id is none of them. */
  #named(id: unknown, { exchange }: Origin): OpenListen | undefined {
    const listen = typeof id === "number" ? this.#open.get(id) : undefined
    return listen?.exchange === exchange ? listen : undefined
  }

  /** Over HTTP the stream says whose it is. */
  #carriedBy({ exchange }: Origin): OpenListen | undefined {
    if (exchange === 0) return undefined
    for (const listen of this.#open.values()) if (listen.exchange === exchange) return listen
    return undefined
  }
}

const subscriptionIdOf = (params: JsonRpcNotification["params"]): unknown => {
  const meta = isJsonObject(params) ? params["_meta"] : undefined
  return isJsonObject(meta) && Object.hasOwn(meta, metaKey.subscriptionId)
    ? meta[metaKey.subscriptionId]
    : undefined
}
