import { sameJson, type Listing } from "@entente/client"
import type { Tool } from "@entente/protocol"
import type { ConfiguredServer } from "../server/server-spec.js"
import { CatalogTool } from "./catalog-tool.js"

/** Why a tool of a server does not reach a model. */
export type WithheldKind =
  /** Its definition is broken; the others are not affected (C011). */
  | "quarantined"
  /** `allow` or `deny` says so. */
  | "filtered"
  /** The newest projection could not take it. */
  | "rejected"

/** A tool that does not reach a model, and why. */
export interface Withheld {
  readonly kind: WithheldKind
  /** What it calls itself, where that can be read: untrusted text. */
  readonly tool: string | undefined
  readonly reason: string
  /** A JSON pointer into the definition, where one place is at fault. */
  readonly pointer?: string
}

/** What one listing of a server comes to. */
export interface ServerTools {
  /** In the server's order. The very same array for as long as nothing in it changes. */
  readonly tools: ReadonlyArray<CatalogTool>
  readonly withheld: ReadonlyArray<Withheld>
  /** How many tools the server sent, broken ones included. */
  readonly listed: number
  /** How many of them are sound. */
  readonly accepted: number
}

export const noTools: ServerTools = {
  tools: Object.freeze([]),
  withheld: [],
  listed: 0,
  accepted: 0,
}

/** The tools that were there before, by name: what has not changed stays the object it was. */
const keeper = (
  { id, tags }: ConfiguredServer,
  before: ReadonlyArray<CatalogTool>,
): ((tool: Tool) => CatalogTool) => {
  const known = new Map(before.map((tool) => [tool.tool.name, tool]))
  return (tool) => {
    const old = known.get(tool.name)
    return old !== undefined && sameJson(old.tool, tool) ? old : new CatalogTool(id, tool, tags)
  }
}

const isUnchanged = (one: ReadonlyArray<CatalogTool>, other: ReadonlyArray<CatalogTool>): boolean =>
  one.length === other.length && one.every((tool, index) => tool === other[index])

/** Derives from a listing what of it the catalog has, next to what it had of the listing before. */
export const serverTools = (
  server: ConfiguredServer,
  listing: Listing<Tool>,
  before: ServerTools,
): ServerTools => {
  const keep = keeper(server, before.tools)
  const tools: Array<CatalogTool> = []
  const withheld: Array<Withheld> = listing.quarantined.map(({ name, reason, pointer }) => ({
    kind: "quarantined",
    tool: name,
    reason,
    pointer,
  }))
  for (const tool of listing.items) {
    const { name } = tool
    const reason = server.filter(name)
    if (reason === undefined) tools.push(keep(tool))
    else withheld.push({ kind: "filtered", tool: name, reason })
  }
  return {
    tools: isUnchanged(before.tools, tools) ? before.tools : Object.freeze(tools),
    withheld,
    listed: listing.items.length + listing.quarantined.length,
    accepted: listing.items.length,
  }
}
