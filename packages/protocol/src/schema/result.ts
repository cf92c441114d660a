import * as Schema from "effect/Schema"
import { Meta } from "./meta.js"
import { open, optional } from "./open.js"

/**
 * A result of either era: an open object. What the modern era adds to every result is not described
 * here, because an odd value of it must not cost the rest: `readResultType` judges `resultType`,
 * and `readFreshness` reads `ttlMs` and `cacheScope`.
 */
export const result = <const Fields extends Schema.Struct.Fields>(fields: Fields) =>
  open({ _meta: optional(Meta), ...fields })

/**
 * One page of a list. The cursor is opaque, and `""` is one like any other (V26-PAGE-01,
 * V26-PAGE-02).
 */
export const page = <const Fields extends Schema.Struct.Fields>(fields: Fields) =>
  result({ nextCursor: optional(Schema.String), ...fields })

/** The answer to a request whose success says it all. */
export const EmptyResult = result({})
