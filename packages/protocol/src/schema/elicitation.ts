import * as Schema from "effect/Schema"
import { RequestedSchema } from "./elicitation-form.js"
import { Meta } from "./meta.js"
import { open, optional } from "./open.js"

/** A form to be filled in. No `mode` means form (V25-ELI-01, V26-ELIC-02). */
export const formFields = {
  mode: optional(Schema.Literal("form")),
  message: Schema.String,
  requestedSchema: RequestedSchema,
}

/** A page to be opened, never before the person agreed (V25-ELI-11, V26-ELIC-21). */
export const urlFields = {
  mode: Schema.Literal("url"),
  message: Schema.String,
  url: Schema.String,
}

/** The same in 2025-11-25, where an id ties it to its completion notice (V25-ELI-10). */
export const legacyUrlFields = { ...urlFields, elicitationId: Schema.String }

/** The params of a form, as a handler gets them. */
export class FormParams extends Schema.Opaque<FormParams>()(
  open({ ...formFields, _meta: optional(Meta) }),
) {}

/** The params of a page to be opened, as a handler gets them. Only 2025-11-25 has an id (V26-ELIC-26). */
export class UrlParams extends Schema.Opaque<UrlParams>()(
  open({ ...urlFields, elicitationId: optional(Schema.String), _meta: optional(Meta) }),
) {}

/** The same in 2025-11-25: all four members are required (V25-ELI-10). */
export class LegacyUrlParams extends Schema.Opaque<LegacyUrlParams>()(
  open({ ...legacyUrlFields, _meta: optional(Meta) }),
) {}

/** `error.data` of -32042: pages to be opened before the request is made again (V25-ELI-13). */
export class UrlElicitationRequired extends Schema.Opaque<UrlElicitationRequired>()(
  open({ elicitations: Schema.Array(open(legacyUrlFields)) }),
) {}

/**
 * What the person decided. `content` comes with an accepted form alone (V25-ELI-06); a number is
 * any number (V26-ELIC-14).
 */
export class ElicitResult extends Schema.Opaque<ElicitResult>()(
  open({
    action: Schema.Literals(["accept", "decline", "cancel"]),
    content: optional(
      Schema.Record(
        Schema.String,
        Schema.Union([Schema.String, Schema.Finite, Schema.Boolean, Schema.Array(Schema.String)]),
      ),
    ),
    _meta: optional(Meta),
  }),
) {}
