import type { Format } from "@entente/catalog"
import type { JsonObject } from "@entente/protocol"

/** An object with these members and no others. */
const closed = (properties: JsonObject, optional: ReadonlyArray<string> = []): JsonObject => ({
  type: "object",
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
})

const only = (value: unknown): JsonObject => ({ const: value })

/** Texts of white space alone are refused. */
const text = { type: "string", pattern: "\\S" }
const base64 = { type: "string", pattern: "^(?:[A-Za-z0-9+/]{4})+[A-Za-z0-9+/=]{0,4}$" }
const dataUrl = (types: string): JsonObject => ({
  type: "string",
  pattern: `^data:(?:${types});base64,[A-Za-z0-9+/=]{4,}$`,
})
const images = "image/png|image/jpeg|image/gif|image/webp"
const listOf = (...items: ReadonlyArray<JsonObject>): JsonObject => ({
  type: "array",
  minItems: 1,
  items: { anyOf: items },
})
const bytes = { type: "object", properties: { base64 }, required: ["base64"] }

const inlineData = closed({
  inlineData: closed({
    mimeType: { enum: ["image/png", "image/jpeg", "image/webp", "application/pdf"] },
    data: base64,
  }),
})

const anthropicBlocks = {
  text: closed({ type: only("text"), text }),
  image: closed({
    type: only("image"),
    source: closed({
      type: only("base64"),
      media_type: { enum: images.split("|") },
      data: base64,
    }),
  }),
  document: closed({
    type: only("document"),
    source: closed({ type: only("base64"), media_type: only("application/pdf"), data: base64 }),
  }),
}

/** What each model API takes as a result, by its own types; bytes are written `{ base64 }`. */
export const shapes: { readonly [F in Format]: JsonObject } = {
  anthropic: {
    anyOf: [
      closed({ content: listOf(...Object.values(anthropicBlocks)) }),
      closed({ content: listOf(anthropicBlocks.text), is_error: only(true) }),
    ],
  },
  openai: closed(
    {
      content: text,
      followUp: closed({
        role: only("user"),
        content: listOf(
          closed({ type: only("text"), text }),
          closed({ type: only("image_url"), image_url: closed({ url: dataUrl(images) }) }),
          closed({
            type: only("file"),
            file: closed({
              filename: { type: "string", pattern: "\\.pdf$" },
              file_data: dataUrl("application/pdf"),
            }),
          }),
        ),
      }),
    },
    ["followUp"],
  ),
  "openai-responses": closed({
    output: {
      anyOf: [
        text,
        listOf(
          closed({ type: only("input_text"), text }),
          closed({
            type: only("input_image"),
            image_url: dataUrl(images),
            detail: { enum: ["low", "high", "auto"] },
          }),
          closed({
            type: only("input_file"),
            filename: { type: "string", pattern: "^document-[0-9]+\\.[a-z]+$" },
            file_data: dataUrl("application/[a-z.-]+"),
          }),
        ),
      ],
    },
  }),
  gemini: closed(
    {
      functionResponse: closed(
        {
          response: { anyOf: [closed({ output: {} }), closed({ error: {} })] },
          parts: listOf(inlineData),
        },
        ["parts"],
      ),
      followUp: closed({ role: only("user"), parts: listOf(closed({ text }), inlineData) }),
    },
    ["followUp"],
  ),
  bedrock: closed({
    content: listOf(
      closed({ text }),
      closed({ json: { type: "object" } }),
      closed({
        image: closed({
          format: { enum: ["png", "jpeg", "gif", "webp"] },
          source: closed({ bytes }),
        }),
      }),
      closed({
        document: closed({
          format: { enum: ["pdf", "doc", "docx", "xls", "xlsx"] },
          name: { type: "string", pattern: "^[A-Za-z0-9]+(?:[ ()\\[\\]-][A-Za-z0-9]+)*$" },
          source: closed({ bytes }),
        }),
      }),
    ),
    status: { enum: ["success", "error"] },
  }),
  "ai-sdk": {
    anyOf: [
      closed({ type: { enum: ["text", "error-text"] }, value: text }),
      closed({ type: { enum: ["json", "error-json"] }, value: {} }),
      closed({
        type: only("content"),
        value: listOf(
          closed({ type: only("text"), text }),
          closed({
            type: only("image-data"),
            data: base64,
            mediaType: { enum: ["image/png", "image/jpeg", "image/webp"] },
          }),
          closed({ type: only("file-data"), data: base64, mediaType: only("application/pdf") }),
        ),
      }),
    ],
  },
}
