import * as Schema from "effect/Schema"
import { Annotations } from "./annotations.js"
import { Icon } from "./implementation.js"
import { Meta } from "./meta.js"
import { open, optional } from "./open.js"
import { page, result } from "./result.js"

/** The members of a resource, which a link to it has as well. */
export const resourceFields = {
  uri: Schema.String,
  name: Schema.String,
  title: optional(Schema.String),
  description: optional(Schema.String),
  mimeType: optional(Schema.String),
  annotations: optional(Annotations),
  /** Bytes before any Base64 (V26-RES-08). */
  size: optional(Schema.Finite),
  icons: optional(Schema.Array(Icon)),
  _meta: optional(Meta),
}

/** Something a server lets a client read. Its URI is opaque to the client (V25-RES-06). */
export class Resource extends Schema.Opaque<Resource>()(open(resourceFields)) {}

/** A family of resources; the client expands the RFC 6570 template (V26-RES-06). */
export class ResourceTemplate extends Schema.Opaque<ResourceTemplate>()(
  open({
    uriTemplate: Schema.String,
    name: Schema.String,
    title: optional(Schema.String),
    description: optional(Schema.String),
    mimeType: optional(Schema.String),
    annotations: optional(Annotations),
    icons: optional(Schema.Array(Icon)),
    _meta: optional(Meta),
  }),
) {}

const contents = { uri: Schema.String, mimeType: optional(Schema.String), _meta: optional(Meta) }

/** What a resource holds, as text. */
export class TextResourceContents extends Schema.Opaque<TextResourceContents>()(
  open({ ...contents, text: Schema.String }),
) {}

/**
 * What a resource holds, as Base64. It is not decoded here: bad Base64 is the host's to find
 * (V25-PROMPT-05).
 */
export class BlobResourceContents extends Schema.Opaque<BlobResourceContents>()(
  open({ ...contents, blob: Schema.String }),
) {}

/** Exactly one of `text` and `blob`. */
export const ResourceContents = Schema.Union([TextResourceContents, BlobResourceContents])
export type ResourceContents = typeof ResourceContents.Type

/** One page of the resources. */
export class ListResourcesResult extends Schema.Opaque<ListResourcesResult>()(
  page({ resources: Schema.Array(Resource) }),
) {}

/** One page of the templates. */
export class ListResourceTemplatesResult extends Schema.Opaque<ListResourceTemplatesResult>()(
  page({ resourceTemplates: Schema.Array(ResourceTemplate) }),
) {}

/**
 * What was read: one resource may hold several things, each under a URI of its own (V26-RES-03).
 */
export class ReadResourceResult extends Schema.Opaque<ReadResourceResult>()(
  result({ contents: Schema.Array(ResourceContents) }),
) {}
