import { relative } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { knownCauses } from "@entente/doctor"
import { familyPages } from "./doctor-pages/families.js"
import { familyPage, indexPage } from "./doctor-pages/family-page.js"
import { runHere } from "./world.js"

const root = fileURLToPath(new URL("../../..", import.meta.url))

/** The traces are recorded, and held against their codes, by the tests of `doctor`. */
const traces = {
  0: "0-web-page-instead",
  1: "1-tools-capability-missing",
  2: "2-cursor-ignored",
  3: "3-replicas-without-affinity",
  4: "4-version-header-not-forwarded",
  5: "5-change-not-followed",
  6: "6-empty-for-anonymous",
} as const

describe("the pages of the doctor (after a change: vitest -u)", () => {
  it.each(familyPages)("family $family: $title", async (page) => {
    const file = `packages/doctor/test/traces/${traces[page.family]}.jsonl`
    const { stdout, code } = await runHere(["doctor", "--log", file, "--no-color"], {
      cwd: root,
      isTTY: true,
      columns: 100,
    })
    expect(code).toBe(7)
    await expect(familyPage(page, { file, printed: stdout })).toMatchFileSnapshot(
      relative(fileURLToPath(new URL(".", import.meta.url)), `${root}/docs/doctor/${page.slug}.md`),
    )
  })

  it("the page that leads to them", async () => {
    await expect(indexPage(familyPages)).toMatchFileSnapshot("../../../docs/doctor/README.md")
  })

  it("every cause has a code of its own, in kebab-case", () => {
    const codes = knownCauses.map(({ code }) => code)
    expect(codes).toEqual([...new Set(codes)])
    for (const code of codes) expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/)
  })
})
