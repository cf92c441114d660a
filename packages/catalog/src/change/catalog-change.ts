import type { ServerState, ServerStatus } from "../server/server-status.js"
import type { ToolDiff } from "./tool-diff.js"

/** A server stands differently. */
export interface StatusChange {
  readonly kind: "status"
  readonly server: string
  readonly before: ServerState
  readonly status: ServerStatus
}

/** The tools of a server are others, or in another order. */
export interface ToolsChange extends ToolDiff {
  readonly kind: "tools"
  readonly server: string
  /** The version of the catalog that has these tools. */
  readonly version: number
}

/** Something that became of one server. */
export type CatalogChange = StatusChange | ToolsChange
