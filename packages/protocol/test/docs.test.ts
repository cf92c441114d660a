import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { errorCodes, observations, tolerances } from "../src/index.js"

const page = (name: string): string =>
  readFileSync(new URL(`../../../docs/${name}.md`, import.meta.url), "utf8")

it("every error code has its heading in the docs, and every heading its code", () => {
  const headings = [...page("errors").matchAll(/^### (.+)$/gm)].map(([, heading]) => heading)
  expect(headings.toSorted()).toEqual(Object.keys(errorCodes).toSorted())
})

it("every tolerance and every note is in the docs, word for word", () => {
  const rows = page("tolerances").match(/^\| `.+$/gm)
  const expected = [
    ...Object.entries(tolerances).map(
      ([code, { accepts, byDefault }]) =>
        `| \`${code}\` | ${accepts} | ${byDefault ? "on" : "off"} |`,
    ),
    ...Object.entries(observations).map(([code, meaning]) => `| \`${code}\` | ${meaning} |`),
  ]
  expect(rows).toEqual(expected)
})
