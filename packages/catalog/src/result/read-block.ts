import {
  isContent,
  isJsonObject,
  plainText,
  type ContentBlock,
  type TextContent,
} from "@entente/protocol"
import { withoutHalves } from "./json-text.js"
import {
  bytesIn,
  compactBase64,
  decodeText,
  seenTypeOf,
  isTextType,
  mediaTypeOf,
  sizeText,
} from "./media.js"
import type { MediaPart, TextPart } from "./part.js"
import type { ResultReportEntry } from "./result-report.js"

/** What a block is for a model, and what had to be done to make it that. */
export interface BlockReading {
  readonly part: TextPart | MediaPart
  readonly entry?: ResultReportEntry
}

/** How much of a block of an unknown kind is shown. */
const unknownLimit = 2_000

/** What bytes are called of which nothing is known. */
const unlabelled = "application/octet-stream"

/** A server's words inside a sentence. Addresses may be long, and cut they lead nowhere. */
const said = (text: unknown): string => plainText(String(text), 2_000)

const text = (pointer: string, words: string): BlockReading => ({
  part: { kind: "text", text: words, pointer },
})

/** A sentence in place of what is left out, with an entry that says the same. */
export const leftOut = (pointer: string, what: string, why: string): BlockReading => {
  const detail = withoutHalves(`${what} was left out: ${why}.`)
  return {
    part: { kind: "text", text: `[${detail}]`, pointer },
    entry: { kind: "dropped", pointer, detail },
  }
}

const fileOf = (type: string, bytes: number): string =>
  `${plainText(type, 100) || "of an unknown type"}, ${sizeText(bytes)}`

/** A file by its type: a text, a picture or a document. */
const file = (pointer: string, declared: string, bytes: string, origin = ""): BlockReading => {
  const type = mediaTypeOf(declared)
  const data = compactBase64(bytes)
  if (data === undefined || data === "") {
    const why = data === "" ? "it is empty" : "its Base64 cannot be decoded"
    return leftOut(pointer, `A file${origin} (${plainText(type, 100)})`, why)
  }
  const named = `(${fileOf(type, bytesIn(data))})`
  if (isTextType(type)) {
    const decoded = decodeText(data)
    return decoded === undefined
      ? leftOut(pointer, `A file${origin} ${named}`, "it is no UTF-8")
      : text(pointer, decoded)
  }
  const seen = seenTypeOf(data)
  // The labels of many are wrong, and a wrong one costs the whole request. A PDF may begin with something else.
  const really =
    seen !== undefined && (type.startsWith("image/") || type === unlabelled) ? seen : type
  const kind = really.startsWith("image/") ? "image" : "document"
  const part = { kind, data, type: really, pointer } as const
  if (really === type || type === unlabelled) return { part }
  const detail = `An image that is said to be ${plainText(type, 100)} is ${really}.`
  return { part, entry: { kind: "relabelled", pointer, detail } }
}

const link = (pointer: string, block: ContentBlock): BlockReading => {
  if (!isContent(block, "resource_link")) return unknown(pointer, block)
  const { uri, name, title, description, mimeType, size } = block
  const facts = [mimeType, size === undefined ? undefined : sizeText(size)]
    .filter((fact) => fact !== undefined)
    .map(said)
  const more = facts.length === 0 ? "" : ` (${facts.join(", ")})`
  const about = description === undefined ? "" : `: ${said(description)}`
  return text(pointer, `[The resource ${said(title ?? name)} at ${said(uri)}${more}${about}]`)
}

const resource = (pointer: string, block: ContentBlock): BlockReading => {
  if (!isContent(block, "resource")) return unknown(pointer, block)
  const contents = block.resource
  const { uri } = contents
  const from = `[From the resource ${said(uri)}]`
  if ("text" in contents && typeof contents.text === "string") {
    return text(pointer, `${from}\n${contents.text}`)
  }
  if (!("blob" in contents) || typeof contents.blob !== "string") return unknown(pointer, block)
  const declared = contents.mimeType ?? unlabelled
  const read = file(pointer, String(declared), contents.blob, ` from ${said(uri)}`)
  const isText = read.part.kind === "text" && read.entry === undefined
  return isText ? text(pointer, `${from}\n${read.part.text}`) : read
}

/** What is not known is shown as it is where it is short, because it may be what the answer is. */
const unknown = (pointer: string, block: unknown): BlockReading => {
  const type = isJsonObject(block) ? block["type"] : undefined
  const shown = JSON.stringify(plainText(String(type), 60))
  const what = `Content of the kind ${shown}`
  // Written in JSON it may be much longer than what is kept of it.
  const written = isShort(block) ? JSON.stringify(block) : undefined
  return written !== undefined && written.length <= unknownLimit
    ? text(pointer, `[${what}] ${written}`)
    : leftOut(pointer, what, "it is not known here")
}

/** Whether a value is small enough to be written; goes no deeper than it has to. */
const isShort = (value: unknown, depth = 0): boolean => {
  if (typeof value === "string") return value.length <= unknownLimit
  if (typeof value !== "object" || value === null) return typeof value !== "bigint"
  if (depth > 8) return false
  const members = Object.values(value)
  return members.length <= 100 && members.every((member) => isShort(member, depth + 1))
}

/** Whether a block is a text that has something in it. */
export const isSpoken = (block: unknown): boolean => isTextBlock(block) && block.text.trim() !== ""

/** Whether a block is a text; callers without types may give anything. */
export const isTextBlock = (block: unknown): block is TextContent =>
  isJsonObject(block) && isContent(block as ContentBlock, "text")

/** What one block of a result is for a model (V25-TOOL-04). Never throws, whatever the block is. */
export const readBlock = (block: ContentBlock, pointer: string): BlockReading => {
  if (!isJsonObject(block)) return unknown(pointer, block)
  if (isContent(block, "text")) return text(pointer, block.text)
  if (isContent(block, "image")) return file(pointer, block.mimeType, block.data)
  if (isContent(block, "audio")) {
    const bytes = bytesIn(compactBase64(block.data) ?? "")
    const what = `A sound (${fileOf(mediaTypeOf(block.mimeType), bytes)})`
    return leftOut(pointer, what, "the model API takes none in results")
  }
  return block.type === "resource_link" ? link(pointer, block) : resource(pointer, block)
}
