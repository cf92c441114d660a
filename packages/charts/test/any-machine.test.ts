import { createMachine } from "xstate"
import { describe, expect, it } from "vitest"
import { readChart, toMermaid, toStately } from "../src/index.js"
import { toSvg } from "../src/svg/index.js"
import { faultsOf } from "./mermaid-grammar.js"
import { complaintOf } from "./mermaid-parser.js"
import { overlapsIn } from "./picture.js"
import { randomMachine } from "./random-machine.js"

/** From no arrow to 32; among them one that grows against its order, one wider than a page, one with overlaps at first. */
const seeds = [2, 4, 5, 8, 13, 17, 18, 20]

describe("any machine", () => {
  it.each(seeds)("is drawn so that nothing covers anything (%d)", async (seed) => {
    expect(overlapsIn(await toSvg(randomMachine(seed)))).toEqual([])
  })

  it.each(seeds)("is written as Mermaid and as JSON without a loss (%d)", async (seed) => {
    const machine = randomMachine(seed)
    const mermaid = toMermaid(machine)
    expect(faultsOf(mermaid)).toEqual([])
    expect(await complaintOf(mermaid)).toBeUndefined()
    expect(readChart(createMachine(toStately(machine)))).toEqual(readChart(machine))
  })

  it("is another one for another seed, and has arrows", () => {
    const counts = seeds.map((seed) => readChart(randomMachine(seed)).transitions.length)
    expect(new Set(counts).size).toBeGreaterThan(5)
    expect(Math.max(...counts)).toBeGreaterThan(10)
  })
})
