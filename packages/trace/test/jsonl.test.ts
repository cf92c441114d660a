import { describe, expect, it } from "vitest"
import {
  encodeEvent,
  TraceDecoder,
  type TraceEvent,
  traceHeader,
  type TraceLine,
} from "../src/index.js"

const stamp = (seq: number) => ({ seq, at: 1_700_000_000_000 + seq })

/** One event of each type, with text that is hard to put on one line. */
const events: ReadonlyArray<TraceEvent> = [
  {
    ...stamp(0),
    type: "frame",
    direction: "out",
    message: { a: "line\nline\r\u2028é\u{1f600}\u0000" },
  },
  { ...stamp(1), type: "frame", direction: "in", message: null, exchange: 3 },
  {
    ...stamp(2),
    type: "http",
    exchange: 3,
    method: "POST",
    url: "https://h/mcp",
    headers: { a: "b" },
  },
  { ...stamp(3), type: "http", exchange: 3, method: "POST", url: "/", status: 200, headers: {} },
  { ...stamp(4), type: "process", event: "stderr", detail: "oops" },
  { ...stamp(5), type: "transition", chart: "c", event: "e", from: "a", to: "b" },
  { ...stamp(6), type: "note", code: "late-reply", detail: "id 7" },
  { ...stamp(7), type: "error", code: "lost", stage: "request", message: "gone" },
]

const decode = (...texts: ReadonlyArray<string>): ReadonlyArray<TraceLine> => {
  const decoder = new TraceDecoder()
  return [...texts.flatMap((text) => decoder.push(text)), ...decoder.end()]
}

const file = (...lines: ReadonlyArray<string>): string => `${[traceHeader, ...lines].join("\n")}\n`
const note = (seq: number, more: object = {}) =>
  JSON.stringify({ type: "note", code: "c", detail: "d", ...stamp(seq), ...more })

/** The problems of a trace, as "line code: detail". */
const problems = (lines: ReadonlyArray<TraceLine>): ReadonlyArray<string> =>
  lines.flatMap((line) =>
    line.kind === "problem" ? [`${line.line} ${line.code}: ${line.detail}`] : [],
  )

describe("a trace as lines", () => {
  it("gives back every event as it was, wherever the text is cut", () => {
    const text = file(...events.map(encodeEvent))
    const expected = events.map((event, index) => ({ kind: "event", line: index + 2, event }))
    for (let at = 0; at <= text.length; at++) {
      expect(decode(text.slice(0, at), text.slice(at))).toEqual(expected)
    }
    expect(decode(...text)).toEqual(expected)
  }, 60_000)

  it("puts each event on one line", () => {
    for (const event of events) expect(encodeEvent(event)).not.toMatch(/[\n\r]/)
  })

  it("keeps types and members it does not know", () => {
    const text = file(
      JSON.stringify({ type: "metric", ...stamp(0), value: { deep: [1] } }),
      note(1, { since: "v9" }),
    )
    expect(decode(text)).toEqual([
      { kind: "unknown", line: 2, event: { type: "metric", ...stamp(0), value: { deep: [1] } } },
      {
        kind: "event",
        line: 3,
        event: { type: "note", code: "c", detail: "d", since: "v9", ...stamp(1) },
      },
    ])
  })

  it("reports bad lines with their numbers, and reads on", () => {
    const lines = decode(file("not json", note(0), "[1]", "", '{"type":7}', note(1)))
    expect(problems(lines)).toEqual([
      "2 not-json: the line is not JSON",
      "4 invalid-event: not an object",
      '6 invalid-event: "type" must be a string',
    ])
    expect(lines.filter((line) => line.kind === "event").map((line) => line.line)).toEqual([3, 7])
  })

  for (const [event, reason] of [
    [{ seq: "1" }, '"seq" must be a number'],
    [{ at: null }, '"at" must be a number'],
    [{ detail: 7 }, '"detail" must be a string'],
    [{ type: "frame", direction: "up", message: 1 }, '"direction" must be one of out, in'],
    [{ type: "frame", direction: "in" }, '"message" must be present'],
    [
      { type: "frame", direction: "in", message: 1, exchange: "x" },
      '"exchange" must be absent or a number',
    ],
    [
      { type: "http", exchange: 1, method: "GET", url: "/", headers: { a: 1 } },
      '"headers" must be an object of strings',
    ],
    [
      { type: "process", event: "born" },
      '"event" must be one of spawned, stderr, noise, exited, signalled',
    ],
    [{ type: "transition", chart: "c", event: "e", from: "a" }, '"to" must be a string'],
    [{ type: "error", stage: "open" }, '"message" must be a string'],
    [{ type: "metric", seq: undefined }, '"seq" must be a number'],
  ] as const) {
    it(`refuses an event where ${reason}`, () => {
      expect(problems(decode(file(note(0, event))))).toEqual([`2 invalid-event: ${reason}`])
    })
  }

  it("does not take inherited members for its own", () => {
    const line = '{"type":"note","seq":0,"at":0,"detail":"d","__proto__":{"code":"c"}}'
    expect(problems(decode(file(line)))).toEqual(['2 invalid-event: "code" must be a string'])
    expect(decode(file('{"type":"toString","seq":0,"at":0}'))).toMatchObject([{ kind: "unknown" }])
  })

  it("reports a last line that breaks off, and takes one that only lacks its line feed", () => {
    const text = file(note(0), note(1))
    expect(problems(decode(text.slice(0, -10)))).toEqual(["3 truncated: the last line breaks off"])
    expect(decode(text.slice(0, -1))).toHaveLength(2)
    expect(problems(decode(text.slice(0, -1)))).toEqual([])
  })

  it("reports a missing header, and a newer version, and reads all the same", () => {
    expect(decode(`\n${note(0)}\n`)).toMatchObject([
      { kind: "problem", line: 2, code: "no-header" },
      { kind: "event", line: 2 },
    ])
    const newer = JSON.stringify({ format: "entente-trace", version: 2 })
    expect(decode(`${newer}\n${note(0)}\n`)).toMatchObject([
      { kind: "problem", line: 1, code: "newer-version" },
      { kind: "event" },
    ])
    expect(decode("")).toEqual([])
  })

  it("reports a gap, and starts counting anew after a header", () => {
    const lines = decode(file(note(5), note(6), note(9), traceHeader, note(20), note(21)))
    expect(problems(lines)).toEqual(["4 gap: events 7 to 8 are missing"])
    expect(lines.filter((line) => line.kind === "event")).toHaveLength(5)
  })

  it("skips a line that is too long to keep, and counts on", () => {
    const decoder = new TraceDecoder()
    const piece = "x".repeat(16 * 1024 * 1024)
    const found = [...decoder.push(`${traceHeader}\n`)]
    for (let times = 0; times < 6; times++) found.push(...decoder.push(piece))
    found.push(...decoder.push(`\n${note(0)}\n`), ...decoder.end())
    expect(found).toMatchObject([
      { kind: "problem", line: 2, code: "too-long" },
      { kind: "event", line: 3 },
    ])
  }, 60_000)

  it("reads lines that end as on other systems", () => {
    expect(decode(file(note(0), note(1)).replaceAll("\n", "\r\n"))).toHaveLength(2)
  })
})
