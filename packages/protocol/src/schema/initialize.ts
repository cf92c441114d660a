import * as Schema from "effect/Schema"
import { ClientCapabilities, ServerCapabilities } from "./capability.js"
import { Implementation } from "./implementation.js"
import { optional } from "./open.js"
import { result } from "./result.js"

/** The params of `initialize` besides `_meta` (V25-LIFE-01). */
export const initializeFields = {
  protocolVersion: Schema.String,
  capabilities: ClientCapabilities,
  clientInfo: Implementation,
}

/**
 * A legacy server's half of the handshake. Nothing in it may be missing: absent capabilities are
 * not an empty set of them (C089).
 */
export class InitializeResult extends Schema.Opaque<InitializeResult>()(
  result({
    protocolVersion: Schema.String,
    capabilities: ServerCapabilities,
    serverInfo: Implementation,
    /** Untrusted text that a host may show to a model (V25-LIFE-16). */
    instructions: optional(Schema.String),
  }),
) {}

/** What a modern server tells of itself; having one proves the era (V26-ERA-10). */
export class DiscoverResult extends Schema.Opaque<DiscoverResult>()(
  result({
    /** May name versions of both eras (V26-VER-08). */
    supportedVersions: Schema.Array(Schema.String),
    capabilities: ServerCapabilities,
    /** Untrusted text that a host may show to a model (V26-DISC-06). */
    instructions: optional(Schema.String),
  }),
) {}
