import {
  isNotificationMethod,
  paramsSchema,
  validateTolerantly,
  type JsonObject,
  type JsonRpcNotification,
  type ParamsOf,
  type Revision,
  type ServerNotification,
} from "@entente/protocol"
import type { Life } from "../life/life.js"
import { Listeners } from "../wire/listeners.js"

/** The params of a notification that a server may send, whichever era it speaks. */
export type NotificationParams<Method extends ServerNotification> = ParamsOf<Method>

/** What a listener gets: typed where the method is known, and else as it was sent. */
export type ParamsFor<Method extends string> = Method extends ServerNotification
  ? NotificationParams<Method>
  : JsonObject | undefined

/**
 * Notifications by method. Each is checked once, however many listen for it: one that is not what its method
 * demands is noted, and told to nobody here (V25-CAP-10). What nobody listens for costs one look-up.
 */
export class Notices {
  readonly #byMethod = new Map<string, Listeners<unknown>>()
  readonly #life: Life
  #following = false

  constructor(life: Life) {
    this.#life = life
  }

  /** Hears every notification of a method from now on; the function returned stops it. */
  on<Method extends string>(
    method: Method,
    listener: (params: ParamsFor<Method>) => void,
  ): () => void {
    return this.listenersOf(method).add(listener)
  }

  /** Those who hear of one method. */
  listenersOf<Method extends string>(method: Method): Listeners<ParamsFor<Method>> {
    this.#follow()
    let listeners = this.#byMethod.get(method)
    if (listeners === undefined) {
      listeners = new Listeners()
      this.#byMethod.set(method, listeners)
    }
    // They are told nothing but what `#read` has found to be of the method's shape.
    return listeners as Listeners<ParamsFor<Method>>
  }

  #follow(): void {
    if (this.#following) return
    this.#following = true
    this.#life.notified.add((notification) => this.#heard(notification))
  }

  #heard(notification: JsonRpcNotification): void {
    const listeners = this.#byMethod.get(notification.method)
    if (listeners === undefined || listeners.isEmpty) return
    const read = this.#read(notification)
    if (read !== undefined) listeners.tell(read.params)
  }

  #read({ method, params }: JsonRpcNotification): { readonly params: unknown } | undefined {
    const shape = shapeOf(method, this.#life.agreement.revision)
    if (shape === undefined) return { params }
    const { notes } = this.#life
    const read = validateTolerantly(shape, params ?? {}, notes.policy)
    if (read.ok) {
      for (const note of read.notes) notes.add(note)
      return { params: read.value }
    }
    const detail = `${method}: ${read.reason} at ${read.pointer || "its root"}`
    notes.add({ code: "invalid-notification", detail })
    return undefined
  }
}

/** The shape in the revision spoken, or else in the latest of the era that has the method. */
const shapeOf = (method: string, revision: Revision) =>
  isNotificationMethod(method)
    ? (paramsSchema(method, revision) ??
      paramsSchema(method, "2026-07-28") ??
      paramsSchema(method, "2025-11-25"))
    : undefined
