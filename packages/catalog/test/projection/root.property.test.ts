import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { argumentSchema } from "./arbitrary-schema.js"
import { Dice, Sampler } from "./sample-value.js"
import { projected, toolWith } from "./targets.js"
import { validator } from "./validity.js"

type Schema = Readonly<Record<string, unknown>>

const objectOf = (value: unknown): Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Schema) : {}

const namesOf = (schema: Schema): ReadonlyArray<string> =>
  Object.keys(objectOf(schema["properties"]))

/** A plain object of scalars: what a branch of a union at the root mostly is. */
const branch = fc
  .record({
    properties: fc.dictionary(
      fc.constantFrom("a", "b", "c", "d"),
      fc.constantFrom<Schema>(
        { type: "string" },
        { type: "integer" },
        { enum: ["x", 1] },
        { const: "yes" },
      ),
      { maxKeys: 3 },
    ),
    required: fc.subarray(["a", "b", "c"], { maxLength: 2 }),
    additionalProperties: fc.constantFrom<unknown>(undefined, false, { type: "string" }),
  })
  .map(({ additionalProperties, ...rest }) => ({
    type: "object",
    ...rest,
    ...(additionalProperties === undefined ? {} : { additionalProperties }),
  }))

describe("C014 a union at the root", () => {
  it("takes what any of its branches takes, as far as it keeps to what that branch names", () => {
    let taken = 0
    const keywords = fc.constantFrom("anyOf", "oneOf")
    fc.assert(
      fc.property(
        branch,
        keywords,
        fc.array(branch, { minLength: 1, maxLength: 4 }),
        fc.integer(),
        (own, keyword, branches, seed) => {
          const { additionalProperties: _, ...open } = own
          const schema = { ...open, [keyword]: branches }
          const all = new Set([...namesOf(open), ...branches.flatMap(namesOf)])
          const dice = new Dice(seed)
          const checks = branches.map((each) => ({ ...each, check: validator(each) }))
          const isTaken = validator(schema)
          const isSendable = validator(projected([toolWith(schema)], "anthropic").sent[0]?.schema)
          for (let count = 0; count < 20; count++) {
            const chosen = dice.of(checks)
            if (chosen === undefined) return
            const given = new Sampler(schema, dice).object({
              ...chosen,
              properties: { ...objectOf(chosen.properties), ...objectOf(open.properties) },
              required: [...chosen.required, ...open.required],
            })
            const known = new Set([...namesOf(open), ...namesOf(chosen)])
            const keeps = Object.keys(given).every((name) => known.has(name) || !all.has(name))
            if (!keeps || isTaken?.(given) !== true || chosen.check?.(given) !== true) continue
            taken++
            expect({ given, ok: isSendable?.(given) }).toEqual({ given, ok: true })
          }
        },
      ),
      { numRuns: 60 },
    )
    expect(taken).toBeGreaterThan(100)
  })

  it("requires no more than every branch does, and nothing of it is left", () => {
    fc.assert(
      fc.property(argumentSchema, (schema) => {
        for (const target of ["anthropic", "openai", "bedrock", "ai-sdk"] as const) {
          const [one] = projected([toolWith(schema)], target).sent
          const root = objectOf(one?.schema)
          for (const keyword of ["anyOf", "oneOf", "allOf", "not", "if", "then", "else", "$ref"]) {
            expect(root).not.toHaveProperty([keyword])
          }
        }
      }),
      { numRuns: 40 },
    )
  })
})
