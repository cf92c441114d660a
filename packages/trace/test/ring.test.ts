import { describe, expect, it } from "vitest"
import { Ring, Trace, type TraceEvent } from "../src/index.js"

const note = (seq: number, detail = ""): TraceEvent => ({
  type: "note",
  seq,
  at: 0,
  code: "late-reply",
  detail,
})

const numbers = (ring: Ring): ReadonlyArray<number> => ring.events.map((event) => event.seq)

describe("a ring", () => {
  it("keeps the last events and counts the others", () => {
    const ring = new Ring({ maxEvents: 3 })
    for (let seq = 0; seq < 3; seq++) ring.read(note(seq))
    expect([numbers(ring), ring.dropped]).toEqual([[0, 1, 2], 0])
    for (let seq = 3; seq < 1_000; seq++) ring.read(note(seq))
    expect([numbers(ring), ring.dropped]).toEqual([[997, 998, 999], 997])
  })

  it("keeps no more bytes than it may", () => {
    const ring = new Ring({ maxBytes: 10_000 })
    for (let seq = 0; seq < 50; seq++) ring.read(note(seq, "x".repeat(1_000)))
    expect(numbers(ring)).toEqual([46, 47, 48, 49])
    expect(ring.dropped).toBe(46)
  })

  it("drops an event that is larger than the whole ring, and all before it", () => {
    const ring = new Ring({ maxBytes: 10_000 })
    ring.read(note(0))
    ring.read(note(1, "x".repeat(10_000)))
    expect([numbers(ring), ring.dropped]).toEqual([[], 2])
    ring.read(note(2))
    expect(numbers(ring)).toEqual([2])
  })

  it("counts what stands inside messages", () => {
    const ring = new Ring({ maxBytes: 40_000 })
    const message = { list: Array.from({ length: 100 }, () => ({ name: "x".repeat(100) })) }
    for (let seq = 0; seq < 10; seq++) {
      ring.read({ type: "frame", seq, at: 0, direction: "in", message })
    }
    expect(numbers(ring)).toEqual([9])
  })

  it("does not hang on what is no tree", () => {
    const message: { self?: unknown; both?: unknown } = {}
    message.self = message
    message.both = [message, message]
    const ring = new Ring({ maxBytes: 1e9 })
    ring.read({ type: "frame", seq: 0, at: 0, direction: "in", message })
    expect(numbers(ring)).toEqual([0])
  }, 60_000)

  it("reads a trace", () => {
    const trace = new Trace()
    const ring = new Ring()
    trace.subscribe(ring.read)
    trace.emit({ type: "note", code: "late-reply", detail: "token=abc" })
    expect(ring.events).toMatchObject([{ seq: 0, detail: "token=‹redacted›" }])
  })

  it("refuses limits that keep nothing", () => {
    for (const limits of [{ maxEvents: 0 }, { maxBytes: -1 }, { maxEvents: Number.NaN }]) {
      expect(() => new Ring(limits)).toThrow(RangeError)
    }
  })
})
