import * as Schema from "effect/Schema"
import { open, openEnum, optional } from "./open.js"

/**
 * A picture for people to see. Only `src` is demanded: a malformed size or an unknown theme is
 * ignored by whoever draws it and costs nothing else (V25-META-01). The address is untrusted
 * (V25-META-02).
 */
export class Icon extends Schema.Opaque<Icon>()(
  open({
    src: Schema.String,
    mimeType: optional(Schema.String),
    /** By the book an array of `48x48` or `any`; not checked. */
    sizes: optional(Schema.Unknown),
    theme: optional(openEnum("light", "dark")),
  }),
) {}

/**
 * Who a client or server says it is. Self-reported: for people to read, never to decide by
 * (V26-META-08).
 */
export class Implementation extends Schema.Opaque<Implementation>()(
  open({
    name: Schema.String,
    version: Schema.String,
    title: optional(Schema.String),
    description: optional(Schema.String),
    websiteUrl: optional(Schema.String),
    icons: optional(Schema.Array(Icon)),
  }),
) {}
