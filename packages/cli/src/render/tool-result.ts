import { isJsonObject } from "@entente/protocol"
import { severalLines, oneLine } from "./visible-text.js"

const text = (value: unknown): string => (typeof value === "string" ? value : "")

/** How many bytes a Base64 text stands for. */
const bytesOf = (base64: string): string => {
  const padding = /=*$/.exec(base64)?.[0].length ?? 0
  return `${Math.max(0, Math.floor((base64.length * 3) / 4) - padding)} bytes`
}

const resource = (value: unknown): string => {
  if (!isJsonObject(value)) return "[resource]"
  const { uri, mimeType, text: content, blob } = value
  if (typeof content === "string") return severalLines(content)
  return oneLine(`[resource ${[text(uri), text(mimeType), bytesOf(text(blob))].join(", ")}]`)
}

/** A content block for people: text as it is, everything else described. */
const block = (value: unknown): string => {
  if (!isJsonObject(value)) return "[not a content block]"
  switch (value["type"]) {
    case "text":
      return severalLines(text(value["text"]))
    case "image":
    case "audio": {
      const { type, mimeType, data } = value
      return oneLine(`[${type} ${text(mimeType)}, ${bytesOf(text(data))}]`)
    }
    case "resource_link":
      return oneLine(`[link to ${text(value["uri"])}: ${text(value["name"])}]`)
    case "resource":
      return resource(value["resource"])
    default:
      return oneLine(`[${text(value["type"]) || "unknown"} content]`)
  }
}

/** The result of a tool for people: its content, then its structured content as JSON. */
export const toolResult = (result: {
  readonly content?: ReadonlyArray<unknown>
  readonly structuredContent?: unknown
}): ReadonlyArray<string> => [
  ...(result.content ?? []).map(block),
  // Any JSON value counts, null too, so presence decides (V26-TOOL-07).
  ...("structuredContent" in result
    ? [severalLines(JSON.stringify(result.structuredContent, undefined, 2))]
    : []),
]
