import { describe, expect, it } from "vitest"
import { broken, changes, good, projected, targets, toolWith } from "./targets.js"

describe("C082 references", () => {
  const withItem = (Item: unknown) => ({
    type: "object",
    $defs: { Item },
    properties: { t: { anyOf: [{ type: "string" }, { $ref: "#/$defs/Item" }] } },
  })
  const flat = withItem({ type: "object", properties: { id: { type: "string" } } })
  const deep = withItem({
    type: "object",
    properties: { id: { type: "string" }, child: { $ref: "#/$defs/Item" } },
  })

  it.each(["gemini parameters", "bedrock", "ai-sdk"] as const)("%s gets none", (target) => {
    const outcome = projected([toolWith(flat)], target)
    expect(broken(outcome, target)).toEqual([])
    expect(JSON.stringify(outcome.sent[0]?.schema)).not.toMatch(/\$ref|\$defs/)
    expect(JSON.stringify(outcome.sent[0]?.schema)).toContain('"id"')
    expect(changes(outcome.projection.report)).toEqual([
      "keyword-dropped /inputSchema/$defs",
      "ref-inlined /inputSchema/properties/t/anyOf/1/$ref",
    ])
  })

  it.each([0, 1, 2, 4])(
    "recursion is cut after %i rounds, and the report says so",
    (recursionDepth) => {
      for (const target of [
        "gemini parameters",
        "bedrock",
        "ai-sdk",
        "gemini parametersJsonSchema",
      ] as const) {
        const outcome = projected([toolWith(deep)], target, { recursionDepth })
        const json = JSON.stringify(outcome.sent[0]?.schema)
        expect(json.match(/"id"/g)).toHaveLength(recursionDepth + 1)
        expect(json).not.toContain("$ref")
        expect(changes(outcome.projection.report)).toContain(
          "recursion-cut /inputSchema/$defs/Item/properties/child/$ref",
        )
      }
    },
  )

  it("two rounds are the default", () => {
    const [one] = projected([toolWith(deep)], "bedrock").sent
    expect(one).toEqual(projected([toolWith(deep)], "bedrock", { recursionDepth: 2 }).sent[0])
  })

  it.each(["anthropic", "openai", "openai strict"] as const)("%s keeps them", (target) => {
    const outcome = projected([toolWith(deep)], target)
    expect(broken(outcome, target)).toEqual([])
    const nulls = target === "openai strict" ? [{ type: "null" }] : []
    expect(outcome.sent[0]?.schema).toMatchObject({
      properties: { t: { anyOf: [{ type: "string" }, { $ref: "#/$defs/Item" }, ...nulls] } },
      $defs: { Item: { properties: { id: {}, child: {} } } },
    })
  })

  it("without recursion they stay where only that is refused", () => {
    for (const target of ["anthropic strict", "gemini parametersJsonSchema"] as const) {
      const [one] = projected([toolWith(flat)], target).sent
      expect(one?.schema).toMatchObject({ $defs: { Item: { type: "object" } } })
    }
    const { sent, projection } = projected([toolWith(deep)], "anthropic strict")
    expect(sent[0]?.strict).toBe(false)
    expect(changes(projection.report)).toEqual([
      "strict-disabled /inputSchema/$defs/Item/properties/child/$ref",
    ])
  })

  const target = { type: "object", properties: { id: { type: "string" } } }
  it.each([
    { what: "a property", $ref: "#/properties/x", more: { properties: { x: target } } },
    { what: "an anchor", $ref: "#item", more: { $defs: { I: { ...target, $anchor: "item" } } } },
    {
      what: "an $id",
      $ref: "item.json",
      more: { $id: "https://h.example/s.json", $defs: { I: { ...target, $id: "item.json" } } },
    },
    {
      what: "definitions of draft-07",
      $ref: "#/definitions/I",
      more: { definitions: { I: target } },
    },
    {
      what: "an anchor of draft-07",
      $ref: "#item",
      more: { definitions: { I: { ...target, $id: "#item" } } },
    },
    {
      what: "a name with escapes",
      $ref: "#/$defs/a~1b~0c%20%25d",
      more: { $defs: { "a/b~c %d": target } },
    },
    {
      what: "a reference to it",
      $ref: "#/$defs/J",
      more: { $defs: { J: { $ref: "#/$defs/I" }, I: target } },
    },
    {
      what: "an element",
      $ref: "#/properties/l/prefixItems/1",
      more: { properties: { l: { type: "array", prefixItems: [true, target] } } },
    },
  ])("$what is found", ({ $ref, more }) => {
    const schema = { type: "object", ...more, properties: { ...more.properties, y: { $ref } } }
    for (const name of ["bedrock", "anthropic"] as const) {
      const outcome = projected([toolWith(schema)], name)
      expect(broken(outcome, name)).toEqual([])
      const sent = outcome.sent[0]?.schema as {
        properties: { y: { $ref?: string } }
        $defs?: object
      }
      const { y } = sent.properties
      const found = y.$ref === undefined ? y : Object.values(sent.$defs ?? {}).at(-1)
      expect(found).toEqual(target)
    }
  })

  it("to the root cuts or keeps the root", () => {
    const schema = { type: "object", properties: { sub: { $ref: "#" }, n: { type: "integer" } } }
    const cut = projected([toolWith(schema)], "bedrock", { recursionDepth: 1 })
    expect(cut.sent[0]?.schema).toEqual({
      type: "object",
      properties: {
        sub: { type: "object", properties: { sub: { type: "object" }, n: { type: "integer" } } },
        n: { type: "integer" },
      },
    })
    const kept = projected([toolWith(schema)], "anthropic")
    expect(kept.sent[0]?.schema).toMatchObject({
      properties: { sub: { $ref: "#/$defs/root" } },
      $defs: { root: { properties: { sub: { $ref: "#/$defs/root" } } } },
    })
  })

  it("what stands beside one counts, but in draft-07", () => {
    const schema = (more: object) => ({
      type: "object",
      ...more,
      $defs: { T: { type: "string", description: "Of the target." } },
      properties: { t: { $ref: "#/$defs/T", minLength: 2, description: "Of the property." } },
    })
    const inlined = (more: object) => projected([toolWith(schema(more))], "bedrock").sent[0]?.schema
    const description = "Of the property."
    expect(inlined({})).toMatchObject({
      properties: { t: { type: "string", minLength: 2, description } },
    })
    const { properties } = inlined({ $schema: "http://json-schema.org/draft-07/schema#" }) as {
      properties: { t: unknown }
    }
    expect(properties.t).toEqual({ type: "string", description })
  })

  it.each([
    "https://h.example/item.json",
    "other.json#/Item",
    "#/$defs/Nowhere",
    "#nowhere",
    "//h.example",
    "#/constructor",
    "#/%zz",
    "https://[",
  ])("to %s rejects that tool alone, and fetches nothing", ($ref) => {
    for (const each of targets) {
      const schema = { type: "object", properties: { t: { $ref } } }
      const outcome = projected([good, toolWith(schema, "remote")], each)
      expect(outcome.sent.map(({ name }) => name)).toEqual(["s__good"])
      expect(outcome.projection.names.nameOf("s", "remote")).toBeUndefined()
      expect(changes(outcome.projection.report.filter(({ tool }) => tool === "remote"))).toContain(
        "rejected /inputSchema/properties/t/$ref",
      )
    }
  })
})
