import { describe, expect, it } from "vitest"
import { readLog } from "../../src/index.js"
import { codes, fixture, messages, others, readFixture } from "./fixture.js"

const outcomes = (name: string) =>
  readFixture(name).events.flatMap((event) => (event.type === "outcome" ? [event.outcome] : []))

describe("HAR files", () => {
  it("a healthy one is what a recording would be, in the order of time and without what is not MCP", () => {
    const reading = readFixture("har-healthy.har")
    expect(reading).toMatchObject({
      format: "har",
      servers: ["https://mcp.example.com/mcp"],
      problems: [],
    })
    expect(messages(reading)).toEqual([
      "> initialize",
      "< =0",
      "> notifications/initialized",
      "> tools/list",
      "< notifications/message",
      "< =1",
    ])
    expect(others(reading)).toEqual([
      "OPTIONS 204",
      "POST 200",
      "POST 202",
      "GET 405",
      "POST 200",
      "DELETE 200",
    ])
    expect(outcomes("har-healthy.har")).toEqual([
      { _tag: "Ended", status: 200, messages: 1, streamed: false },
      { _tag: "Ended", status: 202, messages: 0, streamed: false },
      { _tag: "Ended", status: 200, messages: 2, streamed: true },
    ])
    const times = reading.events.map(({ at }) => at)
    expect(times).toEqual(times.toSorted((one, other) => one - other))
  })

  it("C023 the headers that a browser may read, and those of the preflight, are kept", () => {
    const { events } = readFixture("har-healthy.har")
    expect(events).toContainEqual(
      expect.objectContaining({
        method: "OPTIONS",
        status: 204,
        headers: expect.objectContaining({ "access-control-expose-headers": "Mcp-Session-Id" }),
      }),
    )
  })

  it("V25-HTTP-29 session ids are numbered: a lost one can be told from the one that was given", () => {
    const { events } = readFixture("har-session-lost.har")
    const ids = events.flatMap((event) =>
      event.type === "http" && "mcp-session-id" in event.headers
        ? [event.headers["mcp-session-id"]]
        : [],
    )
    expect(ids).toEqual(["‹redacted 1›", "‹redacted 2›"])
  })

  it("refusals keep status, headers and body; a request that a browser blocked has no answer", () => {
    const [, refused, failed] = outcomes("har-session-lost.har")
    expect(refused).toMatchObject({
      _tag: "Rejected",
      rejection: { status: 404, json: { error: { message: "Session not found" } } },
    })
    expect(failed).toMatchObject({ _tag: "Failed", error: { _tag: "Unreachable" } })
    expect(others(readFixture("har-session-lost.har"))).toEqual([
      "POST 200",
      "POST 404",
      "error unreachable",
      "GET 404",
    ])
  })

  it("bodies in Base64 are read; one that is not there, or is a web page, is told", () => {
    const reading = readFixture("har-base64.har")
    expect(JSON.stringify(reading.events)).toContain("öffnen")
    expect(codes(reading)).toEqual(["incomplete-bodies"])
    expect(others(reading)).toContain(
      "note log-cut: in: the answer to prompts/list, id 2; the log has no body",
    )
    expect(others(reading)).toContain("unreadable")
  })

  it("V25-SSE-02 the old transport is one conversation: what goes to the endpoint is answered on the stream", () => {
    const reading = readFixture("har-old-transport.har")
    expect(reading.servers).toEqual(["http://localhost:3001/sse"])
    expect(messages(reading)).toEqual([
      "> initialize",
      "> notifications/initialized",
      "> tools/list",
      "< =0",
      "< =1",
    ])
    expect(outcomes("har-old-transport.har")).toEqual(
      Array.from({ length: 3 }, () => ({ _tag: "Written" })),
    )
  })

  it("a file that breaks off is read as far as it goes", () => {
    const whole = fixture("har-healthy.har")
    const reading = readLog(whole.slice(0, whole.lastIndexOf("notifications/message")))
    expect(codes(reading)).toContain("log-cut")
    expect(messages(reading)).toEqual(["> initialize", "< =0", "> notifications/initialized"])
  })

  it("messages on a WebSocket have times of their own", () => {
    const frame = (type: string, time: number, message: object) => ({
      type,
      time,
      opcode: 1,
      data: JSON.stringify({ jsonrpc: "2.0", ...message }),
    })
    const entry = {
      startedDateTime: "2026-10-12T08:30:00.000Z",
      time: 1,
      request: { method: "GET", url: "wss://mcp.example.com/ws?token=abcSECRET123", headers: [] },
      response: { status: 101, headers: [], content: {} },
      _webSocketMessages: [
        frame("send", 1_791_793_801.5, { id: 1, method: "ping" }),
        frame("receive", 1_791_793_801.75, { id: 1, result: {} }),
      ],
    }
    const reading = readLog(JSON.stringify({ log: { version: "1.2", entries: [entry] } }))
    expect(messages(reading)).toEqual(["> ping", "< =1"])
    expect(reading.events.map(({ at }) => at)).toEqual([1_791_793_801_500, 1_791_793_801_750])
    expect(JSON.stringify(reading)).not.toContain("SECRET")
  })
})
