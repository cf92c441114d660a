import { describe, expect, it } from "vitest"
import {
  formats,
  projectResult,
  type Format,
  type ProjectedResults,
  type ProjectResultOptions,
} from "@entente/catalog"
import type { CallToolResult } from "@entente/protocol"
import { bytes, gif, jpeg, pdf, png, svg, text, webp } from "./files.js"

/** A result as a server may send it, also where the types say that it would not. */
const result = (members: object): CallToolResult =>
  ({ content: [], ...members }) as unknown as CallToolResult

const say = (words: string) => ({ type: "text", text: words })
const image = (data: string, mimeType: string) => ({ type: "image", data, mimeType })
const blob = (data: string, mimeType?: string) => ({
  type: "resource",
  resource: { uri: "file:///a", blob: data, ...(mimeType === undefined ? {} : { mimeType }) },
})

const value = <F extends Format>(
  members: object,
  format: F,
  options?: ProjectResultOptions,
): ProjectedResults[F] => projectResult(result(members), format, options).value

/** All that is said in words, in the form that shows every block. */
const words = (members: object, options?: ProjectResultOptions): ReadonlyArray<string> =>
  value(members, "anthropic", options).content.map((block) =>
    block.type === "text" ? block.text : block.type,
  )

const report = (members: object, format: Format = "anthropic", options?: ProjectResultOptions) =>
  projectResult(result(members), format, options).report

const mixed = { content: [say("before"), image(png, "image/png"), blob(pdf, "application/pdf")] }

describe("a result in each form", () => {
  it("is a tool_result for Anthropic", () => {
    expect(value(mixed, "anthropic")).toEqual({
      content: [
        { type: "text", text: "before" },
        { type: "image", source: { type: "base64", media_type: "image/png", data: png } },
        { type: "document", source: { type: "base64", media_type: "application/pdf", data: pdf } },
      ],
    })
  })

  it("is a text for OpenAI's chat, and its files a message of the user", () => {
    expect(value(mixed, "openai")).toEqual({
      content: [
        "before",
        "[File 1, image/png, is in the next message of the user.]",
        "[File 2, application/pdf, is in the next message of the user.]",
      ].join("\n"),
      followUp: {
        role: "user",
        content: [
          { type: "text", text: "[The files of the tool's result, in their order.]" },
          { type: "image_url", image_url: { url: `data:image/png;base64,${png}` } },
          {
            type: "file",
            file: { filename: "document-2.pdf", file_data: `data:application/pdf;base64,${pdf}` },
          },
        ],
      },
    })
    expect(value({ content: [say("a"), say("b")] }, "openai")).toEqual({ content: "a\nb" })
  })

  it("is a list for OpenAI's Responses, or a text where there is nothing else", () => {
    expect(value(mixed, "openai-responses")).toEqual({
      output: [
        { type: "input_text", text: "before" },
        { type: "input_image", image_url: `data:image/png;base64,${png}`, detail: "auto" },
        {
          type: "input_file",
          filename: "document-3.pdf",
          file_data: `data:application/pdf;base64,${pdf}`,
        },
      ],
    })
    expect(value({ content: [say("a"), say("b")] }, "openai-responses")).toEqual({ output: "a\nb" })
  })

  it("is a function response for Gemini, with its files inside or in a message after it", () => {
    const files = [
      { inlineData: { mimeType: "image/png", data: png } },
      { inlineData: { mimeType: "application/pdf", data: pdf } },
    ]
    expect(value(mixed, "gemini")).toEqual({
      functionResponse: {
        response: {
          output: expect.stringMatching(/^before\n\[File 1, .+\n\[File 2, .+ is beside/),
        },
        parts: files,
      },
    })
    expect(value(mixed, "gemini", { media: "send-beside" })).toEqual({
      functionResponse: { response: { output: expect.stringContaining("in the next message") } },
      followUp: {
        role: "user",
        parts: [{ text: "[The files of the tool's result, in their order.]" }, ...files],
      },
    })
  })

  it("is a toolResult for Bedrock, with bytes", () => {
    expect(value(mixed, "bedrock")).toEqual({
      content: [
        { text: "before" },
        { image: { format: "png", source: { bytes: new Uint8Array(Buffer.from(png, "base64")) } } },
        {
          document: {
            format: "pdf",
            // Letters, digits and single spaces; another document has another.
            name: expect.stringMatching(/^Document [\da-f]{12}$/),
            source: { bytes: new Uint8Array(Buffer.from(pdf, "base64")) },
          },
        },
      ],
      status: "success",
    })
    const alone = value({ content: [blob(pdf, "application/pdf")] }, "bedrock")
    expect(alone.content.at(-1)).toEqual({ text: "[That is all of the tool's result.]" })
  })

  it("is what toModelOutput returns to the AI SDK", () => {
    expect(value(mixed, "ai-sdk")).toEqual({
      type: "content",
      value: [
        { type: "text", text: "before" },
        { type: "image-data", data: png, mediaType: "image/png" },
        { type: "file-data", data: pdf, mediaType: "application/pdf" },
      ],
    })
    expect(value({ content: [say("a")] }, "ai-sdk")).toEqual({ type: "text", value: "a" })
  })
})

describe("a tool that failed (V25-TOOL-05)", () => {
  const failed = { content: [say("disk full"), image(png, "image/png")], isError: true }

  it("is an error in every form that has one, and is said to be one in the others", () => {
    expect(value(failed, "anthropic").is_error).toBe(true)
    expect(value(failed, "bedrock").status).toBe("error")
    expect(value(failed, "ai-sdk").type).toBe("error-text")
    expect(value(failed, "gemini").functionResponse.response).toHaveProperty("error")
    expect(value(failed, "openai").content).toMatch(/^\[The tool reports an error\.\]\ndisk full/)
    expect(value(failed, "openai-responses").output).toContainEqual({
      type: "input_text",
      text: "[The tool reports an error.]",
    })
    expect(value({ content: [say("a")], isError: false }, "anthropic")).not.toHaveProperty(
      "is_error",
    )
  })

  it.each(["anthropic", "bedrock", "ai-sdk"] as const)(
    "has no files for %s, which refuses them there",
    (format) => {
      expect(report(failed, format)).toEqual([
        {
          kind: "dropped",
          pointer: "/content/1",
          detail:
            "An image (image/png, 70 bytes) was left out: the model API takes none in errors.",
        },
      ])
      expect(JSON.stringify(value(failed, format))).toContain("An image (image/png, 70 bytes)")
    },
  )

  it("is explained by its text, also where structured content would win otherwise", () => {
    const both = { ...failed, structuredContent: { code: 7 } }
    expect(value(both, "gemini").functionResponse.response).toEqual({
      error: expect.stringContaining("disk full"),
    })
    const data = { structuredContent: { code: 7 }, isError: true }
    expect(value(data, "gemini").functionResponse.response).toEqual({ error: { code: 7 } })
    expect(value(data, "ai-sdk")).toEqual({ type: "error-json", value: { code: 7 } })
    expect(value(data, "anthropic")).toEqual({
      content: [{ type: "text", text: '{"code":7}' }],
      is_error: true,
    })
  })
})

describe("structured content and the text that stands for it", () => {
  const data = { celsius: 21 }
  const both = { content: [say('{ "celsius": 21 }')], structuredContent: data }

  it("goes alone where there is a form for JSON", () => {
    expect(value(both, "gemini")).toEqual({ functionResponse: { response: { output: data } } })
    expect(value(both, "bedrock").content).toEqual([{ json: data }])
    expect(value(both, "ai-sdk")).toEqual({ type: "json", value: data })
    expect(report(both, "gemini")).toEqual([
      {
        kind: "superseded",
        pointer: "/content/0",
        detail: "The text is the same as the structured content, which is sent instead.",
      },
    ])
  })

  it("stays away where there is none", () => {
    for (const format of ["anthropic", "openai", "openai-responses"] as const) {
      expect(JSON.stringify(value(both, format)).split("celsius")).toHaveLength(2)
      expect(JSON.stringify(value(both, format))).toContain('{ \\"celsius\\": 21 }')
      expect(report(both, format)).toEqual([
        {
          kind: "superseded",
          pointer: "/structuredContent",
          detail: "The structured content is not sent, because the text is.",
        },
      ])
    }
  })

  it("is what the host prefers", () => {
    expect(words(both, { prefer: "structured" })).toEqual(['{"celsius":21}'])
    expect(value(both, "ai-sdk", { prefer: "text" })).toEqual({
      type: "text",
      value: '{ "celsius": 21 }',
    })
  })

  it("is told of where the text says something else", () => {
    const other = { content: [say("mild"), say(" ")], structuredContent: data }
    expect(report(other, "gemini")).toEqual([
      {
        kind: "superseded",
        pointer: "/content/0",
        detail:
          "The text is not sent, because the structured content is; it may say something else.",
      },
    ])
  })

  it("goes with what is no text, and where there is no text", () => {
    const pictured = { content: [image(png, "image/png")], structuredContent: data }
    expect(words(pictured)).toEqual(['{"celsius":21}', "image"])
    expect(value(pictured, "bedrock").content[0]).toEqual({ json: data })
    expect(value(pictured, "gemini").functionResponse.response).toEqual({
      output: { structured: data, text: "[File 1, image/png, is beside this response.]" },
    })
    expect(value(pictured, "ai-sdk")).toMatchObject({
      value: [{ type: "text", text: '{"celsius":21}' }, { type: "image-data" }],
    })
  })

  it.each([null, [1, 2], 7, "text", true])("V26-TOOL-07 may be %j", (structuredContent) => {
    const members = { structuredContent }
    expect(words(members)).toEqual([JSON.stringify(structuredContent)])
    expect(value(members, "ai-sdk")).toEqual({ type: "json", value: structuredContent })
    expect(value(members, "gemini").functionResponse.response).toEqual({
      output: structuredContent,
    })
    // "Provide a json object for the field"
    expect(value(members, "bedrock").content).toEqual([{ text: JSON.stringify(structuredContent) }])
  })

  it("may be deeper than any JSON form is, or than anything can be written", () => {
    const nested = (levels: number): unknown => {
      let inner: unknown = 1
      for (let level = 0; level < levels; level++) inner = [inner]
      return inner
    }
    const deep = { structuredContent: nested(20_000) }
    for (const format of formats) expect(value(deep, format)).toBeDefined()
    expect(value(deep, "ai-sdk")).toEqual({
      type: "text",
      value: expect.stringMatching(/^\[{20000}1/),
    })
    const tooDeep = { structuredContent: nested(200_000) }
    expect(words(tooDeep)[0]).toMatch(/^\[The structured content was left out: it is nested more/)
    expect(report(tooDeep)).toMatchObject([{ kind: "dropped", pointer: "/structuredContent" }])
  })
})

describe("blocks that no model API has a form for", () => {
  it("a sound is left out, in words", () => {
    const audio = { content: [{ type: "audio", data: bytes, mimeType: "audio/wav" }] }
    for (const format of formats) {
      const detail =
        "A sound (audio/wav, 3 bytes) was left out: the model API takes none in results."
      expect(report(audio, format)).toEqual([{ kind: "dropped", pointer: "/content/0", detail }])
      expect(JSON.stringify(value(audio, format))).toContain(`[${detail}]`)
    }
  })

  it("a link is a line with its address", () => {
    const link = { type: "resource_link", uri: "db:///books", name: "books" }
    const long = `db:///${"b".repeat(1_000)}`
    const more = {
      ...link,
      uri: long,
      title: "The\u001b[2Jbooks",
      mimeType: "text/csv",
      size: 12_345,
      description: "all of them",
    }
    expect(words({ content: [link, more] })).toEqual([
      "[The resource books at db:///books]",
      `[The resource The [2Jbooks at ${long} (text/csv, 12 kB): all of them]`,
    ])
    expect(report({ content: [link] })).toEqual([])
  })

  it("a resource is the text, the image or the document that it is", () => {
    const resource = { uri: "file:///a", text: "hello", mimeType: "text/plain" }
    expect(words({ content: [{ type: "resource", resource }] })).toEqual([
      "[From the resource file:///a]\nhello",
    ])
    expect(words({ content: [blob(text, "text/plain; charset=utf-8")] })).toEqual([
      "[From the resource file:///a]\nGrüße",
    ])
    expect(words({ content: [blob(png, "image/png"), blob(pdf, "application/pdf")] })).toEqual([
      "image",
      "document",
    ])
    // Without a type the first bytes say what it is.
    expect(words({ content: [blob(jpeg), blob(pdf)] })).toEqual(["image", "document"])
    expect(report({ content: [blob(jpeg), blob(pdf)] })).toEqual([])
    expect(
      words({ content: [blob(bytes), blob(bytes, "text/plain"), blob(bytes, "video/mp4")] }),
    ).toEqual([
      "[A document (application/octet-stream, 3 bytes) was left out: the model API does not take this type in results.]",
      "[A file from file:///a (text/plain, 3 bytes) was left out: it is no UTF-8.]",
      "[A document (video/mp4, 3 bytes) was left out: the model API does not take this type in results.]",
    ])
  })

  it("what is not known is shown where it is short (C088)", () => {
    const odd = { type: "vote", yes: 3 }
    expect(words({ content: [odd] })).toEqual([
      '[Content of the kind "vote"] {"type":"vote","yes":3}',
    ])
    const long = { type: "video\n", data: "x".repeat(5_000) }
    expect(words({ content: [long] })).toEqual([
      '[Content of the kind "video" was left out: it is not known here.]',
    ])
    expect(report({ content: [long] })).toMatchObject([{ kind: "dropped", pointer: "/content/0" }])
    // One that lacks what its kind demands.
    expect(words({ content: [{ type: "image", mimeType: "image/png" }] })[0]).toMatch(
      /^\[Content of/,
    )
  })

  it("nothing at all is said to be nothing", () => {
    for (const content of [[], [say("")], [say(" \n")], undefined, "text"]) {
      expect(words({ content })).toEqual(["[The tool has answered with nothing.]"])
    }
    expect(value({}, "openai")).toEqual({ content: "[The tool has answered with nothing.]" })
  })
})

describe("files that a model API does not take", () => {
  it.each<[string, Format, object, string]>([
    ["a type of image", "anthropic", image(bytes, "image/bmp"), "does not take this type"],
    ["GIF", "gemini", image(gif, "image/gif"), "does not take this type"],
    ["a type of document", "openai", blob(bytes, "application/msword"), "does not take this type"],
    ["broken Base64", "anthropic", image("a-b_", "image/png"), "Base64 cannot be decoded"],
    ["nothing", "anthropic", image("", "image/png"), "it is empty"],
    ["what is no image", "openai", image(bytes, "image/png"), "its bytes are no such image"],
  ])("%s, for %s, becomes a sentence and an entry", (_, format, block, why) => {
    const members = { content: [say("a"), block, say("b")] }
    const [entry, ...others] = report(members, format)
    expect(others).toEqual([])
    expect(entry).toMatchObject({ kind: "dropped", pointer: "/content/1" })
    expect(entry?.detail).toContain(why)
    expect(JSON.stringify(value(members, format))).toContain(`[${entry?.detail}]`)
  })

  it("go as they are in whichever forms take them", () => {
    const all = {
      content: [image(png, "image/png"), image(jpeg, "image/jpeg"), image(webp, "image/webp")],
    }
    for (const format of formats) expect(report(all, format)).toEqual([])
    for (const format of ["anthropic", "openai", "openai-responses", "bedrock"] as const) {
      expect(report({ content: [image(gif, "image/gif")] }, format)).toEqual([])
    }
    const docx = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    for (const format of ["openai-responses", "bedrock"] as const) {
      expect(report({ content: [blob(bytes, docx)] }, format)).toEqual([])
    }
  })

  it("an image with a wrong label gets the right one, because the wrong one costs the request", () => {
    const wrong = { content: [image(jpeg, "image/png"), image(png, "IMAGE/X-PNG; q=1")] }
    expect(value(wrong, "anthropic").content).toMatchObject([
      { source: { media_type: "image/jpeg" } },
      { source: { media_type: "image/png" } },
    ])
    expect(report(wrong)).toEqual([
      {
        kind: "relabelled",
        pointer: "/content/0",
        detail: "An image that is said to be image/png is image/jpeg.",
      },
    ])
  })

  it("a drawing in SVG goes as the text that it is", () => {
    expect(words({ content: [image(svg, "image/svg+xml")] })[0]).toMatch(/^<svg /)
  })

  it("Base64 with line breaks or without padding goes in one line, padded", () => {
    const broken = `${png.slice(0, 76)}\r\n${png.slice(76)}`.replace(/=+$/, "")
    expect(value({ content: [image(broken, "image/png")] }, "anthropic").content).toMatchObject([
      { source: { data: png } },
    ])
  })

  it("are too large, too many, or too much together", () => {
    const sized = (size: number) => `${png.slice(0, 80)}${"A".repeat(size * 4)}`
    const large = { content: [image(sized(1_400_000), "image/png")] }
    expect(report(large)[0]?.detail).toBe(
      "An image (image/png, 4.2 MB) was left out: the model API takes 3.9 MB at most.",
    )
    expect(report(large, "openai")).toEqual([])
    const many = { content: Array.from({ length: 23 }, () => image(png, "image/png")) }
    expect(report(many)).toHaveLength(3)
    expect(report(many)[0]).toMatchObject({
      pointer: "/content/20",
      detail: expect.stringContaining("there are 20 before it already"),
    })
    const heavy = { content: Array.from({ length: 6 }, () => image(sized(1_200_000), "image/png")) }
    expect(report(heavy)).toEqual([
      expect.objectContaining({
        pointer: "/content/5",
        detail: expect.stringContaining("too many bytes"),
      }),
    ])
  })

  it("are left out for a model that reads texts alone", () => {
    for (const format of formats) {
      const told = projectResult(result(mixed), format, { media: "leave-out" })
      expect(told.report.map(({ pointer }) => pointer)).toEqual(["/content/1", "/content/2"])
      expect(JSON.stringify(told.value)).not.toContain(png)
    }
  })
})

describe("texts", () => {
  it("are cut at a limit, and say so themselves", () => {
    const long = { content: [say("a".repeat(8)), say("b😀c"), say("d")] }
    expect(words(long, { maxTextCharacters: 10 })).toEqual([
      "aaaaaaaa",
      "b\n[Only 1 of 4 characters are shown.]",
      "d",
    ])
    expect(report(long, "anthropic", { maxTextCharacters: 10 })).toMatchObject([
      { kind: "truncated", pointer: "/content/1" },
    ])
    expect(words(long, { maxTextCharacters: 8 }).slice(1)).toEqual([
      "[Only 0 of 4 characters are shown.]",
      "[Only 0 of 1 characters are shown.]",
    ])
    const structured = { structuredContent: { text: "x".repeat(100) } }
    expect(value(structured, "ai-sdk", { maxTextCharacters: 50 })).toMatchObject({
      type: "text",
      value: expect.stringMatching(/Only 50 of 111 characters are shown/),
    })
    const huge = value({ content: [say("a".repeat(2_000_000))] }, "openai").content
    expect(huge.length).toBeLessThan(1_000_100)
  })

  it("are a thousand blocks at most", () => {
    const content = Array.from({ length: 1_500 }, (_, index) => say(String(index)))
    const told = words({ content })
    expect(told).toHaveLength(1_001)
    expect(told.at(-1)).toBe("[500 more blocks were left out: there are too many.]")
    expect(report({ content })).toMatchObject([{ kind: "dropped", pointer: "/content" }])
  })

  it("have no halves of characters, which no JSON parser has to take", () => {
    const half = { content: [say("a\ud800b")] }
    expect(words(half)).toEqual(["a\ufffdb"])
    expect(report(half)).toMatchObject([{ kind: "repaired", pointer: "/content/0" }])
    const structuredContent = { "\udc00": ["\\ud800", "\ud800\ud800", "\\\ud800", "😀"] }
    expect(value({ structuredContent }, "ai-sdk")).toEqual({
      type: "json",
      value: { "\ufffd": ["\\ud800", "\ufffd\ufffd", "\\\ufffd", "😀"] },
    })
    expect(report({ structuredContent }, "ai-sdk")).toMatchObject([
      { kind: "repaired", pointer: "/structuredContent" },
    ])
  })
})
