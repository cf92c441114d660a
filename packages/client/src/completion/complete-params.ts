import type { CompletionReference, JsonObject, Revision } from "@entente/protocol"

export interface CompleteParams {
  /** The prompt, or the resource by its URI or template, that has the argument. */
  readonly ref: CompletionReference
  readonly argument: { readonly name: string; readonly value: string }
  /**
   * Values that other arguments have already. Only what this user has entered for this very prompt or template
   * belongs here (V26-COMP-06). Servers before 2025-06-18 know of no context and get none (V25-COMP-01).
   */
  readonly context?: { readonly arguments?: Readonly<Record<string, string>> }
}

const contextSince: Revision = "2025-06-18"

/** The params as a server of this revision knows them. */
export const fittedToRevision = (params: JsonObject, revision: Revision): JsonObject => {
  if (params["context"] === undefined || revision >= contextSince) return params
  const { context: _, ...rest } = params
  return rest
}
