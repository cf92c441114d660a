import { describe, expect, it } from "vitest"
import { readText, type Arrival } from "../src/arrival.js"
import { isAboutHttp, matches } from "../src/match.js"
import { isMirrored } from "../src/mirrored-headers.js"
import { fill } from "../src/placeholder.js"
import type { Match } from "../src/script.js"
import { call } from "./raw-clients.js"

const said = (message: unknown, rest: Partial<Arrival> = {}): Arrival => ({
  at: 0,
  place: 1,
  ...readText(JSON.stringify(message)),
  ...rest,
})

const overHttp = (headers: Record<string, string>, message: unknown = call(1, "ping")): Arrival =>
  said(message, { httpMethod: "POST", path: "/mcp?x=1", headers })

describe("what is said", () => {
  it.each([
    [call(0, "ping"), "request"],
    [{ jsonrpc: "2.0", method: "x" }, "notification"],
    [{ jsonrpc: "2.0", id: 1, result: {} }, "response"],
    [{ jsonrpc: "2.0", id: 1, error: { code: 1, message: "" } }, "response"],
    [[call(1, "ping")], "batch"],
    [{ hello: "world" }, "invalid"],
  ])("%j is sorted as %s", (message, kind) => {
    expect(readText(JSON.stringify(message))).toEqual({ kind, message })
  })

  it("keeps text that is no JSON", () => {
    expect(readText("hello")).toEqual({ kind: "invalid", text: "hello" })
  })
})

describe("conditions", () => {
  const cases: ReadonlyArray<readonly [string, Match, Arrival, boolean]> = [
    ["none", {}, said(call(1, "ping")), true],
    ["none, for what is not said", {}, said(undefined, { kind: "open" }), false],
    ["kind open", { kind: "open" }, said(undefined, { kind: "open" }), true],
    ["kind", { kind: "notification" }, said(call(1, "ping")), false],
    ["method", { method: "ping" }, said(call(1, "ping")), true],
    ["another method", { method: "pong" }, said(call(1, "ping")), false],
    ["params", { params: { a: 1 } }, said(call(1, "x", { a: 1, b: 2 })), true],
    ["params that differ", { params: { a: 1 } }, said(call(1, "x", { a: 2 })), false],
    ["signal", { kind: "signal", signal: "SIGINT" }, said(0, { kind: "signal" }), false],
    ["HTTP without HTTP", { httpMethod: "POST" }, said(call(1, "ping")), false],
    ["an absent header without HTTP", { headers: { a: null } }, said(call(1, "ping")), false],
    ["HTTP method", { httpMethod: "POST" }, overHttp({}), true],
    ["another HTTP method", { httpMethod: "GET" }, overHttp({}), false],
    ["path", { path: "/mcp" }, overHttp({}), true],
    ["path with query", { path: "/mcp?x=1" }, overHttp({}), true],
    ["another path", { path: "/other" }, overHttp({}), false],
    [
      "a header",
      { headers: { "Mcp-Session-Id": "S1" } },
      overHttp({ "mcp-session-id": "S1" }),
      true,
    ],
    ["a header that differs", { headers: { a: "1" } }, overHttp({ a: "2" }), false],
    ["a header that is there", { headers: { a: true } }, overHttp({ a: "" }), true],
    ["a header that is not there", { headers: { a: true } }, overHttp({}), false],
    ["an absent header", { headers: { a: null } }, overHttp({}), true],
    ["an absent header that is there", { headers: { a: null } }, overHttp({ a: "1" }), false],
    ["an operator", { headers: { a: { $noneOf: ["1"] } } }, overHttp({ a: "2" }), true],
  ]
  it.each(cases)("%s", (_, when, arrival, expected) => {
    expect(matches(when, arrival, "/mcp")).toBe(expected)
  })

  it("without a path are about the endpoint", () => {
    expect(matches({}, overHttp({}), "/mcp")).toBe(true)
    expect(matches({}, overHttp({}), "/elsewhere")).toBe(false)
  })
})

describe("mirrored headers", () => {
  const version = "2026-07-28"
  const params = { _meta: { "io.modelcontextprotocol/protocolVersion": version } }
  const headers = { "mcp-protocol-version": version, "mcp-method": "tools/call", "mcp-name": "add" }
  const add = call(1, "tools/call", { ...params, name: "add" })

  it("V26-HDR-03 repeat version, method and name", () => {
    expect(isMirrored(overHttp(headers, add))).toBe(true)
  })

  it.each(Object.keys(headers))("V26-HDR-09 do not when %s differs", (name) => {
    expect(isMirrored(overHttp({ ...headers, [name]: "other" }, add))).toBe(false)
  })

  it("V26-HDR-05 decode a name in Base64", () => {
    const greet = call(1, "tools/call", { ...params, name: "Grüße" })
    const encoded = { ...headers, "mcp-name": "=?base64?R3LDvMOfZQ==?=" }
    expect(isMirrored(overHttp(encoded, greet))).toBe(true)
    expect(isMirrored(overHttp({ ...headers, "mcp-name": "=?base64?%?=" }, greet))).toBe(false)
  })

  it("need no name where the method has none", () => {
    const { "mcp-name": _, ...rest } = headers
    const list = call(1, "tools/list", { ...params, name: "add" })
    expect(isMirrored(overHttp({ ...rest, "mcp-method": "tools/list" }, list))).toBe(true)
  })
})

describe("headers that repeat arguments", () => {
  const unrepeated = {
    "Mcp-Param-To": "/params/arguments/to",
    "Mcp-Param-N": "/params/arguments/n",
  }
  const said = (headers: Record<string, string>, args: object) =>
    matches({ unrepeated }, overHttp(headers, call(1, "tools/call", { arguments: args })), "/mcp")

  it.each<[headers: Record<string, string>, args: object]>([
    [{}, {}],
    [{}, { to: null, other: "x" }],
    [{ "mcp-param-to": "Rome" }, { to: "Rome" }],
    [{ "mcp-param-to": "" }, { to: "" }],
    [{ "mcp-param-to": "=?base64?TGnDqGdl?=" }, { to: "Liège" }],
    [
      { "mcp-param-to": "true", "mcp-param-n": "42" },
      { to: true, n: 42 },
    ],
    [{ "mcp-param-n": "42.0" }, { n: 42 }],
    [{ "mcp-param-n": "-7" }, { n: -7 }],
  ])("V26-XHDR-12 do so: %j and %j", (headers, args) => {
    expect(said(headers, args)).toBe(false)
  })

  it.each<[headers: Record<string, string>, args: object]>([
    [{}, { to: "Rome" }],
    [{}, { to: "" }],
    [{ "mcp-param-to": "Rome" }, {}],
    [{ "mcp-param-to": "null" }, { to: null }],
    [{ "mcp-param-to": "rome" }, { to: "Rome" }],
    [{ "mcp-param-to": "=?base64?%?=" }, { to: "Rome" }],
    [{ "mcp-param-to": "Rome" }, { to: "Rome", n: 1 }],
    [{ "mcp-param-n": "" }, { n: 0 }],
    [{ "mcp-param-n": "43" }, { n: 42 }],
  ])("V26-XHDR-12 do not: %j and %j", (headers, args) => {
    expect(said(headers, args)).toBe(true)
  })

  it("are a matter of HTTP alone", () => {
    expect(isAboutHttp({ unrepeated })).toBe(true)
  })
})

describe("placeholders", () => {
  const message = { id: 7, params: { "a/b": { token: 0 }, list: ["x"] } }

  it("give values with their type, at any depth", () => {
    expect(
      fill([{ id: { $from: "/id" }, deep: { x: { $from: "/params/a~1b/token" } } }], { message }),
    ).toEqual([{ id: 7, deep: { x: 0 } }])
    expect(fill({ $from: "/params/list/0" }, { message })).toBe("x")
  })

  it("give text where it is asked for", () => {
    expect(fill({ $text: "/id" }, { message })).toBe("7")
    expect(fill({ $text: "/params/list" }, { message })).toBe('["x"]')
    expect(fill({ $text: "/nothing" }, { message })).toBe("")
  })

  it("C115 give a header, read as JSON where it is JSON", () => {
    const source = { headers: { "last-event-id": "7", "x-text": "e1" } }
    expect(fill([{ $header: "Last-Event-ID" }, { $header: "x-text" }], source)).toEqual([7, "e1"])
    expect(fill({ $header: "x-none" }, source)).toBeUndefined()
  })

  it("give nothing for what is not there, not even what every object inherits", () => {
    expect(fill({ $from: "/params/none/deeper" }, { message })).toBeUndefined()
    expect(fill({ $from: "/constructor" }, { message })).toBeUndefined()
  })

  it("leave everything else as it is, hostile names included", () => {
    const hostile: unknown = JSON.parse('{"__proto__":{"x":1},"$from":1,"$text":"a"}')
    expect(JSON.stringify(fill(hostile, { message }))).toBe(JSON.stringify(hostile))
  })
})
