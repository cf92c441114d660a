import { describe, expect, it } from "vitest"
import { traceHeader, encodeEvent } from "@entente/trace"
import { readLog } from "../../src/index.js"
import { codes, messages, readFixture } from "./fixture.js"

describe("traces of our own", () => {
  it("come back as they are", () => {
    const reading = readFixture("trace-healthy.jsonl")
    expect(reading).toMatchObject({ format: "entente-trace", problems: [], servers: [] })
    const text = [traceHeader, ...reading.events.map(encodeEvent), ""].join("\n")
    expect(readLog(text).events).toEqual(reading.events)
  })

  it("of several recordings in a file the last one counts", () => {
    const reading = readFixture("trace-appended.jsonl")
    expect(JSON.stringify(reading.events)).not.toContain('"first"')
    expect(JSON.stringify(reading.events)).toContain('"second"')
    expect(codes(reading)).toEqual(["earlier-recordings"])
  })

  it("what is damaged is told with its line, and the rest is read", () => {
    const reading = readFixture("trace-damaged.jsonl")
    expect(messages(reading)).toEqual(["> initialize", "< =0"])
    expect(reading.problems.map(({ line, code }) => [line, code])).toEqual([
      [3, "not-json"],
      [4, "unknown-event"],
      [5, "gap"],
      [6, "truncated"],
    ])
  })

  it("a header inside a message begins no recording", () => {
    const message = { format: "entente-trace", version: 1 }
    const event = { seq: 0, at: 1, type: "frame", direction: "in", message } as const
    const reading = readLog([traceHeader, encodeEvent(event)].join("\n"))
    expect(reading.events).toHaveLength(1)
    expect(reading.problems).toEqual([])
  })
})
