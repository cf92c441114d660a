import type { Json } from "./json-text.js"

/** A piece of text for a model. */
export interface TextPart {
  readonly kind: "text"
  readonly text: string
  readonly pointer: string
}

/** A file for a model. */
export interface FilePart<Kind extends string> {
  readonly kind: Kind
  /** Padded Base64. */
  readonly data: string
  readonly type: string
  readonly pointer: string
}

export type MediaPart = FilePart<"image"> | FilePart<"document">

/** Structured content that goes as JSON. */
export interface JsonPart {
  readonly kind: "json"
  readonly value: Json
}

/** What a model API can be told, before it has the form of one. */
export type Part = TextPart | MediaPart | JsonPart

/** A whole result in parts. It has at least one. */
export interface Answer {
  readonly parts: ReadonlyArray<Part>
  readonly isError: boolean
}

/** What a part is in words. */
export const textOf = (part: TextPart | JsonPart): string =>
  part.kind === "text" ? part.text : JSON.stringify(part.value)

/** Files apart from the words, in which a sentence says where each of them was. */
export interface Detached {
  readonly words: ReadonlyArray<TextPart | JsonPart>
  readonly media: ReadonlyArray<MediaPart>
}

/** Takes the files out of an answer, for an API that wants them in another place. */
export const detach = (parts: ReadonlyArray<Part>, place: string): Detached => {
  const media: Array<MediaPart> = []
  const words = parts.map((part): TextPart | JsonPart => {
    if (part.kind === "text" || part.kind === "json") return part
    media.push(part)
    const text = `[File ${media.length}, ${part.type}, is ${place}.]`
    return { kind: "text", text, pointer: part.pointer }
  })
  return { words, media }
}

/** An address that has the whole file in it. */
export const dataUrl = ({ type, data }: MediaPart): string => `data:${type};base64,${data}`
