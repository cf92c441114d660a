import * as Schema from "effect/Schema"
import { ContentBlock } from "./content.js"
import { Icon } from "./implementation.js"
import { Meta } from "./meta.js"
import { open, optional } from "./open.js"
import { page, result } from "./result.js"

/** Who speaks. */
export const Role = Schema.Literals(["user", "assistant"])
export type Role = typeof Role.Type

/** A blank that a prompt wants filled in; its value is a string (V25-PROMPT-01). */
export class PromptArgument extends Schema.Opaque<PromptArgument>()(
  open({
    name: Schema.String,
    title: optional(Schema.String),
    description: optional(Schema.String),
    required: optional(Schema.Boolean),
  }),
) {}

/** A prompt as `prompts/list` describes it. */
export class Prompt extends Schema.Opaque<Prompt>()(
  open({
    name: Schema.String,
    title: optional(Schema.String),
    description: optional(Schema.String),
    arguments: optional(Schema.Array(PromptArgument)),
    icons: optional(Schema.Array(Icon)),
    _meta: optional(Meta),
  }),
) {}

/** One message of a prompt, with one block. */
export class PromptMessage extends Schema.Opaque<PromptMessage>()(
  open({ role: Role, content: ContentBlock }),
) {}

/** One page of the prompts. */
export class ListPromptsResult extends Schema.Opaque<ListPromptsResult>()(
  page({ prompts: Schema.Array(Prompt) }),
) {}

/** A prompt with its blanks filled in; the text is the server's. */
export class GetPromptResult extends Schema.Opaque<GetPromptResult>()(
  result({ description: optional(Schema.String), messages: Schema.Array(PromptMessage) }),
) {}
