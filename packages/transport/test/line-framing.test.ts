import { describe, expect, it, vi } from "vitest"
import { LineDecoder } from "../src/framing/line-framing.js"

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

const decoded = (chunks: ReadonlyArray<Uint8Array>, maxBytes = 1024 * 1024) => {
  const lines: Array<string> = []
  const oversized = vi.fn<() => void>()
  const decoder = new LineDecoder(maxBytes, { line: (text) => lines.push(text), oversized })
  for (const chunk of chunks) decoder.push(chunk)
  let rest: string | undefined
  decoder.end((text) => (rest = text))
  return { lines, rest, oversized }
}

describe("LineDecoder", () => {
  const text = '{"s":"—🙂 é"}\n{"n":1}\r\n\n  \n{"last":"ü"}\n'
  const lines = ['{"s":"—🙂 é"}', '{"n":1}', '{"last":"ü"}']

  it("C044 V25-STDIO-06 reads the same lines at every split point", () => {
    const bytes = bytesOf(text)
    for (let at = 0; at <= bytes.length; at++) {
      expect(decoded([bytes.slice(0, at), bytes.slice(at)]).lines).toEqual(lines)
    }
  })

  it("C044 V26-STDIO-03 reads the same lines one byte at a time", () => {
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

  it("says how much of a line has come, until its end", () => {
    const decoder = new LineDecoder(100, { line: () => {}, oversized: () => {} })
    const sizes = ["ab", "c", "\nd", "\n"].map((text) => {
      decoder.push(bytesOf(text))
      return decoder.unfinished
    })
    expect(sizes).toEqual([2, 3, 1, 0])
  })

  it("tells damaged text from text that says so itself", () => {
    const seen: Array<readonly [string, boolean]> = []
    const sink = {
      line: (...one: readonly [string, boolean]) => seen.push(one),
      oversized: () => {},
    }
    new LineDecoder(100, sink).push(Uint8Array.of(0x61, 0xff, 0x0a, 0xef, 0xbf, 0xbd, 0x0a))
    expect(seen).toEqual([
      ["a\uFFFD", true],
      ["\uFFFD", false],
    ])
  })

  const mebibyte = 1024 * 1024

  /** How many bytes are copied to read one line of a size that comes in chunks of another. */
  const copiesFor = (size: number, chunkSize: number): number => {
    const line = new Uint8Array(size).fill(0x78)
    line[size - 1] = 0x0a
    const lengths: Array<number> = []
    const decoder = new LineDecoder(size, {
      line: (text) => lengths.push(text.length),
      oversized: () => {},
    })
    let copied = 0
    const { set } = Uint8Array.prototype
    const counting = vi.spyOn(Uint8Array.prototype, "set").mockImplementation(function (
      this: Uint8Array,
      source,
      offset,
    ) {
      copied += source.length
      set.call(this, source, offset)
    })
    for (let at = 0; at < size; at += chunkSize) decoder.push(line.subarray(at, at + chunkSize))
    counting.mockRestore()
    expect(lengths).toEqual([size - 1])
    return copied
  }

  it.each([
    ["a pipe", 64 * 1024],
    ["a slow writer", 1_000],
  ])("V25-STDIO-06 reads a line of 16 MiB in linear time, in the chunks of %s", (_, chunkSize) => {
    const [small, large] = [4, 16].map((size) => copiesFor(size * mebibyte, chunkSize))
    expect(small).toBeGreaterThan(2 * mebibyte)
    // Each byte is copied once into the buffer and, on average, at most twice more as it grows.
    expect(large).toBeLessThan(4 * 16 * mebibyte)
    expect(large! / small!).toBeLessThan(5)
  })

  it("V25-STDIO-06 copies four times as much for four times the line, byte by byte", () => {
    const [small, large] = [mebibyte / 4, mebibyte].map((size) => copiesFor(size, 1))
    expect(large! / small!).toBeLessThan(5)
  })
})
