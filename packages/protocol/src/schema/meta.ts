import * as Schema from "effect/Schema"
import { AnyObject, open, optional } from "./open.js"
import { ClientCapabilities } from "./capability.js"
import { Implementation } from "./implementation.js"
import { LoggingLevel } from "./logging.js"

/**
 * Reserved keys of `_meta`, written out. The first six belong to the modern era (V26-META-01 …
 * V26-META-07, V26-SUB-05, V26-LOG-01), the last two to the tasks of 2025-11-25 (V25-TASK-12,
 * V25-TASK-17).
 */
export const metaKey = {
  protocolVersion: "io.modelcontextprotocol/protocolVersion",
  clientCapabilities: "io.modelcontextprotocol/clientCapabilities",
  clientInfo: "io.modelcontextprotocol/clientInfo",
  serverInfo: "io.modelcontextprotocol/serverInfo",
  logLevel: "io.modelcontextprotocol/logLevel",
  subscriptionId: "io.modelcontextprotocol/subscriptionId",
  relatedTask: "io.modelcontextprotocol/related-task",
  modelImmediateResponse: "io.modelcontextprotocol/model-immediate-response",
} as const

/** The id of a request, where it is quoted inside a message. `1` and `"1"` are different ids. */
export const RequestIdSchema = Schema.Union([Schema.String, Schema.Int])

/** Ties progress notifications to a request; `1` and `"1"` are different tokens (V25-PROG-03). */
export const ProgressToken = RequestIdSchema
export type ProgressToken = typeof ProgressToken.Type

/** Names the task that a message of 2025-11-25 belongs to (V25-TASK-12). */
export class RelatedTask extends Schema.Opaque<RelatedTask>()(open({ taskId: Schema.String })) {}

/** `_meta` of a legacy request: optional, and mostly foreign (V25-META-06). */
export class LegacyRequestMeta extends Schema.Opaque<LegacyRequestMeta>()(
  open({
    progressToken: optional(ProgressToken),
    [metaKey.relatedTask]: optional(RelatedTask),
  }),
) {}

/**
 * `_meta` of a modern request. It carries what the handshake carried before: version and
 * capabilities on every request, the client's name unless the host switched it off (V26-META-01 …
 * V26-META-03).
 */
export class ModernRequestMeta extends Schema.Opaque<ModernRequestMeta>()(
  open({
    [metaKey.protocolVersion]: Schema.String,
    [metaKey.clientCapabilities]: ClientCapabilities,
    [metaKey.clientInfo]: optional(Implementation),
    [metaKey.logLevel]: optional(LoggingLevel),
    progressToken: optional(ProgressToken),
    traceparent: optional(Schema.String),
    tracestate: optional(Schema.String),
    baggage: optional(Schema.String),
  }),
) {}

/**
 * `_meta` anywhere else. Values under reserved keys are not checked: an odd one must not cost the
 * message (V26-META-13).
 */
export const Meta = AnyObject
