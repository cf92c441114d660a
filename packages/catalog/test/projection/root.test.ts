import { describe, expect, it } from "vitest"
import { readArguments } from "../../src/argument/read-arguments.js"
import { project } from "../../src/projection/project.js"
import { broken, changes, good, projected, targets, toolWith } from "./targets.js"

describe("C014 a composition at the root", () => {
  const conditional = {
    type: "object",
    properties: { mode: { type: "string" } },
    allOf: [
      {
        if: { properties: { mode: { const: "x" } } },
        // oxlint-disable-next-line unicorn/no-thenable -- a keyword; nobody awaits this
        then: { required: ["size"] },
      },
    ],
  }

  it.each(targets)("%s gets the tool without it, and one entry says so", (target) => {
    const before = structuredClone(conditional)
    const outcome = projected([toolWith(conditional, "cond"), good], target)
    expect(outcome.sent.map(({ name }) => name)).toEqual(["s__cond", "s__good"])
    expect(broken(outcome, target)).toEqual([])
    expect(JSON.stringify(outcome.sent[0]?.schema)).not.toMatch(/allOf|"if"|"then"/)
    const about = outcome.projection.report.filter(({ tool }) => tool === "cond")
    const root = about.filter(({ pointer }) => pointer.startsWith("/inputSchema/allOf"))
    expect(changes(root)).toEqual(["keyword-dropped /inputSchema/allOf"])
    expect(outcome.projection.names.toolOf("s__cond")?.tool.inputSchema).toBe(conditional)
    expect(conditional).toEqual(before)
  })

  it("is still what arguments are held against", async () => {
    const { names } = project([toolWith(conditional, "cond")], "anthropic")
    const named = names.toolOf("s__cond")
    if (named === undefined) throw new Error("it is there")
    expect(await readArguments(named, { mode: "x" })).toMatchObject({
      ok: false,
      faults: [{ message: expect.stringContaining("size") }],
    })
    expect(await readArguments(named, { mode: "y" })).toMatchObject({ ok: true })
  })

  it.each([
    {
      what: "a union of objects",
      schema: {
        type: "object",
        oneOf: [
          {
            properties: { id: { type: "string" }, kind: { const: "a" } },
            required: ["id", "kind"],
          },
          {
            properties: { url: { type: "string" }, kind: { const: "b" } },
            required: ["url", "kind"],
          },
        ],
      },
      becomes: {
        type: "object",
        properties: {
          id: { type: "string" },
          kind: { anyOf: [{ const: "a" }, { const: "b" }] },
          url: { type: "string" },
        },
        required: ["kind"],
      },
      report: ["root-folded /inputSchema/oneOf"],
    },
    {
      what: "alternatives that only require",
      schema: {
        type: "object",
        properties: { a: {}, b: {} },
        anyOf: [{ required: ["a"] }, { required: ["b"] }],
      },
      becomes: { type: "object", properties: { a: {}, b: {} } },
      report: ["keyword-dropped /inputSchema/anyOf"],
    },
    {
      what: "parts that all hold, one of them a reference",
      schema: {
        type: "object",
        properties: { a: { type: "string" } },
        required: ["a"],
        allOf: [
          { $ref: "#/$defs/Paged" },
          {
            properties: { a: { minLength: 1 } },
            required: ["a", "b"],
            additionalProperties: false,
          },
        ],
        $defs: {
          Paged: { type: "object", properties: { page: { type: "integer" } }, required: ["page"] },
        },
      },
      becomes: {
        type: "object",
        properties: { a: { type: "string", minLength: 1 }, page: { type: "integer" } },
        required: ["a", "page", "b"],
        additionalProperties: false,
      },
      report: [
        "ref-inlined /inputSchema/allOf/0/$ref",
        "keyword-dropped /inputSchema/$defs/Paged",
        "root-folded /inputSchema/allOf",
      ],
    },
    {
      what: "a union within a union, one branch of which is for no object",
      schema: {
        type: "object",
        anyOf: [
          { type: "string" },
          {
            oneOf: [
              { properties: { x: { type: "integer" } } },
              { properties: { x: { type: "string" } } },
            ],
          },
        ],
      },
      becomes: {
        type: "object",
        properties: { x: { anyOf: [{ type: "integer" }, { type: "string" }] } },
      },
      report: ["root-folded /inputSchema/anyOf/1/oneOf", "root-folded /inputSchema/anyOf"],
    },
    {
      what: "conditions at the root itself",
      schema: {
        type: "object",
        properties: { a: { type: "string" } },
        if: { required: ["a"] },
        // oxlint-disable-next-line unicorn/no-thenable -- a keyword; nobody awaits this
        then: { required: ["b"] },
        else: { required: ["c"] },
        not: { required: ["d"] },
      },
      becomes: { type: "object", properties: { a: { type: "string" } } },
      report: ["not", "if", "then", "else"].map(
        (keyword) => `keyword-dropped /inputSchema/${keyword}`,
      ),
    },
  ])("$what becomes one object", ({ schema, becomes, report }) => {
    const { sent, projection } = projected([toolWith(schema)], "anthropic")
    expect(sent[0]?.schema).toEqual(becomes)
    expect(changes(projection.report)).toEqual(report)
  })

  it("is left alone below the root, where providers take it", () => {
    const schema = {
      type: "object",
      properties: { a: { oneOf: [{ type: "string" }, { allOf: [{ type: "integer" }] }] } },
    }
    for (const target of ["anthropic", "openai"] as const) {
      const { sent, projection } = projected([toolWith(schema)], target)
      expect(sent[0]?.schema).toEqual(schema)
      expect(projection.report).toEqual([])
    }
  })
})
