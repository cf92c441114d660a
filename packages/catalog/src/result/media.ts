import { isBase64 } from "@entente/protocol"

/** Names that are in use for a type besides its own. */
const aliases: ReadonlyMap<string, string> = new Map([
  ["image/jpg", "image/jpeg"],
  ["image/pjpeg", "image/jpeg"],
  ["image/x-png", "image/png"],
  ["application/x-pdf", "application/pdf"],
  ["text/rtf", "application/rtf"],
])

/** A media type without parameters, in small letters, under its own name. */
export const mediaTypeOf = (declared: string): string => {
  const type = (declared.slice(0, 200).split(";")[0] ?? "").trim().toLowerCase()
  return aliases.get(type) ?? type
}

const textTypes = new Set([
  "application/json",
  "application/xml",
  "application/javascript",
  "application/typescript",
  "application/yaml",
  "application/x-yaml",
  "application/toml",
  "application/sql",
  "application/x-ndjson",
  "application/x-sh",
])

/** Whether files of a type are texts; an SVG is one as well. */
export const isTextType = (type: string): boolean =>
  type.startsWith("text/") || textTypes.has(type) || /\+(?:json|xml|yaml)$/.test(type)

/** How the files of each type begin, in Base64. */
const beginnings: ReadonlyArray<readonly [RegExp, string]> = [
  [/^JVBERi0/, "application/pdf"],
  [/^iVBORw0KGgo/, "image/png"],
  [/^\/9j\//, "image/jpeg"],
  [/^R0lGODdh|^R0lGODlh/, "image/gif"],
  [/^UklGR.{7}RUJQ/, "image/webp"],
]

/** The type of an image or a PDF by its first bytes; undefined for everything else. */
export const seenTypeOf = (base64: string): string | undefined => {
  const beginning = base64.slice(0, 20)
  return beginnings.find(([pattern]) => pattern.test(beginning))?.[1]
}

/** Bytes as they came, in Base64 that every decoder takes: on one line and padded. Undefined for anything else. */
export const compactBase64 = (text: string): string | undefined => {
  if (!isBase64(text)) return undefined
  const compact = text.replaceAll(/[\t\n\f\r ]+/g, "")
  return compact.padEnd(Math.ceil(compact.length / 4) * 4, "=")
}

/** How many bytes there are in padded Base64. */
export const bytesIn = (base64: string): number =>
  (base64.length / 4) * 3 - (base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0)

/** The bytes of padded Base64. */
export const decode = (base64: string): Uint8Array =>
  Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))

/** The text in padded Base64; undefined where it is none. */
export const decodeText = (base64: string): string | undefined => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(decode(base64))
  } catch {
    return undefined
  }
}

/** A size for people. */
export const sizeText = (bytes: number): string =>
  bytes < 1_000
    ? `${bytes} bytes`
    : bytes < 1_000_000
      ? `${Math.round(bytes / 1_000)} kB`
      : `${(bytes / 1_000_000).toFixed(1)} MB`
