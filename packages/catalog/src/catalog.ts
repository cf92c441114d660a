import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import type { CallToolParams, Client, EffectCallOptions } from "@entente/client"
import {
  InvalidInput,
  explain,
  type CallToolResult,
  type EntenteError,
  type JsonObject,
} from "@entente/protocol"
import { readOptions, type CatalogOptions, type CatalogPolicy } from "./catalog-options.js"
import type { CatalogChange } from "./change/catalog-change.js"
import { changeFeed, type Bell } from "./change/change-feed.js"
import { closeWithin } from "./close-within.js"
import {
  judged,
  projectionOf,
  verdictsOf,
  type CatalogProjection,
  type Projector,
} from "./projection/catalog-projection.js"
import { namedCall, type NamedCall } from "./projection/named-call.js"
import type { ToolsOf } from "./projection/format/tools.js"
import type { ProjectionOptions } from "./projection/options.js"
import { project } from "./projection/project.js"
import type { Projection } from "./projection/projection.js"
import type { Format } from "./provider/format.js"
import { search, type Found, type SearchOptions } from "./search/search.js"
import { CatalogServer } from "./server/catalog-server.js"
import { Routes, type Route } from "./server/route.js"
import { readServers, type ConfiguredServer, type Servers } from "./server/server-spec.js"
import type { ServerStatus } from "./server/server-status.js"
import { Starting } from "./server/starting.js"
import type { CatalogTool } from "./tool/catalog-tool.js"
import { CatalogTools } from "./tool/catalog-tools.js"

/** One server of a catalog, as it is to be had right now. */
export interface ServerAccess {
  /** Its connection; undefined where there is none. */
  readonly client: Client.Client | undefined
  readonly status: ServerStatus
}

/**
 * The tools of many servers under one roof. Made by `make`; the servers are connected, followed and tried
 * again by themselves, and all of it ends with the scope that it was made in.
 */
export class Catalog {
  readonly #servers: ReadonlyMap<string, CatalogServer>
  readonly #policy: CatalogPolicy
  readonly #routes: Routes
  readonly #bells = new Set<Bell>()
  readonly #ready = Deferred.makeUnsafe<void>()
  readonly #settled = Deferred.makeUnsafe<void>()
  #latest = new CatalogTools(0, [], [])
  /** What `#latest` was put together from, one list for each server. */
  #parts: ReadonlyArray<ReadonlyArray<CatalogTool>>
  /** What the newest projection says of the servers. */
  #verdicts: ReturnType<typeof verdictsOf> | undefined
  #closed = false

  constructor(
    configured: ReadonlyArray<ConfiguredServer>,
    policy: CatalogPolicy,
    now: () => number,
  ) {
    this.#policy = policy
    const starting = new Starting(policy.starting)
    const around = { starting, retry: policy.retry, now, changed: () => this.#changed() }
    this.#servers = new Map(configured.map((each) => [each.id, new CatalogServer(each, around)]))
    this.#parts = [...this.#servers.values()].map(({ tools }) => tools.tools)
    this.#routes = new Routes(this.#servers, () => this.tools)
    this.#changed()
  }

  /** Lets every server live until the scope ends; for `make`, which does it once. */
  get live(): Effect.Effect<void, never, Scope.Scope> {
    return Effect.gen({ self: this }, function* () {
      const scope = yield* Scope.make("parallel")
      yield* Effect.addFinalizer(() =>
        Effect.andThen(closeWithin(scope, this.#policy.closeMs), Effect.sync(this.#end)),
      )
      yield* Effect.forkIn(this.#begin(scope), scope)
    })
  }

  /**
   * Begins with one server, then two, four and so on: what beginning costs would otherwise stand before the
   * first one's answer. What they do then they do side by side.
   */
  #begin(scope: Scope.Scope): Effect.Effect<void> {
    const lives = this.#enabled.map(({ live }) => live)
    return Effect.gen(function* () {
      for (let begun = 0; begun < lives.length; begun = 2 * begun + 1) {
        for (const life of lives.slice(begun, 2 * begun + 1)) yield* Effect.forkIn(life, scope)
        yield* Effect.repeat(Effect.yieldNow, { times: 4 })
      }
    })
  }

  /**
   * Succeeds as soon as the first server's tools are there, however slow the others are; or when nothing has
   * come of any.
   */
  get ready(): Effect.Effect<void> {
    return Deferred.await(this.#ready)
  }

  /** Succeeds when each server has had its first outcome: its list, or a failure. */
  get settled(): Effect.Effect<void> {
    return Deferred.await(this.#settled)
  }

  /**
   * All tools as they are known now. Reading this asks no server; it is put together anew only where a list
   * has changed, so that it may be read for every call of a model.
   */
  get tools(): CatalogTools {
    const servers = [...this.#servers.values()]
    const parts = servers.map(({ tools }) => tools.tools)
    const stale = servers.flatMap(({ isStale, id }) => (isStale ? [id] : []))
    const { version, tools } = this.#latest
    if (isSame(parts, this.#parts)) {
      if (!isSame(stale, this.#latest.stale)) this.#latest = new CatalogTools(version, tools, stale)
      return this.#latest
    }
    this.#parts = parts
    this.#latest = new CatalogTools(version + 1, parts.flat(), stale)
    return this.#latest
  }

  /**
   * Like `tools`, but what may be out of date is read again first: all servers at the same time, each as long
   * as `listMs` allows. One that fails shows what it had, and stands in `stale`. It asks nobody else, so it may
   * be called before every turn of a conversation.
   */
  list(): Effect.Effect<CatalogTools> {
    const revalidated = Effect.forEach(
      this.#servers.values(),
      (server) => server.revalidate(this.#policy),
      { concurrency: "unbounded", discard: true },
    )
    return Effect.map(revalidated, () => this.tools)
  }

  /** How each server stands, in the order in which they were configured. */
  get status(): ReadonlyArray<ServerStatus> {
    return [...this.#servers.values()].map(this.#statusOf)
  }

  /**
   * What becomes of the servers and their tools, from now on; ends with the catalog. A reader that is slow is
   * told of several changes of one server as one.
   */
  get changes(): Stream.Stream<CatalogChange> {
    const version = () => this.tools.version
    const watched = { servers: this.#servers.values(), statusOf: this.#statusOf, version }
    return changeFeed(watched, (bell) => {
      if (this.#closed) bell.end()
      this.#bells.add(bell)
      return () => this.#bells.delete(bell)
    })
  }

  /** One server; undefined for an id that was not configured. */
  server(id: string): ServerAccess | undefined {
    const server = this.#servers.get(id)
    return server === undefined
      ? undefined
      : { client: server.client, status: this.#statusOf(server) }
  }

  /** Tries a server again now that waits for its next try, or for somebody to act; else it does nothing. */
  retry(id: string): Effect.Effect<void, InvalidInput> {
    return Effect.suspend(() => {
      const server = this.#servers.get(id)
      if (server === undefined) return Effect.fail(noSuchServer(id))
      server.retry()
      return Effect.void
    })
  }

  /** The tools that fit some words best, without a model; see `SearchOptions`. */
  search(query: string, options?: SearchOptions): ReadonlyArray<Found> {
    return search(this.tools.tools, query, options)
  }

  /**
   * The tool that an id means, or a plain name where only one server has a tool of that name and there is no
   * `__` in it. Fails with `UnknownTool`, which has the nearest ids, or with `ServerUnavailable` where the
   * server of that tool has not shown its list yet.
   */
  resolve(idOrName: string): Effect.Effect<CatalogTool, EntenteError> {
    return Effect.suspend(() => Effect.fromResult(this.find(idOrName)))
  }

  /** The same as a value. */
  find(idOrName: string): Result.Result<CatalogTool, EntenteError> {
    return this.#routes.tool(idOrName)
  }

  /** The same, with the connection to call the tool over. */
  route(idOrName: string): Result.Result<Route, EntenteError> {
    return Result.flatMap(this.find(idOrName), (tool) => this.#routes.to(tool))
  }

  /**
   * Calls a tool on its server, under the name that it has there. Fails like `resolve`, with
   * `ServerUnavailable` where the server is away, and like `callTool` of its client.
   */
  call(
    idOrName: string,
    args?: JsonObject,
    options?: EffectCallOptions,
  ): Effect.Effect<CallToolResult, EntenteError> {
    return Effect.suspend(() => {
      const route = this.route(idOrName)
      if (Result.isFailure(route)) return Effect.fail(route.failure)
      const { client, tool } = route.success
      return client.callTool(callParams(tool, args), options)
    })
  }

  get #enabled(): ReadonlyArray<CatalogServer> {
    return [...this.#servers.values()].filter(({ configured }) => !configured.disabled)
  }

  /**
   * The tools in the form that a model API takes, with a report of everything that had to be changed for it, and
   * with the version that they have now. What it rejects shows in the status.
   *
   * @example
   * const { tools, report } = catalog.project("anthropic")
   */
  project<Kind extends Format>(
    format: Kind,
    options?: ProjectionOptions,
  ): CatalogProjection<ToolsOf<Kind>> {
    return this.projectWith((tools) => project(tools, format, options))
  }

  /** The same in a form of your own. */
  projectWith<Tools>(projector: Projector<Tools>): CatalogProjection<Tools> {
    const projection = projectionOf(this.tools, projector)
    this.#verdicts = verdictsOf(projection)
    return projection
  }

  /** Whether the tools are still those that a projection was made of (C125). */
  isCurrent({ version }: Pick<CatalogProjection, "version">): boolean {
    return version === this.tools.version
  }

  /**
   * Calls what a model means by a name that a projection gave it. Its arguments, an object or JSON text, are held
   * against the server's own schema first (`InvalidInput`, nothing is sent); else it fails like `call`.
   */
  callNamed(
    projection: Projection,
    name: string,
    args?: unknown,
    options?: EffectCallOptions,
  ): Effect.Effect<CallToolResult, EntenteError> {
    return Effect.flatMap(this.readCall(projection, name, args), ({ client, params }) =>
      client.callTool(params, options),
    )
  }

  /** The same without the call itself. */
  readCall(
    projection: Projection,
    name: string,
    args: unknown,
  ): Effect.Effect<NamedCall, EntenteError> {
    return namedCall(projection, name, args, (id) => this.route(id))
  }

  /** Nothing will change any more. */
  readonly #end = (): void => {
    this.#closed = true
    for (const bell of this.#bells) bell.end()
  }

  readonly #statusOf = (server: CatalogServer): ServerStatus =>
    judged(server.status, this.#verdicts)

  /** Something about a server has changed. */
  #changed(): void {
    const outcomes = this.#enabled.map(({ outcome }) => outcome)
    const settled = outcomes.every((outcome) => outcome !== "none")
    if (settled || outcomes.includes("listed")) Deferred.doneUnsafe(this.#ready, Exit.void)
    if (settled) Deferred.doneUnsafe(this.#settled, Exit.void)
    for (const bell of this.#bells) bell.ring()
  }
}

/** The params of a call, under the server's own name. */
export const callParams = ({ tool }: CatalogTool, args: JsonObject | undefined): CallToolParams =>
  args === undefined ? { name: tool.name } : { name: tool.name, arguments: args }

const isSame = (one: ReadonlyArray<unknown>, other: ReadonlyArray<unknown>): boolean =>
  one.length === other.length && one.every((each, index) => each === other[index])

const noSuchServer = (id: string): InvalidInput => {
  const what = `The catalog has no server ${JSON.stringify(id)}.`
  return new InvalidInput(explain("invalid-input", "input", "catalog", what))
}

/**
 * Makes a catalog of servers, each under the id that its user gives it, and returns at once: all of them
 * connect by themselves, and none waits for another. Closing the scope closes all of them at the same time.
 *
 * @example
 * Effect.scoped(Effect.gen(function* () {
 *   const catalog = yield* Catalog.make({
 *     files: { transport: stdio({ command: "npx", args: ["server-filesystem", "."] }), deny: ["write_*"] },
 *     wiki: http("https://example.com/mcp"),
 *   })
 *   yield* catalog.ready
 *   const { tools } = catalog.tools
 * }))
 */
export const make = (
  servers: Servers,
  options: CatalogOptions = {},
): Effect.Effect<Catalog, InvalidInput, Scope.Scope> =>
  Effect.gen(function* () {
    const policy = yield* Effect.fromResult(readOptions(options))
    const configured = yield* Effect.fromResult(readServers(servers))
    const clock = yield* Clock.Clock
    const catalog = new Catalog(configured, policy, () => clock.currentTimeMillisUnsafe())
    yield* catalog.live
    return catalog
  })
