import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { argumentSchema } from "./arbitrary-schema.js"
import { Dice, Sampler } from "./sample-value.js"
import { projected, targets, toolWith } from "./targets.js"
import { meaningOfOpenApi, olderValidator, validator } from "./validity.js"

const loose = targets.filter((target) => !target.endsWith("strict"))

/** Arguments as the model would name them. */
const asSent = (
  given: Readonly<Record<string, unknown>>,
  renamed: ReadonlyMap<string, string> = new Map(),
): unknown => {
  const names = new Map([...renamed].map(([name, own]) => [own, name]))
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [names.get(name) ?? name, value]),
  )
}

describe.each(loose)("%s", (target) => {
  it("takes all arguments that the server takes, unless the report says that it narrows", () => {
    let taken = 0
    fc.assert(
      fc.property(argumentSchema, fc.integer(), (schema, seed) => {
        const { projection, sent } = projected([toolWith(schema)], target)
        const [one] = sent
        const isWider = one !== undefined && !projection.report.some(({ narrows }) => narrows)
        const isTaken = validator(schema)
        if (!isWider || isTaken === undefined) return
        const meant =
          target === "gemini parameters" ? meaningOfOpenApi(one.schema ?? {}) : (one.schema ?? {})
        const isSendable = validator(meant)
        const isSendableTo07 = target === "ai-sdk" ? olderValidator(meant) : () => true
        const renamed = projection.names.all[0]?.renamed
        const sampler = new Sampler(schema, new Dice(seed))
        for (let count = 0; count < 20; count++) {
          const given = sampler.object(schema)
          // What is not described has lost its name where a described one goes by it.
          if (!isTaken(given) || Object.keys(given).some((name) => renamed?.has(name))) continue
          taken++
          const value = asSent(given, renamed)
          expect({
            value,
            meant,
            ok: isSendable?.(value),
            ok07: isSendableTo07(value),
          }).toMatchObject({
            ok: true,
            ok07: true,
          })
        }
      }),
      { numRuns: 60 },
    )
    // Or it would show nothing.
    expect(taken).toBeGreaterThan(60)
  })
})
