import * as Schema from "effect/Schema"
import { Meta } from "./meta.js"
import { open, optional } from "./open.js"

/**
 * A place the client lets the server know of; only `file:` URIs exist (V25-ROOT-01, V26-ROOT-02).
 */
export class Root extends Schema.Opaque<Root>()(
  open({
    uri: Schema.String.check(Schema.isStartingWith("file://")),
    name: optional(Schema.String),
    _meta: optional(Meta),
  }),
) {}
