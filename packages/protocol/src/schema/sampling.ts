import * as Schema from "effect/Schema"
import { AudioContent, ContentBlock, ImageContent, TextContent } from "./content.js"
import { Meta } from "./meta.js"
import { AnyObject, open, openEnum, optional } from "./open.js"
import { Role } from "./prompt.js"
import { Tool } from "./tool.js"

/** The model wants a tool to run; the server runs it, not the client (V25-SAMP-06). */
export class ToolUseContent extends Schema.Opaque<ToolUseContent>()(
  open({
    type: Schema.Literal("tool_use"),
    id: Schema.String,
    name: Schema.String,
    input: AnyObject,
    _meta: optional(Meta),
  }),
) {}

/** What the tool answered. */
export class ToolResultContent extends Schema.Opaque<ToolResultContent>()(
  open({
    type: Schema.Literal("tool_result"),
    toolUseId: Schema.String,
    content: Schema.Array(ContentBlock),
    structuredContent: optional(Schema.Unknown),
    isError: optional(Schema.Boolean),
    _meta: optional(Meta),
  }),
) {}

/**
 * What a message to a model is made of. Unknown kinds are refused: a model cannot be asked to guess
 * (V26-SAMP-12).
 */
export const SamplingContent = Schema.Union([
  TextContent,
  ImageContent,
  AudioContent,
  ToolUseContent,
  ToolResultContent,
]).annotate({ expected: "text, image, audio, tool_use or tool_result" })
export type SamplingContent = typeof SamplingContent.Type

/** One block, or since 2025-11-25 several. */
const blocks = Schema.Union([SamplingContent, Schema.Array(SamplingContent)])

/** One turn of the conversation with the model. */
export class SamplingMessage extends Schema.Opaque<SamplingMessage>()(
  open({ role: Role, content: blocks, _meta: optional(Meta) }),
) {}

/**
 * What the server would like; hints in order, and weights from 0 to 1 (V25-SAMP-04, V26-SAMP-04).
 */
export class ModelPreferences extends Schema.Opaque<ModelPreferences>()(
  open({
    hints: optional(Schema.Array(open({ name: optional(Schema.String) }))),
    costPriority: optional(Schema.Finite),
    speedPriority: optional(Schema.Finite),
    intelligencePriority: optional(Schema.Finite),
  }),
) {}

/** The params of `sampling/createMessage` besides `_meta` and `task` (V25-SAMP-01). */
export const samplingFields = {
  messages: Schema.Array(SamplingMessage),
  /** Never to be exceeded (V26-SAMP-03). */
  maxTokens: Schema.Int,
  modelPreferences: optional(ModelPreferences),
  systemPrompt: optional(Schema.String),
  includeContext: optional(Schema.Literals(["none", "thisServer", "allServers"])),
  temperature: optional(Schema.Finite),
  stopSequences: optional(Schema.Array(Schema.String)),
  metadata: optional(AnyObject),
  tools: optional(Schema.Array(Tool)),
  toolChoice: optional(open({ mode: optional(Schema.Literals(["auto", "required", "none"])) })),
}

/** The params of `sampling/createMessage`, as a handler gets them. */
export class CreateMessageParams extends Schema.Opaque<CreateMessageParams>()(
  open({ ...samplingFields, _meta: optional(Meta) }),
) {}

/** What the model said. It carries no `resultType`, in neither era (V26-RTYPE-06). */
export class CreateMessageResult extends Schema.Opaque<CreateMessageResult>()(
  open({
    role: Role,
    content: blocks,
    model: Schema.String,
    stopReason: optional(openEnum("endTurn", "stopSequence", "maxTokens", "toolUse")),
    _meta: optional(Meta),
  }),
) {}
