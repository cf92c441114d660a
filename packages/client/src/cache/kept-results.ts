import * as Effect from "effect/Effect"
import { readFreshness, type Freshness, type JsonObject } from "@entente/protocol"
import type { CallOptions } from "../call/call-options.js"
import { canonicalJson, fingerprint } from "../fingerprint.js"
import type { Life } from "../life/life.js"
import { Doubts, maxUris, related } from "./doubts.js"
import { readKept, writeKept, type Kept, type KeptFreshness } from "./kept-text.js"
import type { Place, PlaceFinder, Places } from "./places.js"

/** The longest that a store is asked to keep something; a server that means longer is asked again. */
const longestMs = 30 * 24 * 60 * 60 * 1_000

/** As many results as are remembered to be newer than a doubt of the same moment. */
const maxRewritten = 1_000

/** What tells requests of one method apart: a cursor, or a URI (V26-CACHE-06). */
export interface Entry {
  readonly cursor?: string | undefined
  readonly uri?: string
}

/** A request that what is kept may answer. */
export interface Asking {
  /** What is kept for it and still good, if anything is. */
  readonly kept: Effect.Effect<Kept | undefined>
  /**
   * Keeps what the server answered, where that is allowed, and says for how long it may be used again. The
   * scope is what the server says of it, unless more is known.
   */
  readonly keep: (result: JsonObject, scope?: Freshness["scope"]) => KeptFreshness
  /** Forgets what is kept for it, because that turned out to be no result. */
  readonly drop: (reason: string) => void
}

/** What is kept of one method's results, as one connection may use it. */
export class KeptResults {
  readonly #method: string
  readonly #life: Life
  readonly #finder: PlaceFinder | undefined
  readonly #doubts = new Doubts()
  /** What came after a doubt, although the clock does not show it: when, and after how many doubts. */
  readonly #rewritten = new Map<string, { readonly at: number; readonly count: number }>()
  /** The resources that are kept, as far as this connection knows of them. */
  readonly #uris = new Set<string>()
  /** Whether there may be something to delete: not again and again, however often a server notices. */
  #used = true
  #explained = false

  /** Without a finder nothing is kept. */
  constructor(method: string, life: Life, finder: PlaceFinder | undefined) {
    this.#method = method
    this.#life = life
    this.#finder = finder
  }

  /** Begins a request. One that differs from others in more than its entry is not answered from here. */
  asking(entry: Entry, { headers, meta, capabilities }: CallOptions = {}): Asking {
    const isOwn = (headers ?? meta ?? capabilities) !== undefined
    const places = isOwn ? undefined : this.#places
    this.#used = true
    return places === undefined ? this.#unkept : this.#asked(entry, places)
  }

  /** A name for who asks now, whom nobody else can be taken for; undefined where that is not known. */
  get asker(): string | undefined {
    const asker = this.#finder?.asker ?? { _tag: "Unknown" }
    return asker._tag === "Unknown" ? undefined : canonicalJson(asker)
  }

  /** What was kept until now may be out of date, or only what has to do with a resource. */
  doubt(uri?: string): void {
    this.#doubts.raise(this.#life.timers.now(), uri)
  }

  /** The server says that it is, so that nobody else finds it either (V26-CACHE-10). */
  discard(uri?: string): void {
    this.doubt(uri)
    const places = this.#used ? this.#places : undefined
    if (uri === undefined) this.#used = false
    if (places === undefined) return
    const names =
      uri === undefined ? [""] : this.#about(uri).map((each) => fingerprint({ uri: each }))
    for (const { store, group } of [places.private, places.public]) {
      for (const name of names) store?.delete(keyOf(group, name))
    }
  }

  /** What was kept for everybody is for whoever asked alone, as it turns out. */
  withdraw(): void {
    const place = this.#places?.public
    if (place !== undefined) place.store?.delete(keyOf(place.group, ""))
  }

  /** A resource, and those that are kept and have to do with it. */
  #about(uri: string): ReadonlyArray<string> {
    const others = [...this.#uris].filter((kept) => kept !== uri && related(kept, uri))
    return [uri, ...others]
  }

  /** A legacy server says nothing of freshness, and what it might say means nothing (V26-DUAL-06). */
  get #places(): Places | undefined {
    return this.#life.agreement.era === "modern" ? this.#finder?.of(this.#method) : undefined
  }

  get #unkept(): Asking {
    return {
      kept: Effect.succeed(undefined),
      keep: () => ({ receivedAt: this.#life.timers.now(), ttlMs: 0, scope: "private" }),
      drop: () => {},
    }
  }

  #asked(entry: Entry, places: Places): Asking {
    const { uri } = entry
    const name = fingerprint(entry)
    const begun = this.#doubts.count
    // Until they were looked at, older results may be there.
    let older: ReadonlyArray<Place> = [places.private, places.public]
    const forget = (): void => {
      for (const { store, group } of older) store?.delete(keyOf(group, name))
    }
    const look = Effect.gen({ self: this }, function* () {
      const found: Array<Place> = []
      let newest: Kept | undefined
      for (const place of new Set([places.private, places.public])) {
        const kept = yield* this.#look(place, name, uri)
        if (kept === undefined) continue
        found.push(place)
        if (newest === undefined || kept.freshness.receivedAt > newest.freshness.receivedAt) {
          newest = kept
        }
      }
      older = found
      return newest
    })
    return {
      kept: look,
      keep: (result, scope) => {
        const { ttlMs, scope: said } = readFreshness(result)
        const place = places[scope ?? said]
        const receivedAt = this.#life.timers.now()
        if (ttlMs > 0 && place.apart !== undefined) this.#explain(place.apart)
        // A response that was begun before a change must not pass for one that came after it.
        const isCurrent = place.holds() && this.#doubts.latest(uri).count <= begun
        const isGood = place.store !== undefined && isCurrent
        const freshness = { receivedAt, ttlMs: isGood ? ttlMs : 0, scope: place.scope }
        if (!this.#write(place, name, uri, { result, freshness })) forget()
        return freshness
      },
      drop: (reason) => {
        forget()
        this.#noteDropped(reason)
      },
    }
  }

  /** What is kept in one place and still good. */
  #look({ store, scope, group }: Place, name: string, uri: string | undefined) {
    return Effect.gen({ self: this }, function* () {
      const key = keyOf(group, name)
      const text = yield* store?.get(key) ?? Effect.void
      if (text === undefined || text === null) return undefined
      const read = readKept(key, scope, text)
      if (read.ok) {
        this.#remember(uri)
        return this.#isGood(key, uri, read.kept.freshness) ? read.kept : undefined
      }
      store?.delete(key)
      this.#noteDropped(read.reason)
      return undefined
    })
  }

  #isGood(key: string, uri: string | undefined, { receivedAt, ttlMs }: KeptFreshness): boolean {
    const age = this.#life.timers.now() - receivedAt
    // A clock that was set back proves no freshness.
    if (age < 0 || age >= ttlMs) return false
    const doubt = this.#doubts.latest(uri)
    if (receivedAt > doubt.at) return true
    const rewritten = this.#rewritten.get(key)
    return rewritten?.at === receivedAt && rewritten.count >= doubt.count
  }

  /** Whether it is kept. */
  #write(
    { store, group, scope }: Place,
    name: string,
    uri: string | undefined,
    kept: Kept,
  ): boolean {
    const { receivedAt, ttlMs } = kept.freshness
    if (store === undefined || ttlMs === 0) return false
    const key = keyOf(group, name)
    const text = writeKept(key, kept)
    if (text === undefined) {
      const detail = `${this.#method}: it is too long, or nested too deeply`
      this.#life.notes.add({ code: "result-not-kept", detail })
      return false
    }
    if (receivedAt <= this.#doubts.latest(uri).at) {
      if (this.#rewritten.size >= maxRewritten) this.#rewritten.clear()
      this.#rewritten.set(key, { at: receivedAt, count: this.#doubts.count })
    }
    this.#remember(uri)
    store.set(key, { text, ttlMs: Math.min(ttlMs, longestMs), scope })
    return true
  }

  #remember(uri: string | undefined): void {
    if (uri === undefined) return
    this.#uris.delete(uri)
    this.#uris.add(uri)
    const [oldest] = this.#uris
    if (this.#uris.size > maxUris && oldest !== undefined) this.#uris.delete(oldest)
  }

  #explain(apart: string): void {
    if (this.#explained) return
    this.#explained = true
    this.#life.notes.add({ code: "result-not-kept", detail: `${this.#method}: ${apart}` })
  }

  #noteDropped(reason: string): void {
    this.#life.notes.add({ code: "kept-result-dropped", detail: `${this.#method}: ${reason}` })
  }
}

/** Without a name it is what all keys of the group begin with. */
const keyOf = (group: string, name: string): string => `${group}.${name}`
