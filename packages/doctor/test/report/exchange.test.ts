import { describe, expect, it } from "vitest"
import { exchangeAround, exchangeText } from "@entente/doctor"
import { traceHeader, TraceDecoder, type TraceEvent } from "@entente/trace"

type Loose = Readonly<Record<string, unknown>>

/** Events as a file has them, so that what a test says is checked as a file is. */
const trace = (...events: ReadonlyArray<Loose>): ReadonlyArray<TraceEvent> => {
  const lines = events.map((event, seq) => JSON.stringify({ seq, at: 1_000 + seq * 10, ...event }))
  const decoder = new TraceDecoder()
  const read = [...decoder.push(`${[traceHeader, ...lines].join("\n")}\n`), ...decoder.end()]
  return read.map((line) => {
    if (line.kind !== "event") throw new Error(JSON.stringify(line))
    return line.event
  })
}

const out = (message: Loose): Loose => ({ type: "frame", direction: "out", message })
const back = (message: Loose): Loose => ({ type: "frame", direction: "in", message })
const step = { type: "transition", chart: "connection", event: "e", from: "a", to: "b" }

const asked = (id: number, method: string, params?: Loose): Loose =>
  out({ jsonrpc: "2.0", id, method, ...(params === undefined ? {} : { params }) })

const lines = (...given: Parameters<typeof exchangeAround>): ReadonlyArray<string> =>
  exchangeText(exchangeAround(...given), { width: 76 })

describe("exchangeAround", () => {
  it("shows what was said around the evidence, and counts what is left out", () => {
    const events = trace(
      asked(1, "initialize", { protocolVersion: "2025-11-25" }),
      step,
      back({ jsonrpc: "2.0", id: 1, result: { protocolVersion: "2025-06-18", capabilities: {} } }),
      out({ jsonrpc: "2.0", method: "notifications/initialized" }),
      step,
      asked(2, "tools/list"),
      back({ jsonrpc: "2.0", id: 2, result: { tools: [{}, {}], nextCursor: "two" } }),
      asked(3, "tools/list", { cursor: "two" }),
      back({ jsonrpc: "2.0", id: 3, error: { code: -32602, message: "no such cursor" } }),
      asked(4, "prompts/list"),
      back({ jsonrpc: "2.0", id: 4, result: { prompts: [{}] } }),
      asked(5, "ping"),
      back({ jsonrpc: "2.0", id: 5, result: {} }),
    )
    const evidence = [
      { frame: 8, excerpt: '{"code":-32602,"message":"no such cursor"}', marked: '"code":-32602' },
    ]
    expect(lines(events, evidence)).toMatchInlineSnapshot(`
      [
        "               … 3 more lines",
        "   5   +50 ms  → tools/list",
        "   6   +60 ms  ← tools/list: 2 tools, and a next page",
        "   7   +70 ms  → tools/list, cursor "two"",
        "▶  8   +80 ms  ← tools/list: error -32602 no such cursor",
        "                 {"code":-32602,"message":"no such cursor"}",
        "                  ^^^^^^^^^^^^^",
        "   9   +90 ms  → prompts/list",
        "  10  +100 ms  ← prompts/list: 1 prompt",
        "               … 2 more lines",
      ]
    `)
  })

  it("shows evidence that is no message, and other pieces with less around them", () => {
    const head = { type: "http", exchange: 1, method: "POST", url: "http://h/mcp" }
    const events = trace(
      { ...head, headers: { accept: "*/*" } },
      { ...asked(1, "tools/list"), exchange: 1, channel: 1, send: 1 },
      { ...head, status: 200, headers: { "x-a": "b" } },
      { ...back({ jsonrpc: "2.0", id: 1, result: { tools: [] } }), exchange: 1 },
      { type: "experiment", name: "again" },
      { ...asked(1, "tools/list"), exchange: 1, channel: 1, send: 1 },
      {
        type: "outcome",
        channel: 1,
        send: 1,
        outcome: { _tag: "Rejected", rejection: { status: 401, json: { error: { code: -1 } } } },
      },
      { type: "process", event: "exited", detail: "exit code 1" },
    )
    const evidence = [
      { frame: 2, excerpt: "HTTP 200 x-a: b" },
      { frame: 6, excerpt: '"status":401', marked: "401" },
    ]
    expect(lines(events, evidence, { before: 1, after: 0 })).toMatchInlineSnapshot(`
      [
        "  1  +10 ms  → tools/list",
        "▶ 2  +20 ms  ← tools/list: HTTP 200",
        "               HTTP 200 x-a: b",
        "             … 2 more lines",
        "  5  +50 ms  → tools/list",
        "▶ 6  +60 ms  ← tools/list: HTTP 401, error -1",
        "               "status":401",
        "                        ^^^",
        "  7  +70 ms  · process exited: exit code 1",
      ]
    `)
  })

  it("tells an answer with the method of its own request, for both sides", () => {
    const events = trace(
      asked(1, "tools/list"),
      back({ jsonrpc: "2.0", id: 1, method: "roots/list" }),
      out({ jsonrpc: "2.0", id: 1, result: { roots: [] } }),
      back({ jsonrpc: "2.0", id: 1, result: { tools: [] } }),
      back({ jsonrpc: "2.0", id: 9, result: {} }),
      back({ jsonrpc: "2.0", id: null, error: { code: -32700 } }),
    )
    const texts = exchangeAround(events, [{ frame: 2, excerpt: "" }], { after: 9 }).map((item) =>
      item.kind === "line" ? `${item.arrow} ${item.summary}` : item.lines,
    )
    expect(texts).toEqual([
      "→ tools/list",
      "← roots/list",
      "→ roots/list: a result",
      "← tools/list: 0 tools",
      "← answer to 9: a result",
      "← answer to null: error -32700",
    ])
  })

  it("is empty without evidence in the trace", () => {
    expect(exchangeAround([], [{ frame: 0, excerpt: "x" }])).toEqual([])
    expect(exchangeAround(trace(step), [])).toEqual([])
    expect(exchangeAround(trace(step), [{ frame: -1, excerpt: "" }])).toEqual([])
  })

  it("survives whatever a server says", () => {
    let deep: unknown = "x"
    for (let depth = 0; depth < 20_000; depth++) deep = [deep]
    const events: ReadonlyArray<TraceEvent> = [
      null,
      [],
      [1, null],
      { id: deep, method: "x", params: { cursor: deep } },
      { id: deep, error: deep },
      { id: 1, result: { tools: deep, capabilities: deep } },
      { __proto__: null, constructor: 1 },
    ].map((message, seq) => ({ type: "frame", seq, at: Number.NaN, direction: "in", message }))
    const evidence = events.map((_, frame) => ({ frame, excerpt: "", marked: "x" }))
    expect(() => lines(events, evidence, { most: 99 })).not.toThrow()
  })
})

describe("exchangeText", () => {
  const events = trace(asked(1, "tools/list"), back({ jsonrpc: "2.0", id: 1, result: {} }))
  const excerpt = `{"before":"${"b".repeat(100)}","wrong":1,"after":"${"a".repeat(100)}"}`
  const items = exchangeAround(events, [{ frame: 1, excerpt, marked: '"wrong":1' }])

  it.each([20, 30, 44, 80, 120, Infinity])("shows what differs in %d columns", (width) => {
    const text = exchangeText(items, { width })
    expect(text.join("\n")).toContain('"wrong":1'.slice(0, 8))
    const widest = Math.max(...text.map((line) => line.length))
    // Narrower than that, nothing could be read.
    expect(widest).toBeLessThanOrEqual(Math.max(width, 30))
    // The carets stand below it.
    const [shown = "", carets = ""] = text.slice(-2)
    expect(shown.slice(carets.indexOf("^"), carets.lastIndexOf("^") + 1)).toMatch(/^"wrong":/)
  })

  it("sets it off by other means where there are some", () => {
    const text = exchangeText(items, { width: 80, marked: (part) => `<${part}>` })
    expect(text.at(-1)).toContain('<"wrong":1>')
    expect(text.join("")).not.toContain("^")
  })
})
