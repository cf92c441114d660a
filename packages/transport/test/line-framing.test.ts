import { describe, expect, it, vi } from "vitest"
import { LineDecoder } from "../src/line-framing.js"

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

const decoded = (chunks: ReadonlyArray<Uint8Array>, maxBytes = 1024 * 1024) => {
  const lines: Array<string> = []
  const oversized = vi.fn<() => void>()
  const decoder = new LineDecoder(maxBytes, { line: (text) => lines.push(text), oversized })
  for (const chunk of chunks) decoder.push(chunk)
  return { lines, rest: decoder.end(), oversized }
}

describe("LineDecoder", () => {
  const text = '{"s":"—🙂 é"}\n{"n":1}\r\n\n  \n{"last":"ü"}\n'
  const lines = ['{"s":"—🙂 é"}', '{"n":1}', '{"last":"ü"}']

  it("V25-STDIO-06 C044 reads the same lines at every split point", () => {
    const bytes = bytesOf(text)
    for (let at = 0; at <= bytes.length; at++) {
      expect(decoded([bytes.slice(0, at), bytes.slice(at)]).lines).toEqual(lines)
    }
  })

  it("V26-STDIO-03 C044 reads the same lines one byte at a time", () => {
    const bytes = bytesOf(text)
    expect(decoded(Array.from(bytes, (byte) => Uint8Array.of(byte))).lines).toEqual(lines)
  })

  it("drops a byte order mark and keeps U+2028 inside a line", () => {
    expect(decoded([bytesOf("\uFEFFone\u2028two\n")]).lines).toEqual(["one\u2028two"])
  })

  it("gives a last line without an end to whoever ends the stream", () => {
    expect(decoded([bytesOf("one\ntw"), bytesOf("o")])).toMatchObject({
      lines: ["one"],
      rest: "two",
    })
    expect(decoded([bytesOf("one\n \r")]).rest).toBeUndefined()
  })

  it("drops a line past the limit, once, and reads on after its end", () => {
    for (const size of [1, 3, 100]) {
      const bytes = bytesOf(`${"x".repeat(30)}\nshort\n${"y".repeat(11)}\nalso\n`)
      const chunks = []
      for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.slice(at, at + size))
      const { lines, oversized } = decoded(chunks, 10)
      expect(lines).toEqual(["short", "also"])
      expect(oversized).toHaveBeenCalledTimes(2)
    }
  })

  it("V25-STDIO-06 copies a 5 MB line a constant number of times, however it is cut", () => {
    const size = 5 * 1024 * 1024
    const copied = { bytes: 0 }
    const set = Uint8Array.prototype.set
    const counting = vi.spyOn(Uint8Array.prototype, "set").mockImplementation(function (
      this: Uint8Array,
      source,
      offset,
    ) {
      copied.bytes += source.length
      set.call(this, source, offset)
    })
    const line = new Uint8Array(size).fill(0x78)
    line[size - 1] = 0x0a
    const chunks = []
    for (let at = 0; at < size; at += 4096) chunks.push(line.slice(at, at + 4096))
    copied.bytes = 0
    const { lines } = decoded(chunks, size)
    counting.mockRestore()
    expect(lines.map((text) => text.length)).toEqual([size - 1])
    expect(copied.bytes).toBeGreaterThan(size / 2)
    expect(copied.bytes).toBeLessThan(4 * size)
  })
})
