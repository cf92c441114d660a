import * as Schema from "effect/Schema"
import { extension, receiver, sender } from "./gate.js"
import type { NotificationRow } from "./method-row.js"
import { tasksExtension } from "./schema/capability.js"
import { LoggingLevel } from "./schema/logging.js"
import { Meta, ProgressToken, RequestIdSchema } from "./schema/meta.js"
import { optional, params } from "./schema/open.js"
import { SubscriptionFilter } from "./schema/subscription.js"
import { legacyTaskFields, Task } from "./schema/task.js"

const meta = { _meta: optional(Meta) }
const bare = params(meta)

const progress = params({
  progressToken: ProgressToken,
  /** Rises each time; may be fractional (V25-PROG-02). */
  progress: Schema.Finite,
  total: optional(Schema.Finite),
  message: optional(Schema.String),
  ...meta,
})

const message = params({
  level: LoggingLevel,
  logger: optional(Schema.String),
  /** Any JSON value; untrusted (V25-LOG-02). */
  data: Schema.Unknown,
  ...meta,
})

const updated = params({ uri: Schema.String, ...meta })

/** A notification with the same params in both eras. */
const bothEras = <const Params>(params: Params) =>
  ({
    legacy: { since: "2024-11-05", params },
    modern: { since: "2026-07-28", params },
  }) as const

/**
 * Every notification of both eras, in one row each. A gate here is what a well-behaved sender has
 * declared; a receiver never fails because it was not (V25-CAP-10).
 */
export const notifications = {
  "notifications/initialized": {
    sender: "client",
    legacy: { since: "2024-11-05", params: bare },
  },
  "notifications/cancelled": {
    sender: "both",
    legacy: {
      since: "2024-11-05",
      // Optional in the type of 2025-11-25 alone; without it nothing is cancelled (V25-CANC-08).
      params: params({
        requestId: optional(RequestIdSchema),
        reason: optional(Schema.String),
        ...meta,
      }),
    },
    modern: {
      since: "2026-07-28",
      params: params({ requestId: RequestIdSchema, reason: optional(Schema.String), ...meta }),
    },
  },
  "notifications/progress": {
    sender: "both",
    legacy: { since: "2024-11-05", params: progress },
    modern: { since: "2026-07-28", sender: "server", params: progress },
  },
  "notifications/message": {
    sender: "server",
    gate: sender("logging"),
    ...bothEras(message),
  },
  "notifications/tools/list_changed": {
    sender: "server",
    gate: sender("tools.listChanged"),
    ...bothEras(bare),
  },
  "notifications/prompts/list_changed": {
    sender: "server",
    gate: sender("prompts.listChanged"),
    ...bothEras(bare),
  },
  "notifications/resources/list_changed": {
    sender: "server",
    gate: sender("resources.listChanged"),
    ...bothEras(bare),
  },
  "notifications/resources/updated": {
    sender: "server",
    gate: sender("resources.subscribe"),
    ...bothEras(updated),
  },
  "notifications/roots/list_changed": {
    sender: "client",
    gate: sender("roots.listChanged"),
    legacy: { since: "2024-11-05", params: bare },
  },
  "notifications/elicitation/complete": {
    sender: "server",
    gate: receiver("elicitation.url"),
    legacy: { since: "2025-11-25", params: params({ elicitationId: Schema.String, ...meta }) },
  },
  "notifications/tasks/status": {
    sender: "both",
    gate: sender("tasks"),
    legacy: { since: "2025-11-25", params: params({ ...legacyTaskFields, ...meta }) },
  },
  "notifications/tasks": {
    sender: "server",
    gate: extension("sender", tasksExtension),
    modern: { since: "2026-07-28", params: Task },
  },
  "notifications/subscriptions/acknowledged": {
    sender: "server",
    modern: {
      since: "2026-07-28",
      params: params({ notifications: SubscriptionFilter, ...meta }),
    },
  },
} as const satisfies Record<string, NotificationRow>
