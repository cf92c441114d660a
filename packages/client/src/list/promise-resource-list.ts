import { onAbort } from "../call/abort-listeners.js"
import type { ResourceList } from "./resource-list.js"
import { aborted, type Abortable } from "../promise-run.js"
import type {
  ResourceSubscriptions,
  ResourceUpdated,
} from "../subscription/resource-subscriptions.js"
import { PromiseList } from "./promise-list.js"

/** Ends a subscription; so does the end of `await using`. */
export type Unsubscribe = (() => void) & AsyncDisposable

export class PromiseResourceList extends PromiseList<"resources/list"> {
  readonly templates: PromiseList<"resources/templates/list">
  readonly #subscriptions: ResourceSubscriptions
  readonly #where: string

  constructor(list: ResourceList, target: string) {
    super(list, target)
    this.templates = new PromiseList(list.templates, target)
    this.#subscriptions = list.subscriptions
    this.#where = target
  }

  /**
   * Hears when a resource is to be read again, until the function it resolves with is called or `signal`
   * aborts. Resolves when the server has agreed; rejects with `CapabilityMissing` where it does not offer that.
   */
  subscribe(
    uri: string,
    listener: (update: ResourceUpdated) => void,
    { signal }: Abortable = {},
  ): Promise<Unsubscribe> {
    return new Promise((resolve, reject) => {
      const abortion = () => aborted("resources/subscribe", this.#where, signal)
      if (signal?.aborted === true) return reject(abortion())
      let release = (): void => {}
      const leave = this.#subscriptions.subscribe(uri, listener, (error) => {
        if (error === undefined) return resolve(unsubscribe)
        release()
        reject(error)
      })
      const stop = (): void => {
        release()
        leave()
      }
      const unsubscribe = Object.assign(stop, { [Symbol.asyncDispose]: async () => stop() })
      if (signal === undefined) return
      release = onAbort(signal, () => {
        stop()
        reject(abortion())
      })
    })
  }
}
