import * as Schema from "effect/Schema"
import { AnyObject, open, optional } from "./open.js"

/** The extension that replaces the experimental tasks of 2025-11-25 (V26-EXT-06). */
export const tasksExtension = "io.modelcontextprotocol/tasks"

const listChanged = optional(Schema.Boolean)

/**
 * What a server offers. An empty object means "offered"; members nobody has heard of are kept
 * (V25-CAP-09, V26-EXT-08).
 */
export class ServerCapabilities extends Schema.Opaque<ServerCapabilities>()(
  open({
    tools: optional(open({ listChanged })),
    prompts: optional(open({ listChanged })),
    resources: optional(open({ listChanged, subscribe: optional(Schema.Boolean) })),
    completions: optional(AnyObject),
    logging: optional(AnyObject),
    tasks: optional(
      open({
        list: optional(AnyObject),
        cancel: optional(AnyObject),
        requests: optional(open({ tools: optional(open({ call: optional(AnyObject) })) })),
      }),
    ),
    experimental: optional(AnyObject),
    extensions: optional(AnyObject),
  }),
) {}

/** What a client offers: once in `initialize`, or on every modern request (V26-META-05). */
export class ClientCapabilities extends Schema.Opaque<ClientCapabilities>()(
  open({
    roots: optional(open({ listChanged })),
    sampling: optional(open({ context: optional(AnyObject), tools: optional(AnyObject) })),
    elicitation: optional(open({ form: optional(AnyObject), url: optional(AnyObject) })),
    tasks: optional(
      open({
        list: optional(AnyObject),
        cancel: optional(AnyObject),
        requests: optional(
          open({
            sampling: optional(open({ createMessage: optional(AnyObject) })),
            elicitation: optional(open({ create: optional(AnyObject) })),
          }),
        ),
      }),
    ),
    experimental: optional(AnyObject),
    extensions: optional(AnyObject),
  }),
) {}

/** The two ways to ask a person for something. */
export type ElicitationMode = "form" | "url"

/**
 * The modes a client declared. `{}` means form alone, and `{ url: {} }` means no form
 * (V25-CAP-07, V26-ELIC-01).
 */
export const elicitationModes = (
  capabilities: ClientCapabilities,
): ReadonlyArray<ElicitationMode> => {
  const { elicitation } = capabilities
  if (elicitation === undefined) return []
  const named = (["form", "url"] as const).filter((mode) => elicitation[mode] !== undefined)
  return named.length === 0 ? ["form"] : named
}
