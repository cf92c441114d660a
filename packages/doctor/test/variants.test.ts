import { describe, expect, it } from "vitest"
import { variants } from "./variants/all-variants.js"
import { examineVariant } from "./variants/examine-variant.js"

describe.each(variants)("$name, $era over $over", (variant) => {
  it(`is told to be ${variant.expects}`, async () => {
    const { diagnosis } = await examineVariant(variant)
    const [first, ...others] = diagnosis.hypotheses.map(({ code }) => code)
    // All of it, so that a failure shows what was found instead.
    expect({ ...diagnosis, first, others }).toMatchObject({
      verdict: variant.verdict,
      first: variant.expects,
    })
  })
})
