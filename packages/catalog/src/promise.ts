import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import {
  PromiseClient,
  runAbortable,
  type Abortable,
  type CallOptions,
  type Client,
} from "@entente/client"
import type { CallToolResult, EntenteError, JsonObject } from "@entente/protocol"
import * as Core from "./catalog.js"
import type { CatalogOptions } from "./catalog-options.js"
import type { CatalogChange } from "./change/catalog-change.js"
import type { CatalogProjection, Projector } from "./projection/catalog-projection.js"
import type { ToolsOf } from "./projection/format/tools.js"
import type { ProjectionOptions } from "./projection/options.js"
import type { Projection } from "./projection/projection.js"
import type { Format } from "./provider/format.js"
import type { Found, SearchOptions } from "./search/search.js"
import type { Servers } from "./server/server-spec.js"
import type { ServerStatus } from "./server/server-status.js"
import type { CatalogTool } from "./tool/catalog-tool.js"
import type { CatalogTools } from "./tool/catalog-tools.js"

/** One server of a catalog, for callers without Effect. */
export interface PromiseServerAccess {
  /** Its connection; undefined where there is none. It belongs to the catalog, which closes it. */
  readonly client: PromiseClient | undefined
  readonly status: ServerStatus
}

/** An error of a catalog names no server: it was about all of them. */
const run = <A>(
  effect: Effect.Effect<A, EntenteError>,
  signal: AbortSignal | undefined,
  what: string,
): Promise<A> => runAbortable(effect, signal, "catalog", what)

const given = <A>(result: Result.Result<A, EntenteError>): A => {
  if (Result.isFailure(result)) throw result.failure
  return result.success
}

/** The tools of many servers, for callers without Effect. Made by `openCatalog`; it wants to be closed. */
export class PromiseCatalog implements AsyncDisposable {
  readonly #core: Core.Catalog
  readonly #scope: Scope.Closeable
  readonly #clients = new WeakMap<Client.Client, PromiseClient>()

  constructor(core: Core.Catalog, scope: Scope.Closeable) {
    this.#core = core
    this.#scope = scope
  }

  /** All tools as they are known now; asks nobody, and may be read for every call of a model. */
  get tools(): CatalogTools {
    return this.#core.tools
  }

  /** Like `tools`, but what may be out of date is read again first, as long as `listMs` allows. */
  list(options: Abortable = {}): Promise<CatalogTools> {
    return run(this.#core.list(), options.signal, "list")
  }

  /** Resolves when each server has had its first outcome: its list, or a failure. */
  settled(options: Abortable = {}): Promise<void> {
    return run(this.#core.settled, options.signal, "settled")
  }

  /** How each server stands, in the order in which they were configured. */
  get status(): ReadonlyArray<ServerStatus> {
    return this.#core.status
  }

  /**
   * What becomes of the servers and their tools, from when the loop begins; it ends with the catalog.
   *
   * @example
   * for await (const change of catalog.changes) {
   *   if (change.kind === "tools") for (const { id, members } of change.changed) ask(id, members)
   * }
   */
  get changes(): AsyncIterable<CatalogChange> {
    return Stream.toAsyncIterable(this.#core.changes)
  }

  /** One server; undefined for an id that was not configured. */
  server(id: string): PromiseServerAccess | undefined {
    const server = this.#core.server(id)
    if (server === undefined) return undefined
    const { client, status } = server
    return { client: client === undefined ? undefined : this.#promised(client), status }
  }

  /** Tries a server again now that waits. Throws `InvalidInput` for an id that was not configured. */
  retry(id: string): void {
    Effect.runSync(this.#core.retry(id))
  }

  /** The tools that fit some words best, without a model. */
  search(query: string, options?: SearchOptions): ReadonlyArray<Found> {
    return this.#core.search(query, options)
  }

  /** The tool that an id means, or a plain name that one server alone has. Throws `UnknownTool`. */
  resolve(idOrName: string): CatalogTool {
    return given(this.#core.find(idOrName))
  }

  /**
   * Calls a tool on its server, under the name that it has there. Rejects with `UnknownTool`, with
   * `ServerUnavailable` where the server is away, and like `callTool` of its client.
   */
  async call(idOrName: string, args?: JsonObject, options?: CallOptions): Promise<CallToolResult> {
    const { client, tool } = given(this.#core.route(idOrName))
    return this.#promised(client).callTool(Core.callParams(tool, args), options)
  }

  /**
   * The tools in the form that a model API takes, with a report of everything that had to be changed for it, and
   * with the version that they have now.
   */
  project<Kind extends Format>(
    format: Kind,
    options?: ProjectionOptions,
  ): CatalogProjection<ToolsOf<Kind>> {
    return this.#core.project(format, options)
  }

  /** The same in a form of your own. */
  projectWith<Tools>(projector: Projector<Tools>): CatalogProjection<Tools> {
    return this.#core.projectWith(projector)
  }

  /** Whether the tools are still those that a projection was made of. */
  isCurrent(projection: Pick<CatalogProjection, "version">): boolean {
    return this.#core.isCurrent(projection)
  }

  /**
   * Calls what a model means by a name that a projection gave it. Its arguments, an object or JSON text, are held
   * against the server's own schema first; where they do not fit it rejects with `InvalidInput`, and nothing is sent.
   */
  async callNamed(
    projection: Projection,
    name: string,
    args?: unknown,
    options: CallOptions = {},
  ): Promise<CallToolResult> {
    const read = this.#core.readCall(projection, name, args)
    const { client, params } = await run(read, options.signal, "callNamed")
    return this.#promised(client).callTool(params, options)
  }

  /** Ends all connections at the same time. */
  close(): Promise<void> {
    return Effect.runPromise(Scope.close(this.#scope, Exit.void))
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #promised(client: Client.Client): PromiseClient {
    const known = this.#clients.get(client)
    if (known !== undefined) return known
    const scope = Scope.makeUnsafe()
    Effect.runSync(Scope.addFinalizer(scope, client.close))
    const promised = new PromiseClient(client, scope)
    this.#clients.set(client, promised)
    return promised
  }
}

/**
 * Opens a catalog of servers, each under the id that its user gives it. Resolves as soon as the first server's
 * tools are there, or when nothing has come of any: it never rejects because of a server, only where the
 * input is not valid, or `signal` aborts.
 *
 * @example
 * await using catalog = await openCatalog({
 *   files: { transport: stdio({ command: "npx", args: ["server-filesystem", "."] }), deny: ["write_*"] },
 *   wiki: http("https://example.com/mcp"),
 * })
 * const result = await catalog.call("files__read_text_file", { path: "README.md" })
 */
export const openCatalog = async (
  servers: Servers,
  { signal, ...options }: CatalogOptions & Abortable = {},
): Promise<PromiseCatalog> => {
  const scope = Scope.makeUnsafe()
  const opened = Core.make(servers, options).pipe(
    Effect.tap((catalog) => catalog.ready),
    Scope.provide(scope),
    Effect.onExit((exit) => (Exit.isFailure(exit) ? Scope.close(scope, exit) : Effect.void)),
  )
  const core = await run(opened, signal, "openCatalog")
  return new PromiseCatalog(core, scope)
}
