import * as Schema from "effect/Schema"
import { open, optional } from "./open.js"

/** What a subscription is about; what is left out is not subscribed to (V26-SUB-02). */
export class SubscriptionFilter extends Schema.Opaque<SubscriptionFilter>()(
  open({
    toolsListChanged: optional(Schema.Boolean),
    promptsListChanged: optional(Schema.Boolean),
    resourcesListChanged: optional(Schema.Boolean),
    /** URIs; an update may name something beneath one of them (V26-SUB-14). */
    resourceSubscriptions: optional(Schema.Array(Schema.String)),
    /** With the tasks extension (V26-TASK-18). */
    taskIds: optional(Schema.Array(Schema.String)),
  }),
) {}
