import { describe, expect, it } from "vitest"
import { decodeLog, readLog } from "../../src/index.js"
import { fixture, messages } from "./fixture.js"

const utf16 = (text: string, littleEndian: boolean, mark: boolean): Uint8Array => {
  const units = [...(mark ? "\ufeff" : ""), ...text].map((unit) => unit.charCodeAt(0))
  const bytes = new DataView(new ArrayBuffer(units.length * 2))
  units.forEach((unit, at) => bytes.setUint16(at * 2, unit, littleEndian))
  return new Uint8Array(bytes.buffer)
}

describe("the bytes of a log", () => {
  const text = fixture("json-rpc-marked.log")
  const expected = readLog(text).events

  for (const littleEndian of [true, false]) {
    for (const mark of [true, false]) {
      it(`UTF-16 ${littleEndian ? "LE" : "BE"} ${mark ? "with" : "without"} a mark is decoded`, () => {
        expect(readLog(decodeLog(utf16(text, littleEndian, mark))).events).toEqual(expected)
      })
    }
  }

  it("UTF-8 is what it is, with a mark or without", () => {
    const bytes = new TextEncoder().encode(`\ufeff${text}`)
    expect(decodeLog(bytes)).toBe(text)
    expect(decodeLog(bytes.subarray(3))).toBe(text)
  })

  it("UTF-16 that somebody read as UTF-8 can still be read", () => {
    const wrong = new TextDecoder().decode(utf16(text, true, true))
    expect(messages(readLog(wrong))).toEqual(messages(readLog(text)))
  })

  it("bytes that are no text throw nothing", () => {
    expect(readLog(decodeLog(Uint8Array.of(0xff, 0, 0xc0, 0x80))).format).toBe("unknown")
    expect(decodeLog(new Uint8Array())).toBe("")
  })
})
