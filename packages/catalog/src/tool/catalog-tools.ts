import type { CatalogTool } from "./catalog-tool.js"

/** A name that several servers have a tool of. It disturbs nobody: their ids differ (C080, V26-TOOL-05). */
export interface Collision {
  /** The name as the servers have it. */
  readonly name: string
  readonly ids: ReadonlyArray<string>
}

/** The tools of all servers as they were at one moment. It never changes. */
export class CatalogTools {
  /** Moves with every change of the tools, and only then. */
  readonly version: number
  /** By the order in which the servers were configured, then in each server's own. */
  readonly tools: ReadonlyArray<CatalogTool>
  /** The servers whose tools may be out of date, because they could not be read again. */
  readonly stale: ReadonlyArray<string>
  #byId: ReadonlyMap<string, CatalogTool | undefined> | undefined
  #byName: ReadonlyMap<string, ReadonlyArray<CatalogTool>> | undefined

  constructor(version: number, tools: ReadonlyArray<CatalogTool>, stale: ReadonlyArray<string>) {
    this.version = version
    this.tools = Object.freeze(tools)
    this.stale = Object.freeze(stale)
  }

  /** The names that several servers have a tool of. */
  get collisions(): ReadonlyArray<Collision> {
    return [...this.#names].flatMap(([name, tools]) =>
      tools.length > 1 ? [{ name, ids: tools.map(({ id }) => id) }] : [],
    )
  }

  /** The tool with an id. One that two tools share leads to neither: somebody has forged the other's hash. */
  get(id: string): CatalogTool | undefined {
    if (this.#byId === undefined) {
      const byId = new Map<string, CatalogTool | undefined>()
      for (const tool of this.tools) byId.set(tool.id, byId.has(tool.id) ? undefined : tool)
      this.#byId = byId
    }
    return this.#byId.get(id)
  }

  /** The tools that the servers themselves call so. */
  named(name: string): ReadonlyArray<CatalogTool> {
    return this.#names.get(name) ?? []
  }

  get #names(): ReadonlyMap<string, ReadonlyArray<CatalogTool>> {
    if (this.#byName === undefined) {
      const byName = new Map<string, Array<CatalogTool>>()
      for (const tool of this.tools) {
        const others = byName.get(tool.tool.name)
        if (others === undefined) byName.set(tool.tool.name, [tool])
        else others.push(tool)
      }
      this.#byName = byName
    }
    return this.#byName
  }
}
