import { describe, expect, it } from "vitest"
import { formats } from "../../src/provider/format.js"
import { project } from "../../src/projection/project.js"
import { changes, good, projected, toolWith } from "./targets.js"

describe("C083 a subset of keywords", () => {
  const schema = {
    $schema: "http://json-schema.org/draft-07/schema#",
    type: "object",
    properties: { n: { type: "integer", exclusiveMinimum: 0 } },
    additionalProperties: false,
  }

  it("loses exactly what is not in it, each with its pointer", () => {
    const { sent, projection } = projected([toolWith(schema), good], "gemini parameters")
    expect(sent.map((each) => each.schema)).toEqual([
      { type: "OBJECT", properties: { n: { type: "INTEGER" } } },
      { type: "OBJECT", properties: { q: { type: "STRING" } } },
    ])
    expect(changes(projection.report)).toEqual([
      "keyword-dropped /inputSchema/$schema",
      "keyword-dropped /inputSchema/additionalProperties",
      "keyword-dropped /inputSchema/properties/n/exclusiveMinimum",
    ])
  })

  it("tells the lost constraints in descriptions, if that is wanted", () => {
    const described = {
      ...schema,
      properties: { n: { ...schema.properties.n, description: "How many." } },
    }
    const { sent } = projected([toolWith(described)], "gemini parameters", {
      constraintsInDescription: true,
    })
    expect(sent[0]?.schema).toEqual({
      type: "OBJECT",
      properties: {
        n: { type: "INTEGER", description: "How many.\n\nConstraints: exclusiveMinimum: 0" },
      },
    })
    expect(sent[0]?.description).toBe("Constraints: additionalProperties: false")
  })

  it("takes nothing from data, and nothing for a keyword that is a name", () => {
    const tricky = {
      type: "object",
      properties: {
        additionalProperties: { type: "string", enum: ["exclusiveMinimum"] },
        $ref: { type: "object", properties: { const: { type: "string" } }, required: ["const"] },
        anyOf: { type: "array", items: { type: "string" } },
      },
      required: ["$ref"],
    }
    const { sent } = projected([toolWith(tricky)], "gemini parameters")
    expect(sent[0]?.schema).toEqual({
      type: "OBJECT",
      properties: {
        additionalProperties: { type: "STRING", enum: ["exclusiveMinimum"] },
        ref: { type: "OBJECT", properties: { const: { type: "STRING" } }, required: ["const"] },
        anyOf: { type: "ARRAY", items: { type: "STRING" } },
      },
      required: ["ref"],
    })
    const data = {
      type: "object",
      properties: { a: { default: { $ref: "https://h.example", allOf: 1 }, enum: [{ const: 1 }] } },
    }
    expect(projected([toolWith(data)], "anthropic").sent[0]?.schema).toEqual(data)
  })

  it.each(formats)("%s: no tools, no field", (format) => {
    expect(project([], format).tools).toBeUndefined()
    const none = project([toolWith({ type: "object", properties: { a: { $ref: "x:y" } } })], format)
    expect(none.tools).toBeUndefined()
    expect(none.report.map(({ kind }) => kind)).toContain("rejected")
  })
})
