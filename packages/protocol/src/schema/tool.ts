import * as Schema from "effect/Schema"
import { ContentBlock } from "./content.js"
import { Icon } from "./implementation.js"
import { Meta } from "./meta.js"
import { AnyObject, open, openEnum, optional } from "./open.js"
import { page, result } from "./result.js"

/**
 * What the server says a tool does. Untrusted: never a reason to skip asking (V25-TOOL-03). Absent
 * means `readOnlyHint` false, `destructiveHint` true, `idempotentHint` false, `openWorldHint` true.
 */
export class ToolAnnotations extends Schema.Opaque<ToolAnnotations>()(
  open({
    title: optional(Schema.String),
    readOnlyHint: optional(Schema.Boolean),
    destructiveHint: optional(Schema.Boolean),
    idempotentHint: optional(Schema.Boolean),
    openWorldHint: optional(Schema.Boolean),
  }),
) {}

/**
 * The JSON Schema of a tool's arguments. Only its frame is checked here; every keyword is kept as
 * it came (V26-TOOL-06), and an argument schema whose root is no object is broken (C011).
 */
export class InputSchema extends Schema.Opaque<InputSchema>()(
  open({
    $schema: optional(Schema.String),
    type: Schema.Literal("object"),
    properties: optional(AnyObject),
    required: optional(Schema.Array(Schema.String)),
  }),
) {}

/** A tool as `tools/list` describes it. */
export class Tool extends Schema.Opaque<Tool>()(
  open({
    /**
     * 1 to 128 of `A-Za-z0-9_-.` by the book; servers use others, and they are callable
     * (V25-TOOL-09).
     */
    name: Schema.String,
    title: optional(Schema.String),
    description: optional(Schema.String),
    inputSchema: InputSchema,
    /** Any JSON Schema. A broken one costs validation of results, not the tool (C013). */
    outputSchema: optional(AnyObject),
    annotations: optional(ToolAnnotations),
    /** 2025-11-25 only; an unknown value counts as `forbidden` (V25-TOOL-14). */
    execution: optional(
      open({ taskSupport: optional(openEnum("forbidden", "optional", "required")) }),
    ),
    icons: optional(Schema.Array(Icon)),
    _meta: optional(Meta),
  }),
) {}

/** One page of the tools. */
export class ListToolsResult extends Schema.Opaque<ListToolsResult>()(
  page({ tools: Schema.Array(Tool) }),
) {}

/**
 * What the server says a tool does, with the defaults of the specification where it says nothing. Untrusted:
 * never a reason to skip asking (V25-TOOL-03, V26-TOOL-02). A tool that only reads destroys nothing.
 */
export const toolHints = ({ annotations = {} }: Tool) => {
  const readOnly = annotations.readOnlyHint ?? false
  return {
    readOnly,
    destructive: !readOnly && (annotations.destructiveHint ?? true),
    idempotent: readOnly || (annotations.idempotentHint ?? false),
    openWorld: annotations.openWorldHint ?? true,
  }
}

const answer = {
  content: Schema.Array(ContentBlock),
  /** Absent means false: the tool ran. */
  isError: optional(Schema.Boolean),
}

/** What a legacy tool answers; structured content is an object (V25-TOOL-08). */
export class LegacyCallToolResult extends Schema.Opaque<LegacyCallToolResult>()(
  result({ ...answer, structuredContent: optional(AnyObject) }),
) {}

/**
 * What a tool answers. `structuredContent` is any JSON value, `null` included, so ask whether it is
 * there, not whether it is truthy (V26-TOOL-07).
 */
export class CallToolResult extends Schema.Opaque<CallToolResult>()(
  result({ ...answer, structuredContent: optional(Schema.Unknown) }),
) {}
