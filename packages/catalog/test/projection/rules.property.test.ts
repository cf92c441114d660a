import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { argumentSchema, hostileSchema } from "./arbitrary-schema.js"
import { broken, changes, good, projected, targets, toolWith } from "./targets.js"

/** Whether a pointer leads to something, or would if one more member were there. */
const leads = (document: unknown, pointer: string): boolean => {
  const steps = pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))
  let here: unknown = document
  return steps.every((step, index) => {
    const isLast = index === steps.length - 1
    // `true` is a schema that says nothing, and so is what is none.
    if (typeof here !== "object" || here === null) return isLast
    if (!Object.hasOwn(here, step)) return isLast
    here = (here as Record<string, unknown>)[step]
    return true
  })
}

describe.each(targets)("%s", (target) => {
  it("takes what arbitrary schemas become", () => {
    fc.assert(
      fc.property(argumentSchema, (schema) => {
        const outcome = projected([toolWith(schema)], target)
        const report = changes(outcome.projection.report)
        expect({ broken: broken(outcome, target), report }).toMatchObject({ broken: [] })
      }),
      { numRuns: 50 },
    )
  })

  it("takes what hostile schemas become, or they are rejected; nothing throws, nothing is touched", () => {
    fc.assert(
      fc.property(hostileSchema, fc.boolean(), (schema, constraintsInDescription) => {
        const before = JSON.stringify(schema)
        const outcome = projected([toolWith(schema), good], target, { constraintsInDescription })
        const { sent, projection } = outcome
        expect(JSON.stringify(schema)).toBe(before)
        const isRejected = projection.report.some(({ kind }) => kind === "rejected")
        expect(sent).toHaveLength(isRejected ? 1 : 2)
        expect(projection.names.all).toHaveLength(sent.length)
        expect(broken(outcome, target)).toEqual([])
      }),
      { numRuns: 50 },
    )
  })

  it("gives the same for the same, and says of each change where it was", () => {
    fc.assert(
      fc.property(fc.oneof(argumentSchema, hostileSchema), (schema) => {
        const tool = toolWith(schema)
        const { projection } = projected([tool], target)
        const again = projected([toolWith(structuredClone(schema))], target).projection
        expect(JSON.stringify(again.tools)).toBe(JSON.stringify(projection.tools))
        expect(again.report).toEqual(projection.report)
        for (const { pointer } of projection.report) {
          expect([pointer, leads(tool.tool, pointer)]).toEqual([pointer, true])
        }
      }),
      { numRuns: 40 },
    )
  })
})
