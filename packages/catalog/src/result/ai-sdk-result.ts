import type { Json } from "./json-text.js"
import { textOf, type Answer } from "./part.js"

/** A part of what a tool's `toModelOutput` returns to the AI SDK. */
export type AiSdkResultPart =
  | { type: "text"; text: string }
  | { type: "image-data"; data: string; mediaType: string }
  | { type: "file-data"; data: string; mediaType: string }

/** What a tool's `toModelOutput` returns to the AI SDK, 6 and 7. */
export type AiSdkResult =
  | { type: "text" | "error-text"; value: string }
  | { type: "json" | "error-json"; value: Json }
  | { type: "content"; value: Array<AiSdkResultPart> }

export const aiSdkResult = ({ parts, isError }: Answer): AiSdkResult => {
  const [first] = parts
  if (first?.kind === "json" && parts.length === 1) {
    return { type: isError ? "error-json" : "json", value: first.value }
  }
  const value = parts.map((part): AiSdkResultPart => {
    if (part.kind === "text" || part.kind === "json") return { type: "text", text: textOf(part) }
    const { kind, data, type: mediaType } = part
    return { type: kind === "image" ? "image-data" : "file-data", data, mediaType }
  })
  const texts = value.flatMap((part) => (part.type === "text" ? [part.text] : []))
  return texts.length === value.length || isError
    ? { type: isError ? "error-text" : "text", value: texts.join("\n") }
    : { type: "content", value }
}
