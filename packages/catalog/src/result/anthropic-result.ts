import { textOf, type Answer } from "./part.js"

/** A block of a `tool_result` in Anthropic's Messages API. */
export type AnthropicResultBlock =
  | { type: "text"; text: string }
  | {
      type: "image"
      source: {
        type: "base64"
        media_type: "image/png" | "image/jpeg" | "image/gif" | "image/webp"
        data: string
      }
    }
  | {
      type: "document"
      source: { type: "base64"; media_type: "application/pdf"; data: string }
    }

/** What goes into a `tool_result` block beside `type` and `tool_use_id`. */
export interface AnthropicResult {
  content: Array<AnthropicResultBlock>
  is_error?: true
}

export const anthropicResult = ({ parts, isError }: Answer): AnthropicResult => ({
  content: parts.map((part): AnthropicResultBlock => {
    if (part.kind === "text" || part.kind === "json") return { type: "text", text: textOf(part) }
    const { kind, type, data } = part
    // Of the types in the table of rules no other gets here.
    const source = { type: "base64", media_type: type, data } as never
    return { type: kind, source }
  }),
  ...(isError ? { is_error: true } : {}),
})
