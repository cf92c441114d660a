import type { Format } from "../provider/format.js"

/** Which files of one kind a model API takes in the result of a tool. */
export interface MediaRule {
  readonly types: ReadonlyArray<string>
  /** Bytes of one file, decoded. */
  readonly maxBytes: number
  /** How many in one result. */
  readonly maxCount: number
}

/** What a model API takes as the result of a tool. */
export interface ResultRule {
  /** Whether structured content can go as JSON, or as a text alone. */
  readonly json: "any" | "object" | "none"
  /** Whether the result of a tool that failed may hold files. */
  readonly filesInErrors: boolean
  readonly image: MediaRule
  readonly document: MediaRule
  /** Bytes of all files in one result, decoded: what leaves room for the rest of the request. */
  readonly maxTotalBytes: number
}

const megabyte = 1_000_000

/** What all of them can read. GIFs count with their first frame. */
const pictures = ["image/png", "image/jpeg", "image/webp"]
const pdf = ["application/pdf"]
const word = [
  "application/msword",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
]
const excel = [
  "application/vnd.ms-excel",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
]

/**
 * The rules as they were published in November 2026. Where one API states several limits, for models or
 * platforms, it is the lowest. Documents that are texts go as text everywhere and are not listed; nobody takes
 * sounds.
 */
export const resultRules: Readonly<Record<Format, ResultRule>> = {
  // 5 MiB of Base64 in one image, 32 MB in one request; more than 20 images have to be smaller. "All content
  // must be type text if is_error is true" is the answer to anything else, on Bedrock as well.
  anthropic: {
    json: "none",
    filesInErrors: false,
    image: { types: [...pictures, "image/gif"], maxBytes: 3_932_160, maxCount: 20 },
    document: { types: pdf, maxBytes: 20 * megabyte, maxCount: 5 },
    maxTotalBytes: 20 * megabyte,
  },
  // In a message of the user: the message of a tool holds text alone. Files are PDF alone.
  openai: {
    json: "none",
    filesInErrors: true,
    image: { types: [...pictures, "image/gif"], maxBytes: 20 * megabyte, maxCount: 20 },
    document: { types: pdf, maxBytes: 30 * megabyte, maxCount: 5 },
    maxTotalBytes: 30 * megabyte,
  },
  "openai-responses": {
    json: "none",
    filesInErrors: true,
    image: { types: [...pictures, "image/gif"], maxBytes: 20 * megabyte, maxCount: 20 },
    document: {
      types: [
        ...pdf,
        ...word,
        ...excel,
        "application/rtf",
        "application/vnd.oasis.opendocument.text",
        "application/vnd.ms-powerpoint",
        "application/vnd.openxmlformats-officedocument.presentationml.presentation",
      ],
      maxBytes: 30 * megabyte,
      maxCount: 5,
    },
    maxTotalBytes: 30 * megabyte,
  },
  // 20 MB in one request.
  gemini: {
    json: "any",
    filesInErrors: true,
    image: { types: pictures, maxBytes: 12 * megabyte, maxCount: 20 },
    document: { types: pdf, maxBytes: 12 * megabyte, maxCount: 5 },
    maxTotalBytes: 12 * megabyte,
  },
  // "Provide a json object for the field" is the answer to an array, whatever the types say.
  bedrock: {
    json: "object",
    filesInErrors: false,
    image: { types: [...pictures, "image/gif"], maxBytes: 3_750_000, maxCount: 20 },
    document: { types: [...pdf, ...word, ...excel], maxBytes: 4_500_000, maxCount: 5 },
    maxTotalBytes: 15 * megabyte,
  },
  // Hands them to any of the others, so what all of them take.
  "ai-sdk": {
    json: "any",
    filesInErrors: false,
    image: { types: pictures, maxBytes: 3_750_000, maxCount: 20 },
    document: { types: pdf, maxBytes: 4_500_000, maxCount: 5 },
    maxTotalBytes: 12 * megabyte,
  },
}

/** How files are called by the APIs that want an ending instead of a type. */
export const fileFormats: Readonly<Record<string, string>> = {
  "image/png": "png",
  "image/jpeg": "jpeg",
  "image/gif": "gif",
  "image/webp": "webp",
  "application/pdf": "pdf",
  "application/msword": "doc",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
  "application/vnd.ms-excel": "xls",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
  "application/rtf": "rtf",
  "application/vnd.oasis.opendocument.text": "odt",
  "application/vnd.ms-powerpoint": "ppt",
  "application/vnd.openxmlformats-officedocument.presentationml.presentation": "pptx",
}
