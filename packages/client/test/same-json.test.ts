import { expect, it } from "vitest"
import { sameJson } from "../src/list/same-json.js"

const values: ReadonlyArray<unknown> = [
  null,
  0,
  "",
  "a",
  false,
  [],
  {},
  [1, [2]],
  [1, [3]],
  [1],
  { a: 1 },
  { a: undefined },
  { b: 1 },
  { a: { b: [1, null] } },
  { a: { b: [1, {}] } },
  { "0": 1, length: 1 },
  JSON.parse('{"__proto__":{"a":1}}'),
]

it("is the same for equal values and for no others", () => {
  values.forEach((one, i) => {
    values.forEach((other, j) => {
      expect(sameJson(one, structuredClone(other)), `${i} and ${j}`).toBe(i === j)
    })
  })
})

it("does not mind the order of members", () => {
  expect(sameJson({ a: 1, b: [2] }, { b: [2], a: 1 })).toBe(true)
})
