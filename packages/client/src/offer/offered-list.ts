import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { ConnectionClosed } from "@entente/protocol"
import { fingerprint } from "../fingerprint.js"
import type { Life } from "../life/life.js"
import type { TraceThread } from "../telemetry/trace-thread.js"
import type { Doubt } from "./doubt.js"
import type { Naming } from "./naming.js"
import { SharedReading } from "./shared-reading.js"

/** A reading of a list, as far as it says whether something stands in it. */
interface NamedListing {
  readonly status: string
  readonly items: ReadonlyArray<object>
  readonly quarantined: ReadonlyArray<{ readonly name: string | undefined }>
  readonly stale: boolean
  readonly reason?: { readonly message: string }
}

/** A list to look things up in. */
export interface NamedList {
  readonly last: NamedListing | undefined
  readonly list: (options: {
    readonly refresh: true
    readonly thread?: TraceThread
  }) => Effect.Effect<NamedListing, ConnectionClosed>
}

/** What is known, without asking, of a name that a server does not seem to know. */
export type Known =
  /** Nothing that would say more than the server's own word. */
  | { readonly _tag: "Nothing" }
  /** It stood in the list, and does not any more. */
  | { readonly _tag: "Gone" }
  | Suspect

/** It stood in the list when that was read, which is worth doing again. */
export interface Suspect {
  readonly _tag: "Suspect"
  readonly name: string
  readonly doubt: Doubt
  /** The fingerprint of how it was described. */
  readonly definition: string
  /** What the list had, and whether it was known to be out of date. */
  readonly items: ReadonlyArray<object>
  readonly stale: boolean
}

/** What the list says, read again. */
export type Found =
  | { readonly _tag: "Gone" }
  /** `news`: what was known of it did not hold, so that another try may come out otherwise. */
  | { readonly _tag: "Listed"; readonly news: boolean }
  /** The list could not be read, or not to its end. */
  | { readonly _tag: "Unread"; readonly why: string }

/** What was known when the list was read again because of a name. */
interface Check {
  readonly definition: string
  readonly doubt: Doubt
  /** The reading that was out of date again by then, as with a list that never stops changing. */
  readonly outdated: WeakRef<object> | undefined
}

/** Of how many names something is remembered. */
const mostNames = 1_000

/**
 * One list of a server, to hold calls against. For one name it is read again once: not until the server
 * describes the thing in another way, says that the list has changed, or denies the thing in words where it
 * gave a mere code before. So a model that goes on with wrong arguments costs one reading and no more.
 */
export class OfferedList {
  readonly #list: NamedList
  readonly #naming: Naming
  readonly #shared: SharedReading<NamedListing, ConnectionClosed>
  readonly #checks = new Map<string, Check>()
  readonly #gone = new Map<string, true>()

  constructor(list: NamedList, naming: Naming, life: Life) {
    this.#list = list
    this.#naming = naming
    this.#shared = new SharedReading(life.fork)
  }

  /** What is known of a name without asking. */
  known(name: string, doubt: Doubt): Known {
    const { last } = this.#list
    if (last === undefined) return { _tag: "Nothing" }
    const item = this.#itemOf(last, name)
    if (item === undefined) {
      // A list that may have changed since proves nothing of what it does not have.
      if (last.stale) this.#gone.delete(name)
      return { _tag: this.#gone.has(name) ? "Gone" : "Nothing" }
    }
    this.#gone.delete(name)
    const definition = fingerprint(item)
    return this.#isChecked({ name, doubt, definition }, last)
      ? { _tag: "Nothing" }
      : { _tag: "Suspect", name, doubt, definition, items: last.items, stale: last.stale }
  }

  /** Reads the list again, with everybody who wants that at the same time, for at most `ms` milliseconds. */
  readAgain(suspect: Suspect, ms: number, thread: TraceThread | undefined): Effect.Effect<Found> {
    return Effect.suspend(() => {
      // Who joins a reading may have been refused after its first page: another one of theirs may follow.
      const own = !this.#shared.underWay
      const read = this.#list.list({ refresh: true, ...(thread && { thread }) })
      const waited = Effect.timeoutOption(this.#shared.of(read), ms)
      return Effect.map(waited, (came): Found => {
        if (own) this.#remember(suspect)
        if (came._tag === "None") return { _tag: "Unread", why: `not read within ${ms} ms` }
        return Exit.isSuccess(came.value)
          ? this.#look(came.value.value, suspect)
          : { _tag: "Unread", why: "the connection has ended" }
      })
    })
  }

  #look(listing: NamedListing, { name, definition, items, stale }: Suspect): Found {
    const { status, reason, quarantined } = listing
    if (status === "complete") this.#forget(items, listing)
    const item = this.#itemOf(listing, name)
    if (item !== undefined) {
      return { _tag: "Listed", news: stale || fingerprint(item) !== definition }
    }
    // What had to be set aside is in the list all the same.
    if (quarantined.some((broken) => broken.name === name)) return { _tag: "Listed", news: false }
    return status === "complete"
      ? { _tag: "Gone" }
      : { _tag: "Unread", why: reason?.message ?? status }
  }

  /** Everything that is gone: calls of it may be under way as well. */
  #forget(before: ReadonlyArray<object>, { items, quarantined }: NamedListing): void {
    const names = new Set(items.map((item) => this.#nameOf(item)))
    for (const { name } of quarantined) names.add(name)
    for (const item of before) {
      const name = this.#nameOf(item)
      if (typeof name !== "string" || names.has(name)) continue
      this.#checks.delete(name)
      put(this.#gone, name, true)
    }
  }

  #nameOf(item: object): unknown {
    return (item as { readonly [member: string]: unknown })[this.#naming.member]
  }

  #itemOf({ items }: NamedListing, name: string): object | undefined {
    return items.find((item) => this.#nameOf(item) === name)
  }

  #isChecked(
    { name, doubt, definition }: Pick<Suspect, "name" | "doubt" | "definition">,
    { stale, items }: NamedListing,
  ): boolean {
    const check = this.#checks.get(name)
    if (check === undefined || check.definition !== definition) return false
    if (doubt === "words" && check.doubt === "code") return false
    return !stale || check.outdated?.deref() === items
  }

  #remember({ name, doubt, definition }: Suspect): void {
    const { last } = this.#list
    const item = last && this.#itemOf(last, name)
    put(this.#checks, name, {
      definition: item === undefined ? definition : fingerprint(item),
      doubt,
      outdated: last?.stale === true ? new WeakRef(last.items) : undefined,
    })
  }
}

/** Puts into a map that forgets what was put in first. */
const put = <Value>(map: Map<string, Value>, name: string, value: Value): void => {
  map.delete(name)
  map.set(name, value)
  const [oldest] = map.keys()
  if (map.size > mostNames && oldest !== undefined) map.delete(oldest)
}
