import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { checked, missing, modernPing, page } from "./readme-example.js"

const read = (file: string) => readFileSync(new URL(file, import.meta.url), "utf8")

it("the README shows the example that is run here", () => {
  const [, shown] = /```ts\n(.*?)```/s.exec(read("../README.md")) ?? []
  expect(shown).toBe(read("./readme-example.ts"))
})

it("the example does what its comments say", () => {
  expect(modernPing).toBe(false)
  expect(missing).toBe("prompts")
  expect(checked).toMatchObject({ ok: true, value: { "x-vendor": 7 } })
  expect(page).toMatchObject({
    ok: true,
    items: [{ name: "bake", "x-vendor": 7 }],
    nextCursor: undefined,
    quarantined: [{ name: "broken", pointer: "/inputSchema/type" }],
  })
  expect(page.ok && page.notes.map(({ code }) => code).toSorted()).toEqual([
    "item-quarantined",
    "null-is-absent",
  ])
})
