import {
  CapabilityMissing,
  NotSubscribed,
  explain,
  missingCapability,
  type EntenteError,
} from "@entente/protocol"
import type { AcknowledgedFilter } from "@entente/session"
import { redactUrl } from "@entente/trace"
import type { Connection } from "../call/connection.js"
import { Listeners } from "../wire/listeners.js"
import { LegacySubscriber } from "./legacy-subscriber.js"
import { liesUnder } from "./lies-under.js"

/** Says that a resource is to be read again. */
export interface ResourceUpdated {
  /** What has changed: the resource, or something under it (V25-RES-03, V26-SUB-14). */
  readonly uri: string
  /**
   * True where no word of the server stands behind it: for a while the server could not be heard, so the
   * resource that was subscribed to may have changed unnoticed.
   */
  readonly missed: boolean
}

/** Called once: with nothing when the server has agreed, or with the reason why it never will. */
type Done = (error: EntenteError | undefined) => void

/** Somebody who wants to hear of a resource. */
interface Member {
  readonly stop: () => void
  /** Until the server has agreed. */
  waits: Done | undefined
}

interface Entry {
  readonly uri: string
  readonly updated: Listeners<ResourceUpdated>
  readonly members: Set<Member>
  readonly release: () => void
  /** Whether the server tells of it, as it said last. */
  agreed: boolean
  /** Whether something may have been missed that nobody was told of. */
  missing: boolean
}

/**
 * The resources that a host wants to be told of, in either era: `resources/subscribe` where the server is a
 * legacy one, a part of the filter of `subscriptions/listen` where it is modern. Each URI is asked for once,
 * however many want it, and again after whatever has made the server forget it (V25-RES-04, V26-SUB-12).
 */
export class ResourceSubscriptions {
  readonly #entries = new Map<string, Entry>()
  readonly #connection: Connection
  readonly #legacy: LegacySubscriber

  constructor(connection: Connection) {
    this.#connection = connection
    const { life, notices } = connection
    this.#legacy = new LegacySubscriber({
      ask: (method, uri, done) => {
        // Doing it twice changes nothing, so it may go out again after a loss.
        connection.call(method, { uri }, { replay: true }, (outcome) =>
          done(outcome.ok ? undefined : outcome.error),
        )
      },
      wants: (uri) => this.#entries.has(uri),
      agreed: (uri) => this.#agree(uri),
      refused: (uri, error) => this.#lose(uri, error),
    })
    notices.on("notifications/resources/updated", ({ uri }) => this.#updated(uri))
    life.interrupted.add(() => this.#interrupted())
    life.recovered.add(() => this.#askAgain())
    life.missed.add((covered) => this.#missed(covered))
    life.heardAgain.add((covered) => this.#heardAgain(covered))
    life.leaving.add(() => this.#leave())
    life.stateChanged.add((state) => {
      if (state === "closed" || state === "failed") this.#over()
    })
    life.listening.granted.add(({ resourceSubscriptions = [] }) => {
      for (const uri of resourceSubscriptions) this.#agree(uri)
    })
    life.listening.withheld.add(({ filter, cause }) => {
      for (const uri of filter.resourceSubscriptions ?? []) this.#withhold(uri, cause)
    })
  }

  /**
   * Hears of a resource from now on. `done` is told whether the server has agreed to that; without the
   * capability `resources.subscribe` nothing is sent (V25-CAP-03, V26-SUB-15). The function returned ends it.
   */
  subscribe(uri: string, listener: (update: ResourceUpdated) => void, done: Done): () => void {
    let leave: (() => void) | undefined
    const stopWaiting = this.#connection.life.whenReady((failure) => {
      const refusal = failure ?? this.#missingCapability()
      if (refusal === undefined) leave = this.#join(uri, listener, done)
      else done(refusal)
    })
    return () => {
      stopWaiting()
      leave?.()
      leave = undefined
    }
  }

  #missingCapability(): CapabilityMissing | undefined {
    const { life, target } = this.#connection
    const { era, revision } = life.agreement
    const capability = missingCapability(
      "notifications/resources/updated",
      revision,
      life.capabilities,
    )
    if (capability === undefined) return undefined
    const method = era === "legacy" ? "resources/subscribe" : "subscriptions/listen"
    const what = `Updates of a resource need the capability "${capability}", which the server did not declare.`
    const fields = explain("capability-missing", "request", target, what)
    return new CapabilityMissing({ ...fields, method, capability })
  }

  #join(uri: string, listener: (update: ResourceUpdated) => void, done: Done): () => void {
    const entry = this.#entries.get(uri) ?? this.#enter(uri)
    const { agreed } = entry
    const member = { stop: entry.updated.add(listener), waits: agreed ? undefined : done }
    entry.members.add(member)
    if (agreed) done(undefined)
    else if (this.#isLegacy) this.#legacy.follow(uri)
    else this.#connection.life.listening.resources.touch()
    return () => this.#drop(entry, member)
  }

  get #isLegacy(): boolean {
    return this.#connection.life.agreement.era === "legacy"
  }

  #enter(uri: string): Entry {
    const entry: Entry = {
      uri,
      updated: new Listeners(),
      members: new Set(),
      release: this.#connection.life.listening.resources.add(uri),
      agreed: false,
      missing: false,
    }
    this.#entries.set(uri, entry)
    return entry
  }

  #drop(entry: Entry, member: Member): void {
    member.stop()
    entry.members.delete(member)
    if (entry.members.size > 0 || this.#entries.get(entry.uri) !== entry) return
    this.#entries.delete(entry.uri)
    entry.release()
    if (this.#isLegacy) this.#legacy.follow(entry.uri)
  }

  #updated(uri: string): void {
    // Taken first: a listener may leave, and come again.
    const meant = [...this.#entries.values()].filter((entry) => liesUnder(uri, entry.uri))
    for (const { updated } of meant) updated.tell({ uri, missed: false })
  }

  #agree(uri: string): void {
    const entry = this.#entries.get(uri)
    if (entry === undefined) return
    entry.agreed = true
    this.#tellMissed(entry)
    for (const member of entry.members) {
      const { waits } = member
      member.waits = undefined
      waits?.(undefined)
    }
  }

  #withhold(uri: string, cause: EntenteError | undefined): void {
    const { target } = this.#connection
    const what = `The server does not tell of changes to ${redactUrl(uri)}.`
    const fields = explain("not-subscribed", "request", target, what)
    this.#refuse(
      uri,
      new NotSubscribed(cause === undefined ? { ...fields, uri } : { ...fields, uri, cause }),
    )
  }

  /** Those who wait hear why. Those who were told that all is well stay, in case it comes back. */
  #refuse(uri: string, error: EntenteError): void {
    const entry = this.#entries.get(uri)
    if (entry === undefined) return
    this.#turnAway(entry, error)
    if (!entry.agreed) return
    entry.agreed = false
    entry.missing = true
    this.#mayHaveChanged(entry)
  }

  #turnAway(entry: Entry, error: EntenteError): void {
    for (const member of entry.members) {
      if (member.waits === undefined) continue
      this.#drop(entry, member)
      member.waits(error)
    }
  }

  #interrupted(): void {
    this.#legacy.forget()
    this.#missed("everything")
  }

  /** A modern server is asked again by listening itself, if it still offers to tell. */
  #askAgain(): void {
    const refusal = this.#missingCapability()
    for (const uri of this.#entries.keys()) {
      if (refusal !== undefined) this.#lose(uri, refusal)
      else if (this.#isLegacy) this.#legacy.follow(uri)
    }
  }

  #lose(uri: string, error: EntenteError): void {
    if (this.#entries.get(uri)?.agreed === true) {
      this.#connection.notes.add({ code: "subscription-lost", detail: error.message })
    }
    this.#refuse(uri, error)
  }

  #covered(covered: AcknowledgedFilter): ReadonlyArray<Entry> {
    if (covered === "everything") return [...this.#entries.values()]
    const uris = covered.resourceSubscriptions ?? []
    return uris.flatMap((uri) => this.#entries.get(uri) ?? [])
  }

  #missed(covered: AcknowledgedFilter): void {
    for (const entry of this.#covered(covered)) if (entry.agreed) entry.missing = true
  }

  /** A legacy stream is open again; a modern one says itself of what. */
  #heardAgain(covered: AcknowledgedFilter): void {
    if (covered !== "everything") return
    for (const entry of this.#covered(covered)) this.#tellMissed(entry)
  }

  #tellMissed(entry: Entry): void {
    if (!entry.missing) return
    entry.missing = false
    this.#mayHaveChanged(entry)
  }

  /** Whoever hears of it and reads the resource gets it from the server. */
  #mayHaveChanged({ uri, updated }: Entry): void {
    this.#connection.results.of("resources/read").doubt(uri)
    updated.tell({ uri, missed: true })
  }

  /** A legacy server is told on leaving, for what it is worth (V25-RES-04). */
  #leave(): void {
    const { wire, deadlines } = this.#connection.life
    for (const uri of this.#legacy.subscribed) {
      const options = { timeoutMs: deadlines.request, cancellable: false }
      wire.request("resources/unsubscribe", { uri }, options, () => {})
    }
  }

  /** Nothing is heard any more: those who still wait learn why. */
  #over(): void {
    this.#connection.life.whenReady((failure) => {
      if (failure === undefined) return
      for (const entry of this.#entries.values()) this.#turnAway(entry, failure)
    })
  }
}
