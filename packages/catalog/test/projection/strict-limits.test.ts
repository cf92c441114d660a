import { describe, expect, it } from "vitest"
import { project } from "../../src/projection/project.js"
import { projected, toolWith } from "./targets.js"

const properties = (length: number, each: unknown = { type: "string" }, name = "p") =>
  Object.fromEntries(Array.from({ length }, (_, index) => [`${name}${index}`, each]))

const object = (members: object) => ({
  type: "object",
  properties: members,
  required: Object.keys(members),
  additionalProperties: false,
})

const levels = (count: number): unknown =>
  count === 0 ? { type: "string" } : object({ a: levels(count - 1) })

const values = (length: number, width: number) =>
  Array.from({ length }, (_, index) => String(index).padStart(width, "0"))

describe("how much strict mode takes", () => {
  it.each([
    {
      what: "5,000 properties",
      fits: object(properties(5000, { type: "null" }, "")),
      over: object(properties(5001, { type: "null" }, "")),
      says: "5001 properties",
    },
    { what: "10 levels", fits: levels(10), over: levels(11), says: "11 levels" },
    {
      what: "1,000 values of enums",
      fits: object({
        a: { enum: values(250, 3) },
        b: { enum: values(250, 3) },
        c: { enum: values(250, 3) },
        d: { enum: values(250, 3) },
      }),
      over: object({
        a: { enum: values(250, 3) },
        b: { enum: values(250, 3) },
        c: { enum: values(250, 3) },
        d: { enum: values(250, 3) },
        e: { const: 1 },
        f: { enum: ["x"] },
      }),
      says: "1001 values",
    },
    {
      what: "15,000 characters of a long enum",
      fits: object({ a: { enum: values(300, 50) } }),
      over: object({ a: { enum: values(301, 50) } }),
      says: "15050 characters in one long enum",
    },
    {
      what: "120,000 characters of names",
      fits: object(properties(1000, { type: "null" }, "x".repeat(115))),
      over: object(properties(1000, { type: "null" }, "x".repeat(120))),
      says: "characters of names and values",
    },
  ])("OpenAI: $what", ({ fits, over, says }) => {
    const of = (schema: unknown) => projected([toolWith(schema)], "openai strict")
    expect(of(fits).sent[0]?.strict).toBe(true)
    const { sent, projection } = of(over)
    expect(sent[0]?.strict).toBe(false)
    const why = projection.report.find(({ kind }) => kind === "strict-disabled")
    expect(why?.detail).toContain(says)
  })

  it("an enum that is not long may have as many characters as it likes", () => {
    const schema = object({ a: { enum: values(250, 100) } })
    expect(projected([toolWith(schema)], "openai strict").sent[0]?.strict).toBe(true)
  })

  it("Anthropic: 20 tools and 16 unions in one request; the first ones count", () => {
    const plain = Array.from({ length: 25 }, (_, index) =>
      toolWith(object({ a: { type: "string" } }), `t${index}`),
    )
    const sent = projected(plain, "anthropic strict").sent.map(({ strict }) => strict)
    expect(sent).toEqual(plain.map((_, index) => index < 20))
    const optional = (length: number, name: string) =>
      toolWith({ type: "object", properties: properties(length) }, name)
    const { tools, report } = project(
      [optional(10, "ten"), optional(7, "seven"), optional(6, "six"), optional(1, "one")],
      "anthropic",
      { strict: true },
    )
    expect(tools?.map((tool) => tool.strict ?? false)).toEqual([true, false, true, false])
    const why = report.filter(({ kind }) => kind === "strict-disabled")
    expect(why.map(({ tool }) => tool)).toEqual(["seven", "one"])
  })

  it("every figure can be another one", () => {
    const tools = [toolWith(levels(6), "a"), toolWith(levels(5), "b")]
    const { sent } = projected(tools, "openai strict", { limits: { levels: 5 } })
    expect(sent.map(({ strict }) => strict)).toEqual([false, true])
    const none = projected(tools, "anthropic strict", { limits: { tools: 0 } })
    expect(none.sent.map(({ strict }) => strict)).toEqual([false, false])
    expect(projected(tools, "openai", { limits: { schemas: 12 } }).sent).toHaveLength(1)
  })
})
