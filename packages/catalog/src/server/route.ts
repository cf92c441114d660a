import * as Result from "effect/Result"
import type { Client } from "@entente/client"
import { ServerUnavailable, UnknownTool, explain, plainText } from "@entente/protocol"
import { readName } from "../name/tool-name.js"
import { nearest } from "../search/nearest.js"
import type { CatalogTool } from "../tool/catalog-tool.js"
import type { CatalogTools } from "../tool/catalog-tools.js"
import type { CatalogServer } from "./catalog-server.js"

/** A tool, and the connection to call it over. */
export interface Route {
  readonly tool: CatalogTool
  readonly client: Client.Client
}

type Refusal = UnknownTool | ServerUnavailable

const shown = (text: string): string => JSON.stringify(plainText(text, 100))

const unknown = (
  tool: string,
  what: string,
  near: ReadonlyArray<string>,
): Result.Result<never, UnknownTool> => {
  const hint = near.length === 0 ? undefined : `Did you mean ${near.join(" or ")}?`
  const fields = explain("unknown-tool", "request", "catalog", what, hint)
  return Result.fail(new UnknownTool({ ...fields, tool, nearest: near }))
}

const unavailable = (server: CatalogServer, tool: string): Result.Result<never, Refusal> => {
  const { state, since } = server.standing
  const { target, trouble } = server.status
  const why = trouble === undefined ? "" : `: ${trouble.message}`
  const what = `${shown(tool)} cannot be called: its server ${shown(server.id)} is ${state} since ${new Date(since).toISOString()}${why}`
  const fields = explain("server-unavailable", "request", target, what)
  return Result.fail(new ServerUnavailable({ ...fields, server: server.id, state, since }))
}

/** Where calls go: by the id of a tool, or by its plain name where that means one tool alone. */
export class Routes {
  readonly #servers: ReadonlyMap<string, CatalogServer>
  readonly #tools: () => CatalogTools

  constructor(servers: ReadonlyMap<string, CatalogServer>, tools: () => CatalogTools) {
    this.#servers = servers
    this.#tools = tools
  }

  /** The tool that an id or a plain name means. */
  tool(idOrName: string): Result.Result<CatalogTool, Refusal> {
    const tools = this.#tools()
    const tool = tools.get(idOrName)
    if (tool !== undefined) return Result.succeed(tool)
    // What looks like an id is never taken for a plain name: a server that calls its tool like the id of
    // another one's would get the calls that are meant for a tool that is gone.
    if (idOrName.includes("__")) return this.#missing(idOrName)
    const [one, ...others] = tools.named(idOrName)
    if (one === undefined) return this.#missing(idOrName)
    if (others.length === 0) return Result.succeed(one)
    const ids = [one, ...others].map(({ id }) => id)
    const what = `Several servers have a tool ${shown(idOrName)}; the id says which one is meant.`
    return unknown(idOrName, what, ids)
  }

  /** The connection to the server of a tool. */
  to(tool: CatalogTool): Result.Result<Route, Refusal> {
    const server = this.#servers.get(tool.server)
    if (server === undefined) return this.#missing(tool.id)
    const { client } = server
    return client === undefined ? unavailable(server, tool.id) : Result.succeed({ tool, client })
  }

  /** Why there is no such tool, as far as its id says whose it would be. */
  #missing(id: string): Result.Result<never, Refusal> {
    const named = readName(id)
    const server = named === undefined ? undefined : this.#servers.get(named.server)
    const near = nearest(id, this.#ids())
    if (named === undefined || server === undefined) {
      return unknown(id, `The catalog has no tool ${shown(id)}.`, near)
    }
    if (server.outcome !== "listed") return unavailable(server, id)
    const withheld = server.tools.withheld.find(({ tool }) => tool === named.tool)
    const why = withheld === undefined ? "" : `: it is ${withheld.kind}, because ${withheld.reason}`
    const what = `The server ${shown(server.id)} has no tool ${shown(named.tool)}${why}.`
    return unknown(id, what, near)
  }

  *#ids(): Generator<string> {
    for (const { id } of this.#tools().tools) yield id
  }
}
