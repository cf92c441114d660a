import * as Schema from "effect/Schema"
import { Annotations } from "./annotations.js"
import { Meta } from "./meta.js"
import { open, optional, type Shape } from "./open.js"
import { ResourceContents, resourceFields } from "./resource.js"
import { validate } from "../validate.js"

const decoration = { annotations: optional(Annotations), _meta: optional(Meta) }

/** Text, for people or models. */
export class TextContent extends Schema.Opaque<TextContent>()(
  open({ type: Schema.Literal("text"), text: Schema.String, ...decoration }),
) {}

const media = { data: Schema.String, mimeType: Schema.String, ...decoration }

/** A picture. `data` is Base64 and is not decoded here (V25-PROMPT-05). */
export class ImageContent extends Schema.Opaque<ImageContent>()(
  open({ type: Schema.Literal("image"), ...media }),
) {}

/** A sound, since 2025-03-26. */
export class AudioContent extends Schema.Opaque<AudioContent>()(
  open({ type: Schema.Literal("audio"), ...media }),
) {}

/**
 * A resource named, not included, since 2025-06-18. It need not be in `resources/list`
 * (V25-TOOL-12).
 */
export class ResourceLink extends Schema.Opaque<ResourceLink>()(
  open({ type: Schema.Literal("resource_link"), ...resourceFields }),
) {}

/** A resource included in a message. */
export class EmbeddedResource extends Schema.Opaque<EmbeddedResource>()(
  open({ type: Schema.Literal("resource"), resource: ResourceContents, ...decoration }),
) {}

const known = {
  text: TextContent,
  image: ImageContent,
  audio: AudioContent,
  resource_link: ResourceLink,
  resource: EmbeddedResource,
}

/** The kinds of block that this package can tell apart. */
export type ContentType = keyof typeof known

/** Whether this package can tell a kind of block apart. */
export const isContentType = (type: string): type is ContentType => Object.hasOwn(known, type)

/**
 * A block of a kind that is not known here: a later revision or another dialect. It is kept, never
 * refused (V25-TOOL-04, C088).
 */
export class UnknownContent extends Schema.Opaque<UnknownContent>()(
  open({
    type: Schema.String.check(
      Schema.makeFilter((type) => !isContentType(type) || "does not fit its type"),
    ),
  }),
) {}

/** One piece of what a tool, prompt or message says. */
export const ContentBlock = Schema.Union([...Object.values(known), UnknownContent]).annotate({
  expected: "a content block",
})
export type ContentBlock = typeof ContentBlock.Type

const fits = (type: ContentType, block: ContentBlock): boolean => {
  const shape: Shape = known[type]
  return validate(shape, block).ok
}

/**
 * Whether a block is of one kind and has what that kind demands. Comparing `type` alone does not do,
 * because a block that lacks its text or data is kept as well, as one of no known kind.
 *
 * @example
 * result.content.filter((block) => isContent(block, "text")).map(({ text }) => text)
 */
export const isContent = <Type extends ContentType>(
  block: ContentBlock,
  type: Type,
): block is (typeof known)[Type]["Type"] => block.type === type && fits(type, block)

/** Whether a block is of any kind known here, and has what that kind demands. */
export const isKnownContent = (
  block: ContentBlock,
): block is Exclude<ContentBlock, UnknownContent> =>
  isContentType(block.type) && fits(block.type, block)
