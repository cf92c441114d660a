import { describe, expect, it } from "vitest"
import {
  formatTraceparent,
  isBaggage,
  isTracestate,
  parseTraceparent,
  traceFault,
} from "../src/index.js"

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736"
const spanId = "00f067aa0ba902b7"

describe("traceparent", () => {
  it("V26-TRACE-01 is read and written in the form of W3C", () => {
    const text = `00-${traceId}-${spanId}-01`
    expect(parseTraceparent(text)).toEqual({ traceId, spanId, flags: 1 })
    expect(formatTraceparent({ traceId, spanId, flags: 1 })).toBe(text)
    expect(formatTraceparent({ traceId, spanId, flags: 0x103 })).toBe(`00-${traceId}-${spanId}-03`)
  })

  it("of a later version is read as far as it is known", () => {
    const text = `cc-${traceId}-${spanId}-01-what-comes-later`
    expect(parseTraceparent(text)).toEqual({ traceId, spanId, flags: 1 })
  })

  it.for([
    undefined,
    7,
    "",
    "nonsense",
    `ff-${traceId}-${spanId}-01`,
    `00-${traceId}-${spanId}-01-more`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    `00-${"0".repeat(32)}-${spanId}-01`,
    `00-${traceId}-${"0".repeat(16)}-01`,
    `00-${traceId.slice(1)}-${spanId}-01`,
    `00-${traceId}-${spanId}-1`,
    `cc-${traceId}-${spanId}-01-${"x".repeat(600)}`,
  ])("V26-TRACE-01 %j is none", (text) => {
    expect(parseTraceparent(text)).toBeUndefined()
  })

  it("is not written of ids that other tracers have", () => {
    expect(formatTraceparent({ traceId: "trace-1", spanId: "span-1", flags: 1 })).toBeUndefined()
    const zero = { traceId: "0".repeat(32), spanId: "0".repeat(16), flags: 0 }
    expect(formatTraceparent(zero)).toBeUndefined()
  })
})

describe("tracestate and baggage", () => {
  it.for([
    ["rojo=00f067aa0ba902b7,congo=t61rcWkgMzE", true],
    ["tenant@system=1, other=a b", true],
    ["Rojo=1", false],
    ["rojo", false],
    ["rojo=1,rojo=2", false],
    ["rojo=a=b", false],
    ["", false],
    [Array.from({ length: 33 }, (_, n) => `k${n}=1`).join(","), false],
    [`k=${"x".repeat(9_000)}`, false],
  ] as const)("V26-TRACE-01 %j is a tracestate: %j", ([text, valid]) => {
    expect(isTracestate(text)).toBe(valid)
  })

  it.for([
    ["userId=alice,serverNode=DF%2028,isProduction=false", true],
    ["key = value ; property ; other = 1", true],
    ["key=a b", false],
    ["key", false],
    ["", false],
    [Array.from({ length: 65 }, (_, n) => `k${n}=1`).join(","), false],
    [`k=${"x".repeat(9_000)}`, false],
  ] as const)("V26-TRACE-01 %j is baggage: %j", ([text, valid]) => {
    expect(isBaggage(text)).toBe(valid)
  })

  it("V26-TRACE-01 the first member of a _meta that has another form is named", () => {
    const traceparent = `00-${traceId}-${spanId}-01`
    expect(traceFault({})).toBeUndefined()
    expect(traceFault({ traceparent, tracestate: "a=1", baggage: "a=1" })).toBeUndefined()
    expect(traceFault({ traceparent: 1 })).toBe("traceparent")
    expect(traceFault({ traceparent, tracestate: "?" })).toBe("tracestate")
    expect(traceFault({ baggage: null })).toBe("baggage")
  })
})
