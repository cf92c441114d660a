import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { readArguments } from "../../src/argument/read-arguments.js"
import { violations } from "./provider-rules.js"
import { Dice, Sampler } from "./sample-value.js"
import { projected, targets, toolWith } from "./targets.js"
import { validator } from "./validity.js"

const strictTargets = targets.filter((target) => target.endsWith("strict"))

const names = ["a", "b", "host", "items", "x-y"]

/** Schemas that strict mode was made for: objects that are closed or could be, lists, unions of scalars. */
const closable = fc.letrec((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, depthIdentifier: "closable" },
    fc.constantFrom<unknown>(
      { type: "string" },
      { type: "integer", minimum: 1 },
      { type: ["string", "null"] },
      { enum: ["x", "y"] },
      { enum: ["x", null] },
      { const: "yes" },
      { anyOf: [{ type: "string" }, { type: "integer" }] },
      { $ref: "#/$defs/A" },
    ),
    tie("schema").map((items) => ({ type: "array", items })),
    tie("object"),
  ),
  object: fc
    .tuple(
      fc.dictionary(fc.constantFrom(...names), tie("schema"), { minKeys: 1, maxKeys: 3 }),
      fc.boolean(),
      fc.integer({ min: 0, max: 2 }),
    )
    .map(([properties, closed, count]) => ({
      type: "object",
      properties,
      required: Object.keys(properties).slice(0, count),
      ...(closed ? { additionalProperties: false } : {}),
    })),
}))

const schema = fc.tuple(closable.object, closable.object).map(([root, A]) => ({
  ...(root as object),
  $defs: { A: { ...(A as object), properties: { a: { type: "string" }, b: { type: "integer" } } } },
}))

describe.each(strictTargets)("C085 %s", (target) => {
  it("is all or nothing, and what a model may say comes back as the server takes it", async () => {
    let strict = 0
    let taken = 0
    await fc.assert(
      fc.asyncProperty(schema, fc.integer(), async (own, seed) => {
        const { sent, projection } = projected([toolWith(own)], target)
        const [one] = sent
        const why = projection.report.filter(({ kind }) => kind === "strict-disabled")
        expect(why).toHaveLength(one?.strict === true ? 0 : 1)
        const [named] = projection.names.all
        const broken = one?.strict === true ? violations(target, one.schema) : []
        expect({ broken, widened: one?.strict === true ? undefined : named?.widened }).toEqual({
          broken: [],
          widened: undefined,
        })
        if (one?.strict !== true || named === undefined) return
        strict++
        // What conforms to the strict schema is what a model can say at all.
        const held = one.schema as Readonly<Record<string, unknown>>
        const canBeSaid = validator(held)
        const sampler = new Sampler(held, new Dice(seed))
        const said = Array.from({ length: 10 }, () => sampler.object(held)).filter(
          (each) => canBeSaid?.(each) === true,
        )
        const readings = await Promise.all(said.map((each) => readArguments(named, each)))
        const faults = readings.flatMap((reading) => (reading.ok ? [] : reading.faults))
        // Bounds that strict mode does not know are the one thing that can still be wrong.
        expect(faults.filter(({ message }) => !message.includes("must be >= 1"))).toEqual([])
        taken += readings.length - faults.length
      }),
      { numRuns: 60 },
    )
    expect(strict).toBeGreaterThan(10)
    expect(taken).toBeGreaterThan(20)
  })
})
