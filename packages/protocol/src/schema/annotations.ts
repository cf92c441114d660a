import * as Schema from "effect/Schema"
import { open, openEnum, optional } from "./open.js"

/**
 * Hints for filtering and sorting. A priority outside 0 … 1, a date that is none or an unknown
 * audience is kept as it is and costs nothing (V25-RES-07, V26-RES-07).
 */
export class Annotations extends Schema.Opaque<Annotations>()(
  open({
    audience: optional(Schema.Array(openEnum("user", "assistant"))),
    priority: optional(Schema.Finite),
    /** ISO 8601, since 2025-06-18. */
    lastModified: optional(Schema.String),
  }),
) {}
