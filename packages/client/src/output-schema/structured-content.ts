import type { CallToolResult } from "@entente/protocol"

/** What is known of the structured content of a result. */
export type StructuredContent =
  | { readonly status: "absent" }
  /** It conforms to the output schema of its tool. */
  | { readonly status: "valid"; readonly value: unknown }
  /** It does not, which was tolerated. `pointer` leads to the place; empty for all of it. */
  | {
      readonly status: "invalid"
      readonly value: unknown
      readonly pointer: string
      readonly reason: string
    }
  /** It was not held against an output schema; the reason is a sentence. */
  | { readonly status: "unchecked"; readonly value: unknown; readonly reason: string }

/** What came of a check, without the value. */
export type CheckOutcome =
  | { readonly status: "valid" }
  | { readonly status: "invalid"; readonly pointer: string; readonly reason: string }
  | { readonly status: "unchecked"; readonly reason: string }

/** Beside the results, which stay the objects that the server sent. */
const outcomes = new WeakMap<CallToolResult, CheckOutcome>()

/** Keeps what came of the check of a result. */
export const rememberCheck = (result: CallToolResult, outcome: CheckOutcome): void => {
  outcomes.set(result, outcome)
}

const noSchema: CheckOutcome = {
  status: "unchecked",
  reason: "The tool was not listed, or has no output schema.",
}

/**
 * The structured content of a tool's result, with what is known of it. Any JSON value may be there, `null`
 * included (V26-TOOL-07); `content` says the same in text, or it does not (V25-TOOL-08).
 *
 * @example
 * const result = await client.callTool({ name: "weather" })
 * const structured = structuredContentOf(result)
 * if (structured.status === "valid") show(structured.value)
 */
export const structuredContentOf = (result: CallToolResult): StructuredContent =>
  Object.hasOwn(result, "structuredContent")
    ? { ...(outcomes.get(result) ?? noSchema), value: result.structuredContent }
    : { status: "absent" }
