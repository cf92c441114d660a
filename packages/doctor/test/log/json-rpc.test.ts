import { describe, expect, it } from "vitest"
import { readLog } from "../../src/index.js"
import { codes, messages, others, readFixture } from "./fixture.js"

const healthy = ["> initialize", "< =0", "> notifications/initialized", "> tools/list", "< =1"]
const line = (message: object): string => JSON.stringify({ jsonrpc: "2.0", ...message })

describe("lines with JSON-RPC", () => {
  it("arrows say which way a message went, also a ping that both sides may send", () => {
    const reading = readFixture("json-rpc-marked.log")
    expect(reading).toMatchObject({ format: "json-rpc", problems: [] })
    expect(messages(reading)).toEqual([...healthy, "< ping", "> =7"])
    expect(reading.events[0]?.at).toBe(Date.UTC(2026, 9, 12, 6, 30, 1, 100))
  })

  it("messages that were printed over many lines are read", () => {
    const reading = readFixture("json-rpc-pretty.txt")
    expect(messages(reading)).toEqual([
      "> initialize",
      "< =1",
      "> notifications/initialized",
      "> tools/list",
      "< !2",
    ])
  })

  it("the log of a server is told by what it received, and turned around", () => {
    const reading = readFixture("json-rpc-server-side.log")
    expect(messages(reading)).toEqual([
      "> initialize",
      "< =0",
      "> notifications/initialized",
      "> ping",
      "< =5",
    ])
    expect(codes(reading)).toEqual(["server-side"])
  })

  it("messages are found in the objects that loggers write, as values and as texts", () => {
    const reading = readFixture("json-rpc-wrapped.jsonl")
    expect(messages(reading)).toEqual(healthy)
    expect(reading.events[4]?.at).toBe(1_791_793_801_300)
  })

  it("without any mark the messages themselves say who sent them, and a cut one is kept", () => {
    const reading = readFixture("json-rpc-bare.jsonl")
    expect(messages(reading)).toEqual([...healthy, "< roots/list", "> =1", "> tools/call"])
    expect(others(reading)).toEqual(["note log-cut: in: the answer to tools/call, id 2"])
    expect(codes(reading)).toEqual(["log-cut", "no-times"])
  })

  for (const [mark, way] of [
    ["client -> server: ", ">"],
    ["[server -> client] ", "<"],
    ["server<-client ", ">"],
    [">>> ", ">"],
    ["<<< ", "<"],
    ["SEND ", ">"],
    ["RECV: ", "<"],
    ["→ ", ">"],
    ["Message from server: ", "<"],
    ["stdin: ", ">"],
    ["[OUT] ", ">"],
  ] as const) {
    it(`the mark ${JSON.stringify(mark.trim())} is understood`, () => {
      const [into, back] = way === ">" ? [mark, ""] : ["", mark]
      const reading = readLog(
        [
          `${into}${line({ id: 1, method: "initialize" })}`,
          `${mark}${line({ id: 2, method: "ping" })}`,
          `${back}${line({ id: 9, method: "roots/list" })}`,
        ].join("\n"),
      )
      expect(messages(reading)).toContain(`${way} ping`)
    })
  }

  it("colours, marks of byte order and ends of lines do not matter", () => {
    const text = `\ufeff\u001b[32m12:00:01\u001b[0m ${line({ id: 1, method: "ping" })}\r\n`
    expect(messages(readLog(text))).toEqual(["> ping"])
    expect(readLog(text).events[0]?.at).toBe(12 * 3_600_000 + 1_000)
  })

  it("the time of the day goes on past midnight", () => {
    const text = ["23:59:59.500", "00:00:01.500"]
      .map((time, id) => `${time} ${line({ id, method: "ping" })}`)
      .join("\n")
    const [first, second] = readLog(text).events
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBe(2_000)
  })

  it("what a logger wrote twice counts once; what was sent twice under other ids does not", () => {
    const ping = (id: number) => line({ id, method: "ping" })
    expect(messages(readLog([ping(1), ping(1), ping(2)].join("\n")))).toEqual(["> ping", "> ping"])
    const progress = line({
      method: "notifications/progress",
      params: { progressToken: 1, progress: 1 },
    })
    expect(messages(readLog([progress, progress].join("\n")))).toHaveLength(2)
  })

  it("an array of messages, as somebody collected it, is as good as lines", () => {
    const collected = [
      { jsonrpc: "2.0", id: 1, method: "tools/list" },
      { direction: "in", message: { jsonrpc: "2.0", id: 1, result: { tools: [] } } },
    ]
    expect(messages(readLog(JSON.stringify(collected, undefined, 2)))).toEqual([
      "> tools/list",
      "< =1",
    ])
  })

  it("a line that looks like a message and is none is told", () => {
    const text = `${line({ id: 1, method: "ping" })}\n{ "jsonrpc": '2.0', "id": 2 }`
    expect(codes(readLog(text))).toEqual(["not-json", "no-times"])
  })

  it("another text is not taken for a log", () => {
    expect(readFixture("other-text.txt")).toMatchObject({
      format: "unknown",
      events: [],
      servers: [],
      problems: [{ line: 0, code: "not-recognised" }],
    })
  })
})
