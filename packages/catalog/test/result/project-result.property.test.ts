import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { formats, projectResult, resultRules, type ProjectResultOptions } from "@entente/catalog"
import { compileSchema } from "@entente/client"
import type { CallToolResult } from "@entente/protocol"
import { bytes, gif, jpeg, pdf, png, svg, text, webp } from "./files.js"
import { shapes } from "./provider-shapes.js"

const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom("", " ", "\ud800", "a\udc00", '{"a":1}', "\u001b[2J"),
)
const data = fc.oneof(
  fc.constantFrom(png, gif, jpeg, webp, pdf, text, svg, bytes, "a-b_", ""),
  anyText,
)
const mimeType = fc.oneof(
  fc.constantFrom(
    "image/png",
    "image/jpeg",
    "image/gif",
    "image/webp",
    "image/svg+xml",
    "image/bmp",
    "IMAGE/JPG; a=b",
    "application/pdf",
    "application/msword",
    "application/json",
    "text/csv",
    "audio/wav",
    "video/mp4",
  ),
  anyText,
)
const optional = { requiredKeys: ["type"] as ["type"] }

/** Blocks as they should be, blocks that lack something, and what is none. */
const block = fc.oneof(
  fc.record({ type: fc.constant("text"), text: anyText }, optional),
  fc.record({ type: fc.constantFrom("image", "audio"), data, mimeType }, optional),
  fc.record(
    {
      type: fc.constant("resource"),
      resource: fc.record(
        { uri: anyText, text: anyText, blob: data, mimeType },
        { requiredKeys: ["uri"] },
      ),
    },
    optional,
  ),
  fc.record(
    {
      type: fc.constant("resource_link"),
      uri: anyText,
      name: anyText,
      title: anyText,
      mimeType,
      size: fc.double(),
      description: anyText,
    },
    { requiredKeys: ["type", "uri"] },
  ),
  fc.record({ type: anyText, data: fc.jsonValue() }),
  fc.jsonValue(),
)

const anyResult = fc
  .record(
    {
      content: fc.oneof({ weight: 20, arbitrary: fc.array(block) }, fc.jsonValue()),
      structuredContent: fc.jsonValue({ noUnicodeString: false }),
      isError: fc.oneof(fc.boolean(), fc.jsonValue()),
    },
    { requiredKeys: [] },
  )
  // What a server sends is only known to be JSON.
  .map((result) => JSON.parse(JSON.stringify(result)) as CallToolResult)

const options: fc.Arbitrary<ProjectResultOptions> = fc.record(
  {
    prefer: fc.constantFrom("structured", "text"),
    media: fc.constantFrom("send", "send-beside", "leave-out"),
    maxTextCharacters: fc.constantFrom(1, 20, 1_000),
  },
  { requiredKeys: [] },
)

/** A value as it goes over the wire. */
const written = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) =>
    member instanceof Uint8Array ? { base64: Buffer.from(member).toString("base64") } : member,
  )

describe.each(formats)("any result of any server, for %s", (format) => {
  it("has the shape that the model API takes, and is the same every time", async () => {
    const compiled = await compileSchema(shapes[format])
    if (!compiled.ok) throw new Error(compiled.reason)
    fc.assert(
      fc.property(anyResult, options, (result, chosen) => {
        const before = JSON.stringify(result)
        const { value, report } = projectResult(result, format, chosen)
        const wire = written(value)
        expect(compiled.check(JSON.parse(wire))).toEqual({ _tag: "Valid" })
        // Halves of characters are all that JSON writes so.
        expect(wire.replaceAll("\\\\", "")).not.toMatch(/\\ud[89a-f]/)
        expect(projectResult(result, format, chosen)).toEqual({ value, report })
        expect(JSON.stringify(result)).toBe(before)
        for (const { pointer } of report) {
          expect(pointer).toMatch(/^\/(?:structuredContent|content(?:\/\d+)?)$/)
        }
      }),
      { numRuns: 300 },
    )
  })

  it("loses no file without a word", () => {
    const file = fc.record({ type: fc.constant("image"), data, mimeType })
    fc.assert(
      fc.property(fc.array(file, { maxLength: 30 }), fc.boolean(), (content, isError) => {
        const result = { content, isError } as unknown as CallToolResult
        const { value, report } = projectResult(result, format)
        const wire = written(value)
        const dropped = report.filter(({ kind }) => kind === "dropped")
        const sent = [...wire.matchAll(/base64,|"(?:base64|data)":"[^"]/g)].length
        const asText = content.filter(
          (each, index) =>
            /^(?:text\/|.*json|.*xml)/.test(each.mimeType.toLowerCase()) &&
            !dropped.some(({ pointer }) => pointer === `/content/${index}`),
        ).length
        expect(sent + dropped.length + asText).toBe(content.length)
        for (const { detail } of dropped) {
          expect(wire).toContain(JSON.stringify(detail).slice(1, -1))
        }
        const { image, document } = resultRules[format]
        expect(sent).toBeLessThanOrEqual(image.maxCount + document.maxCount)
      }),
      { numRuns: 200 },
    )
  })
})
