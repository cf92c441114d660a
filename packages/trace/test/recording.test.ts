import { describe, expect, it } from "vitest"
import {
  encodeEvent,
  isStandIn,
  redacted,
  redactEvent,
  redactHeaders,
  redactMessage,
  StandIns,
  TraceDecoder,
  traceHeader,
  type TraceEvent,
} from "@entente/trace"

const stamp = { seq: 0, at: 0 }
const read = (...lines: ReadonlyArray<string>) => {
  const decoder = new TraceDecoder()
  return [...decoder.push([traceHeader, ...lines, ""].join("\n")), ...decoder.end()]
}

const recorded: ReadonlyArray<TraceEvent> = [
  {
    ...stamp,
    type: "channel",
    channel: 1,
    event: "opened",
    transport: "stdio",
    target: "x",
    exchanges: "shared",
  },
  { ...stamp, type: "frame", direction: "out", message: {}, exchange: 0, channel: 1, send: 1 },
  {
    ...stamp,
    type: "frame",
    direction: "in",
    message: {},
    exchange: 1,
    channel: 1,
    headers: { a: "b" },
  },
  { ...stamp, type: "outcome", channel: 1, send: 1, outcome: { _tag: "Written" } },
  { ...stamp, type: "unreadable", channel: 1, exchange: 0, error: { _tag: "ProtocolViolation" } },
  { ...stamp, type: "note", code: "stdout-noise", detail: "hi", channel: 1 },
  { ...stamp, type: "ask", channel: 1, what: "endSession", outcome: { value: 200 } },
  { ...stamp, type: "experiment", name: "other-era" },
  { ...stamp, type: "stream", channel: 1, send: 2, exchange: 4, event: "asked" },
  { ...stamp, type: "stream", channel: 1, send: 2, exchange: 4, event: "ended", end: {} },
  {
    ...stamp,
    type: "channel",
    channel: 1,
    event: "closed",
    transport: "stdio",
    target: "x",
    error: {},
  },
]

describe("events of a recording", () => {
  it("are read back as they were written", () => {
    for (const event of recorded) {
      expect(read(encodeEvent(event))).toEqual([{ kind: "event", line: 2, event }])
    }
  })

  it("older traces are read as before", () => {
    const old = '{"type":"frame","direction":"in","message":{"id":1},"exchange":3,"seq":0,"at":5}'
    expect(read(old)).toMatchObject([{ kind: "event", event: { type: "frame", exchange: 3 } }])
  })

  it.each([
    [{ type: "channel", channel: 1, event: "lost", transport: "x", target: "x" }, "event"],
    [{ type: "channel", channel: "1", event: "opened", transport: "x", target: "x" }, "channel"],
    [{ type: "outcome", channel: 1, outcome: {} }, "send"],
    [{ type: "unreadable", channel: 1, exchange: 1 }, "error"],
    [{ type: "ask", channel: 1, outcome: {} }, "what"],
    [{ type: "frame", direction: "in", message: {}, headers: { a: 1 } }, "headers"],
  ])("that are no such events are problems: %j", (event, member) => {
    expect(read(JSON.stringify({ ...stamp, ...event }))).toMatchObject([
      { kind: "problem", code: "invalid-event", detail: expect.stringContaining(`"${member}"`) },
    ])
  })

  it("lose their secrets: in headers, errors and refusals", () => {
    const secret = "s3cr3t-s3cr3t"
    const hidden = (event: TraceEvent) => JSON.stringify(redactEvent(event))
    const headers = { "mcp-session-id": secret, "x-api-key": secret, "retry-after": "3" }
    const rejection = { status: 401, headers, text: `token=${secret}`, json: { password: secret } }
    const dropped = { _tag: "Dropped", position: { headers } }
    const events: ReadonlyArray<TraceEvent> = [
      { ...stamp, type: "frame", direction: "in", message: {}, channel: 1, headers },
      { ...stamp, type: "outcome", channel: 1, send: 1, outcome: { _tag: "Rejected", rejection } },
      {
        ...stamp,
        type: "outcome",
        channel: 1,
        send: 1,
        outcome: { _tag: "Ended", position: { headers } },
      },
      {
        ...stamp,
        type: "unreadable",
        channel: 1,
        exchange: 1,
        error: { message: `Bearer ${secret}` },
      },
      {
        ...stamp,
        type: "ask",
        channel: 1,
        what: "x",
        outcome: { error: { cause: `api_key=${secret}` } },
      },
      {
        ...stamp,
        type: "channel",
        channel: 1,
        event: "failed",
        transport: "x",
        target: `https://x/?token=${secret}`,
        error: { message: `token=${secret}` },
      },
    ]
    const ended = { type: "stream", channel: 1, send: 1, exchange: 1, event: "ended" } as const
    for (const event of [...events, { ...stamp, ...ended, end: dropped }]) {
      expect(hidden(event)).toContain(redacted)
      expect(hidden(event)).not.toContain(secret)
    }
    expect(hidden(events[1]!)).toContain('"retry-after":"3"')
    for (const event of recorded) expect(redactEvent(event)).toBe(event)
  })
})

describe("stand-ins", () => {
  it("are the same for the same secret, and no redaction takes them away", () => {
    const standIns = new StandIns()
    const [one, two] = [standIns.of("a"), standIns.of("b")]
    expect([one, two, standIns.of("a")]).toEqual(["‹redacted 1›", "‹redacted 2›", "‹redacted 1›"])
    expect(redactMessage({ requestState: one, cursor: two })).toEqual({
      requestState: one,
      cursor: two,
    })
    expect(redactHeaders({ "mcp-session-id": one })).toEqual({ "mcp-session-id": one })
  })

  it("are whole texts of their form, and nothing else is let through with them", () => {
    for (const text of [
      "‹redacted 1› abc",
      "x‹redacted 1›",
      "‹redacted 1234567›",
      "‹redacted a›",
      redacted,
    ]) {
      expect(isStandIn(text)).toBe(false)
      expect(redactMessage({ password: text })).toEqual({ password: redacted })
    }
  })

  it("forget what was not seen for long, so that their memory is bounded", () => {
    const standIns = new StandIns()
    const first = standIns.of("first")
    for (let secret = 0; secret < 10_000; secret++) standIns.of(`secret ${secret}`)
    expect(standIns.of("first")).not.toBe(first)
  })
})
