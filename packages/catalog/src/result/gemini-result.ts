import type { Json } from "./json-text.js"
import { detach, textOf, type Answer, type JsonPart, type TextPart } from "./part.js"

/** A file in a request to Gemini. */
export interface GeminiFile {
  inlineData: { mimeType: string; data: string }
}

/** What a result is for Gemini. */
export interface GeminiResult {
  /** What goes into a `functionResponse`, beside `name` and `id`. */
  functionResponse: {
    response: { output: Json } | { error: Json }
    parts?: Array<GeminiFile>
  }
  /** Files for a model that takes none in a response: content for after all responses of this turn. */
  followUp?: { role: "user"; parts: Array<{ text: string } | GeminiFile> }
}

/** Words and data as one value: a text alone, data alone, or both with a name each. */
const together = (words: ReadonlyArray<TextPart | JsonPart>): Json => {
  const data = words.find((part) => part.kind === "json")
  const texts = words.filter((part) => part.kind === "text").map(textOf)
  if (data === undefined) return texts.join("\n")
  return texts.length === 0 ? data.value : { structured: data.value, text: texts.join("\n") }
}

/** @param beside whether files go into a message of their own. */
export const geminiResult = ({ parts, isError }: Answer, beside: boolean): GeminiResult => {
  const place = beside ? "in the next message of the user" : "beside this response"
  const { words, media } = detach(parts, place)
  const response = isError ? { error: together(words) } : { output: together(words) }
  if (media.length === 0) return { functionResponse: { response } }
  const files = media.map(({ type, data }): GeminiFile => ({
    inlineData: { mimeType: type, data },
  }))
  if (!beside) return { functionResponse: { response, parts: files } }
  const title = { text: "[The files of the tool's result, in their order.]" }
  return { functionResponse: { response }, followUp: { role: "user", parts: [title, ...files] } }
}
