import { beforeAll, describe, expect, it } from "vitest"
import { variants } from "./variants/all-variants.js"
import { confusionPage, type Told } from "./variants/confusion.js"
import { examineVariant } from "./variants/examine-variant.js"
import type { Variant } from "./variants/variant.js"

const told = new Map<Variant, Told>()

/** Waiting for what never comes costs nothing: as many as this wait at a time, beside those that work. */
const waitingLanes = 8
const workingLanes = 4

const waits = ({ options }: Variant): boolean => options?.timeoutMs !== undefined

const examineIn = async (lanes: number, queue: Array<Variant>): Promise<void> => {
  const lane = async (): Promise<void> => {
    for (let variant = queue.shift(); variant !== undefined; variant = queue.shift()) {
      const { diagnosis } = await examineVariant(variant)
      told.set(variant, { variant, diagnosis })
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}

const examineAll = async (): Promise<void> => {
  const waiting = variants.filter(waits)
  const working = variants.filter((variant) => !waits(variant))
  await Promise.all([examineIn(waitingLanes, waiting), examineIn(workingLanes, working)])
}

beforeAll(examineAll, 240_000)

describe.each(variants)("$name, $era over $over", (variant) => {
  it(`is told to be ${variant.expects}`, () => {
    const diagnosis = told.get(variant)?.diagnosis
    const [first, ...others] = diagnosis?.hypotheses.map(({ code }) => code) ?? []
    // All of it, so that a failure shows what was found instead.
    expect({ ...diagnosis, first, others }).toMatchObject({
      verdict: variant.verdict,
      first: variant.expects,
    })
  })
})

it("names are unique for each era and transport", () => {
  const names = variants.map(({ name, era, over }) => `${name} ${era} ${over}`)
  expect(names).toEqual([...new Set(names)])
})

it("the table of variants and first hypotheses in the docs is what was just seen", async () => {
  const page = confusionPage(variants.flatMap((variant) => told.get(variant) ?? []))
  await expect(page).toMatchFileSnapshot("../../../docs/doctor/confusion.md")
})
