import * as Schema from "effect/Schema"
import { open, optional } from "./open.js"
import { result } from "./result.js"

/**
 * What is being completed: an argument of a prompt, or of a resource template by its URI or
 * template.
 */
export const CompletionReference = Schema.Union([
  open({
    type: Schema.Literal("ref/prompt"),
    name: Schema.String,
    title: optional(Schema.String),
  }),
  open({ type: Schema.Literal("ref/resource"), uri: Schema.String }),
]).annotate({ expected: "a reference to a prompt or a resource" })
export type CompletionReference = typeof CompletionReference.Type

/**
 * The params of `completion/complete` besides `_meta`; `context` since 2025-06-18 (V25-COMP-01).
 */
export const completionFields = {
  ref: CompletionReference,
  argument: open({ name: Schema.String, value: Schema.String }),
  context: optional(open({ arguments: optional(Schema.Record(Schema.String, Schema.String)) })),
}

/** Suggestions. At most 100 by the book; more are kept (V26-COMP-03). */
export class CompleteResult extends Schema.Opaque<CompleteResult>()(
  result({
    completion: open({
      values: Schema.Array(Schema.String),
      total: optional(Schema.Finite),
      hasMore: optional(Schema.Boolean),
    }),
  }),
) {}
