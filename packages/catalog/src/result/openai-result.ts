import { fileFormats } from "./result-rule.js"
import { dataUrl, detach, textOf, type Answer, type MediaPart } from "./part.js"

/** A part of a user's message in OpenAI's Chat Completions. */
export type OpenAIUserPart =
  | { type: "text"; text: string }
  | { type: "image_url"; image_url: { url: string } }
  | { type: "file"; file: { filename: string; file_data: string } }

/** What a result is in Chat Completions. */
export interface OpenAIResult {
  /** What goes into the message of the tool, beside `role` and `tool_call_id`. */
  content: string
  /** Files, which only a user can send: a message for after those of all tools that were called at once. */
  followUp?: { role: "user"; content: Array<OpenAIUserPart> }
}

/** A part of a `function_call_output` in OpenAI's Responses. */
export type OpenAIResponsesPart =
  | { type: "input_text"; text: string }
  | { type: "input_image"; image_url: string; detail: "auto" }
  | { type: "input_file"; filename: string; file_data: string }

/** What goes into a `function_call_output` beside `type` and `call_id`. */
export interface OpenAIResponsesResult {
  output: string | Array<OpenAIResponsesPart>
}

/** There is no other place to say so. */
const failed = "[The tool reports an error.]"

const fileName = ({ type }: MediaPart, index: number): string =>
  `document-${index + 1}.${fileFormats[type] ?? "bin"}`

export const openAIResult = ({ parts, isError }: Answer): OpenAIResult => {
  const { words, media } = detach(parts, "in the next message of the user")
  const content = [...(isError ? [failed] : []), ...words.map(textOf)].join("\n")
  if (media.length === 0) return { content }
  const files = media.map((part, index): OpenAIUserPart => {
    if (part.kind === "image") return { type: "image_url", image_url: { url: dataUrl(part) } }
    const file = { filename: fileName(part, index), file_data: dataUrl(part) }
    return { type: "file", file }
  })
  const title = { type: "text", text: "[The files of the tool's result, in their order.]" } as const
  return { content, followUp: { role: "user", content: [title, ...files] } }
}

export const openAIResponsesResult = ({ parts, isError }: Answer): OpenAIResponsesResult => {
  const output = parts.map((part, index): OpenAIResponsesPart => {
    if (part.kind === "image") {
      return { type: "input_image", image_url: dataUrl(part), detail: "auto" }
    }
    if (part.kind === "document") {
      return { type: "input_file", filename: fileName(part, index), file_data: dataUrl(part) }
    }
    return { type: "input_text", text: textOf(part) }
  })
  if (isError) output.unshift({ type: "input_text", text: failed })
  const texts = output.flatMap((part) => (part.type === "input_text" ? [part.text] : []))
  return { output: texts.length === output.length ? texts.join("\n") : output }
}
