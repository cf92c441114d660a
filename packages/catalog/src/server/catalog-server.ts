import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { Client, type Listing } from "@entente/client"
import { ConnectionClosed, explain, type EntenteError, type Tool } from "@entente/protocol"
import { noTools, serverTools, type ServerTools } from "../tool/server-tools.js"
import { isDue, type RevalidationPolicy } from "./revalidation.js"
import { Pause } from "./pause.js"
import { pauseBefore, waitsForSomebody, type RetryPolicy } from "./retry-policy.js"
import type { ConfiguredServer } from "./server-spec.js"
import {
  isFailure,
  troubleOf,
  troubleWithList,
  type ServerDetails,
  type ServerStanding,
  type ServerState,
  type ServerStatus,
  type ServerTrouble,
} from "./server-status.js"
import type { Starting } from "./starting.js"
import { watchedTransport } from "./watched-transport.js"

/** What a server finds in the catalog it is part of. */
export interface Surroundings {
  readonly starting: Starting
  readonly retry: RetryPolicy
  readonly now: () => number
  /** Something about the server has changed: how it stands, or its tools. */
  readonly changed: () => void
}

type ToolListing = Listing<Tool>

/** Takes something back with the scope. */
const held = (takeBack: () => void): Effect.Effect<void, never, Scope.Scope> =>
  Effect.addFinalizer(() => Effect.sync(takeBack))

/** What the server's fiber ended with; a defect is contained, and told like a connection that broke. */
const failureIn = (cause: Cause.Cause<EntenteError>, target: string): EntenteError =>
  Option.getOrElse(Cause.findErrorOption(cause), () => {
    const fields = explain("closed", "recover", target, "The connection broke down.")
    return new ConnectionClosed({ ...fields, cause: Cause.squash(cause) })
  })

/**
 * One server of a catalog, which lives alone: it is connected, followed, and after a failure tried again. No
 * failure leaves it; what there is to know of it stands in `status`.
 */
export class CatalogServer {
  readonly configured: ConfiguredServer
  readonly #around: Surroundings
  readonly #pause = new Pause()
  #standing: ServerStanding
  #since: number
  #client: Client.Client | undefined
  /** What the connection before this one had read last: still shown until there is a newer list. */
  #kept: ToolListing | undefined
  /** How the list was read last, whatever came of it; undefined until it was read once. */
  #read: ToolListing | undefined
  #readAt = 0
  /** When `revalidate` last asked. */
  #askedAt = -Infinity
  #derived: { readonly from: ToolListing; readonly tools: ServerTools } | undefined
  #counts: Pick<ServerDetails["counts"], "spawned" | "negotiated"> = { spawned: 0, negotiated: 0 }
  #trouble: ServerTrouble | undefined
  #failures = 0
  #outcome: "none" | "failed" | "listed" = "none"

  constructor(configured: ConfiguredServer, around: Surroundings) {
    this.configured = configured
    this.#around = around
    this.#standing = { state: configured.disabled ? "disabled" : "queued" }
    this.#since = around.now()
  }

  get id(): string {
    return this.configured.id
  }

  get state(): ServerState {
    return this.#standing.state
  }

  get standing(): ServerStanding & { readonly since: number } {
    return { ...this.#standing, since: this.#since }
  }

  /** The connection, where there is one; also while it recovers. */
  get client(): Client.Client | undefined {
    return this.#client
  }

  /** What has come of the server so far: its tools count for ever, a failure until they are there. */
  get outcome(): "none" | "failed" | "listed" {
    return this.#outcome
  }

  /** Whether it has tools that may be out of date. */
  get isStale(): boolean {
    return this.state !== "live" && this.tools.tools.length > 0
  }

  /** What it shows, derived from the last listing of its client and kept nowhere else (C125). */
  get tools(): ServerTools {
    const listing = this.#client?.tools.last ?? this.#kept
    if (listing === undefined) return noTools
    if (this.#derived?.from.items !== listing.items) {
      const before = this.#derived?.tools ?? noTools
      this.#derived = { from: listing, tools: serverTools(this.configured, listing, before) }
    }
    return this.#derived.tools
  }

  /** Everything but what a projection has to say. */
  get status(): ServerStatus {
    const { id, tags, transport } = this.configured
    const { tools, withheld, listed, accepted } = this.tools
    const client = this.#client
    const read = this.#read
    const { status, reason } = read ?? {}
    return {
      ...this.standing,
      id,
      target: transport.target,
      transport: client?.transport ?? transport.kind,
      era: client?.era,
      protocolVersion: client?.protocolVersion,
      tags,
      counts: { ...this.#counts, listed, accepted, projected: undefined, exposed: tools.length },
      withheld,
      list:
        status === undefined ? undefined : { status, ...(reason === undefined ? {} : { reason }) },
      trouble: this.#trouble,
      failures: this.#failures,
      notes: client?.notes ?? [],
    }
  }

  /** Tries again now what waits for its next try, or for somebody. */
  retry(): void {
    this.#pause.end()
    const client = this.#client
    if (client === undefined || this.state === "live") return
    client.connection.life.background(Effect.ignore(client.tools.list({ refresh: true })))
  }

  /**
   * Reads the list again where it may be out of date. Waits for that no longer than so many milliseconds; the
   * list that was there stays.
   */
  revalidate({ revalidateMs, listMs }: RevalidationPolicy): Effect.Effect<void> {
    return Effect.suspend(() => {
      const client = this.#client
      const due = { askedAt: this.#askedAt, readAt: this.#readAt, now: this.#around.now() }
      if (client === undefined || !isDue(client, due, revalidateMs)) return Effect.void
      this.#askedAt = due.now
      return client.tools.list().pipe(
        Effect.tap(() => Effect.sync(() => (this.#readAt = this.#around.now()))),
        Effect.timeoutOption(listMs),
        Effect.ignore,
      )
    })
  }

  /** Lives until it is interrupted, which closes the connection. */
  get live(): Effect.Effect<never> {
    return Effect.gen({ self: this }, function* () {
      for (;;) {
        const failure = yield* Effect.scoped(this.#connected).pipe(
          Effect.catchCause((cause) =>
            Effect.succeed(failureIn(cause, this.configured.transport.target)),
          ),
        )
        yield* this.#rest(failure)
      }
    }).pipe(Effect.ensuring(Effect.sync(() => this.#stand({ state: "closed" }))))
  }

  /** One connection, from its first attempt to its end, which is a failure. */
  get #connected(): Effect.Effect<never, EntenteError, Scope.Scope> {
    return Effect.gen({ self: this }, function* () {
      const { now } = this.#around
      this.#counts = { spawned: 0, negotiated: 0 }
      const client = yield* this.#opened
      const since = now()
      this.#client = client
      this.#read = undefined
      this.#counts = { spawned: 1, negotiated: 1 }
      yield* Effect.addFinalizer(() => Effect.sync(() => this.#part(client, since)))
      this.#look()
      const { life } = client.connection
      yield* held(client.tools.stateChanged.add(() => this.#look()))
      yield* held(life.stateChanged.add(() => this.#look()))
      const followed = Stream.runForEach(client.tools.follow(), (read) =>
        Effect.sync(() => this.#hear(read)),
      )
      return yield* Effect.raceFirst(life.untilEnded, Effect.andThen(followed, Effect.never))
    })
  }

  get #opened(): Effect.Effect<Client.Client, EntenteError, Scope.Scope> {
    const { transport, connect } = this.configured
    const watched = watchedTransport(transport, () => {
      if (this.#client !== undefined) return
      this.#counts = { spawned: 1, negotiated: 0 }
      this.#stand({ state: "connecting" })
    })
    const opened = Client.connect(watched, connect)
    const begun = (): void => this.#stand({ state: "starting" })
    if (transport.kind !== "stdio") return Effect.andThen(Effect.sync(begun), opened)
    this.#stand({ state: "queued" })
    return this.#around.starting.inTurn(opened, begun)
  }

  /** A connection is over: what it has read stays, and counts as out of date. */
  #part(client: Client.Client, since: number): void {
    const { now, retry } = this.#around
    this.#kept = client.tools.last ?? this.#kept
    this.#client = undefined
    if (now() - since >= retry.steadyMs) this.#failures = 0
  }

  /** There is a list, or there is none. */
  #hear(read: ToolListing): void {
    this.#read = read
    this.#readAt = this.#around.now()
    const { status } = read
    // It had tools on an earlier connection, and offers none any more.
    if (status === "unsupported") this.#kept = undefined
    if (status === "complete" || status === "partial") this.#outcome = "listed"
    else if (this.#outcome === "none") this.#outcome = "failed"
    this.#look()
    this.#around.changed()
  }

  /** Waits after a failure for the time to try again, or for somebody to act. */
  #rest(failure: EntenteError): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      this.#trouble ??= troubleOf(failure)
      this.#failures++
      if (this.#outcome === "none") this.#outcome = "failed"
      if (waitsForSomebody(failure.code)) {
        this.#stand({ state: "failed" })
        return yield* this.#pause.wait(Infinity)
      }
      const pause = yield* this.#pauseBefore(this.#failures)
      this.#wait(pause)
      yield* this.#pause.wait(pause)
    })
  }

  #pauseBefore(tries: number): Effect.Effect<number> {
    return Effect.map(Random.next, (chance) => pauseBefore(tries, this.#around.retry, chance))
  }

  #wait(pause: number): void {
    this.#stand({ state: "waiting", retryAt: this.#around.now() + pause })
  }

  /** How a server stands that is connected. */
  #look(): void {
    const client = this.#client
    if (client === undefined) return
    const state = client.state === "ready" ? this.#listState(client) : "recovering"
    if (state === "live") this.#trouble = undefined
    this.#stand({ state })
  }

  #listState({ tools }: Client.Client): "listing" | "unavailable" | "live" | "stale" {
    const { last } = tools
    const reason = last === undefined ? this.#read?.reason : last.staleBecause
    if (last === undefined && tools.state !== "unsupported") {
      if (this.#read === undefined) return "listing"
      if (reason !== undefined) this.#trouble ??= troubleWithList(reason)
      return "unavailable"
    }
    if (last?.stale !== true) return "live"
    if (reason !== undefined && isFailure(reason)) this.#trouble ??= troubleWithList(reason)
    return "stale"
  }

  #stand(standing: ServerStanding): void {
    if (standing.state === this.state && standing.state !== "waiting") return
    this.#standing = standing
    this.#since = this.#around.now()
    this.#around.changed()
  }
}
