import { fingerprint } from "@entente/client"
import type { Json } from "./json-text.js"
import { decode } from "./media.js"
import { textOf, type Answer, type MediaPart } from "./part.js"
import { fileFormats } from "./result-rule.js"

/** A block of a `toolResult` in Bedrock's Converse. Bytes are what the AWS SDK encodes. */
export type BedrockResultBlock =
  | { text: string }
  | { json: { [name: string]: Json } }
  | { image: { format: "png" | "jpeg" | "gif" | "webp"; source: { bytes: Uint8Array } } }
  | {
      document: {
        format: "pdf" | "doc" | "docx" | "xls" | "xlsx"
        name: string
        source: { bytes: Uint8Array }
      }
    }

/** What goes into a `toolResult` block beside `toolUseId`. */
export interface BedrockResult {
  content: Array<BedrockResultBlock>
  status: "success" | "error"
}

/**
 * The name of a document. It is ours, because the server's would be read as an instruction, and its own,
 * because no two documents of a conversation may have the same.
 */
const nameOf = (data: string): string => `Document ${fingerprint(data).slice(0, 12)}`

const file = ({ kind, type, data }: MediaPart): BedrockResultBlock => {
  const format = fileFormats[type]
  const source = { bytes: decode(data) }
  const block =
    kind === "image"
      ? { image: { format, source } }
      : { document: { format, name: nameOf(data), source } }
  // Of the types in the table of rules no other gets here, and each has a format.
  return block as BedrockResultBlock
}

export const bedrockResult = ({ parts, isError }: Answer): BedrockResult => {
  const content: Array<BedrockResultBlock> = parts.map((part) => {
    if (part.kind === "text") return { text: textOf(part) }
    // The table of rules lets objects pass alone.
    if (part.kind === "json") return { json: part.value as { [name: string]: Json } }
    return file(part)
  })
  // Documents are taken only where words stand beside them.
  if (parts.every(({ kind }) => kind === "document" || kind === "image")) {
    content.push({ text: "[That is all of the tool's result.]" })
  }
  return { content, status: isError ? "error" : "success" }
}
