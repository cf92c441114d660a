import { describe, expect, it } from "vitest"
import { compileSchema } from "@entente/client"

describe("any schema of a server", () => {
  it("becomes a check, once for each schema", async () => {
    const schema = { type: "object", properties: { city: { type: "string" } } }
    const compiled = await compileSchema(schema)
    if (!compiled.ok) throw new Error(compiled.reason)
    expect(compiled.check({ city: "Lisbon" })).toEqual({ _tag: "Valid" })
    expect(compiled.check({ city: 1 })).toEqual({
      _tag: "Invalid",
      pointer: "/city",
      reason: "must be string",
    })
    expect(await compileSchema(schema)).toBe(compiled)
    expect(await compileSchema({ ...schema })).not.toBe(compiled)
    const both = await Promise.all([compileSchema({ type: "null" }), compileSchema(schema)])
    expect(both[1]).toBe(compiled)
  })

  it("that cannot be used says why, and where, and does so again", async () => {
    const schema = { properties: { a: { $ref: "https://example.com/a" } } }
    const compiled = await compileSchema(schema)
    expect(compiled).toEqual({
      ok: false,
      pointer: "/properties/a/$ref",
      reason: "leads to nothing inside this schema, and nothing is fetched",
    })
    expect(await compileSchema(schema)).toBe(compiled)
  })

  it("names the property that should not be there", async () => {
    for (const keyword of ["additionalProperties", "unevaluatedProperties"]) {
      const compiled = await compileSchema({ properties: { a: {} }, [keyword]: false })
      expect(compiled.ok && compiled.check({ a: 1, "b\u202e\n": 2 })).toMatchObject({
        reason: expect.stringMatching(/^must NOT have \w+ properties: "b\s*\\n"$/),
      })
    }
  })
})
