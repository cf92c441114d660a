import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { Inbox } from "../src/inbox.js"
import { MessageLines } from "../src/framing/message-lines.js"
import { cutAt, everySplit, singly } from "./cuts.js"
import { lineLimit, lineVectors, type LineVector } from "./vectors/lines.js"

const read = (chunks: Iterable<Uint8Array>) => {
  const messages: Array<unknown> = []
  const notes: Array<string> = []
  const errors: Array<string> = []
  const inbox = new Inbox()
  inbox.listen({
    message: (value) => messages.push(value),
    note: ({ code, detail }) => notes.push(`${code}: ${detail}`),
    unreadable: ({ code }) => errors.push(code),
    closed: ({ code }) => errors.push(`closed ${code}`),
  })
  const lines = new MessageLines({ target: "t", maxMessageBytes: lineLimit, receiver: inbox })
  for (const chunk of chunks) lines.push(chunk)
  lines.end()
  return { messages, notes, errors }
}

const expectedOf = ({ messages, notes = [], errors = [] }: LineVector) => ({
  messages,
  notes,
  errors,
})

/** Vectors that may stand one after another: they end with a line end, and don't end the channel. */
const endless = lineVectors.filter(
  ({ bytes, errors = [] }) =>
    bytes.at(-1) === 0x0a && !errors.some((one) => one.includes("closed")),
)

describe("MessageLines", () => {
  it.each(lineVectors)("$name: V25-STDIO-06 at every split point", (vector) => {
    const expected = expectedOf(vector)
    for (const chunks of everySplit(vector.bytes)) expect(read(chunks)).toEqual(expected)
  })

  it.each(lineVectors)("C044 V26-STDIO-03 byte by byte: $name", (vector) => {
    expect(read(singly(vector.bytes))).toEqual(expectedOf(vector))
  })

  it("C044 C046 V25-STDIO-06 reads the same from any sequence of vectors, cut anywhere", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...endless), { minLength: 1, maxLength: 6 }),
        fc.array(fc.nat()),
        (vectors, cuts) => {
          const bytes = Uint8Array.from(vectors.flatMap((one) => [...one.bytes]))
          const all = vectors.map(expectedOf)
          expect(read(cutAt(bytes, cuts))).toEqual({
            messages: all.flatMap(({ messages }) => messages),
            notes: all.flatMap(({ notes }) => notes),
            errors: all.flatMap(({ errors }) => errors),
          })
        },
      ),
      { numRuns: 2_000 },
    )
  })

  it("C044 V26-STDIO-01 V25-RPC-08 reads back whatever JSON can say, cut anywhere", () => {
    fc.assert(
      fc.property(
        fc.array(fc.dictionary(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }))),
        fc.array(fc.nat()),
        (values, cuts) => {
          const text = values.map((value) => `${JSON.stringify(value)}\n`).join("")
          const bytes = new TextEncoder().encode(text)
          const messages = values.filter((value) => JSON.stringify(value).length <= lineLimit / 4)
          fc.pre(messages.length === values.length)
          expect(read(cutAt(bytes, cuts))).toEqual({ messages, notes: [], errors: [] })
        },
      ),
      { numRuns: 2_000 },
    )
  })

  it("reads as many values from random bytes, whatever they are and however they are cut", () => {
    const byte = fc.oneof(
      fc.nat(255),
      fc.constantFrom(0x0a, 0x0d, 0x7b, 0x7d, 0x22, 0xef, 0xbb, 0xbf),
    )
    fc.assert(
      fc.property(fc.array(byte, { maxLength: 300 }), fc.array(fc.nat()), (values, cuts) => {
        const bytes = Uint8Array.from(values)
        expect(read(cutAt(bytes, cuts))).toEqual(read([bytes]))
      }),
      { numRuns: 2_000 },
    )
  })

  it("recognises Content-Length framing at the header, before anything follows it", () => {
    const header = new TextEncoder().encode("Content-Length: 5\r\n")
    const inbox = new Inbox()
    const codes: Array<string> = []
    inbox.listen({
      message: () => {},
      note: ({ code }) => codes.push(code),
      unreadable: () => {},
      closed: ({ code, message, hint }) => codes.push(code, message, hint),
    })
    new MessageLines({ target: "t", maxMessageBytes: 100, receiver: inbox }).push(header)
    expect(codes).toEqual([
      "content-length-framing",
      "unexpected-content",
      expect.stringContaining(
        "frames messages with Content-Length, as language servers do; MCP wants one message per line",
      ),
      expect.stringContaining("MCP mode"),
    ])
  })
})
