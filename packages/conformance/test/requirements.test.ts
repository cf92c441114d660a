import { describe, expect, it } from "vitest"
import { evidenceOf, idsIn, type UnitReport } from "../../../scripts/requirements/evidence.mjs"
import { judge, mistakes, tally, tallyLine } from "../../../scripts/requirements/judge.mjs"
import { isDemanded, isRecommended } from "../../../scripts/requirements/level.mjs"
import {
  readAreas,
  readExcuses,
  readLater,
  readRequirements,
} from "../../../scripts/requirements/lists.mjs"
import { pageText } from "../../../scripts/requirements/page.mjs"
import { byArea, tableLines, uncoveredLines } from "../../../scripts/requirements/table.mjs"

const one = "V25-ONE-01"
const two = "V25-ONE-02"
const three = "V25-TWO-01"
const four = "V25-TWO-02"

const requirements = [
  { id: one, level: "MUST", area: "V25-ONE", summary: "the first" },
  { id: two, level: "SHAPE / S-MAY", area: "V25-ONE", summary: "the | second" },
  { id: three, level: "SHOULD", area: "V25-TWO", revisions: "from 2025-06-18", summary: "a third" },
  { id: four, level: "S-MUST", area: "V25-TWO", summary: "the fourth" },
]

const areas = { "V25-ONE": "one thing", "V25-TWO": "another" }

const reportOf = (
  ...tests: ReadonlyArray<readonly [file: string, title: string, status: string]>
): UnitReport => ({
  testResults: tests.map(([file, fullName, status]) => ({
    name: `/root/${file}`,
    assertionResults: [{ fullName, status }],
  })),
})

const look = ({
  tests = [] as ReadonlyArray<readonly [string, string, string]>,
  excuses = {},
  later = {},
}: {
  readonly tests?: ReadonlyArray<readonly [string, string, string]>
  readonly excuses?: Readonly<Record<string, string>>
  readonly later?: Readonly<Record<string, string>>
}) => {
  const given = {
    evidence: evidenceOf(reportOf(...tests), "/root/"),
    excuses: new Map(Object.entries(excuses)),
    later: new Map(Object.entries(later)),
  }
  const judged = judge({ requirements, ...given })
  return {
    judged,
    verdicts: judged.map(({ verdict }) => verdict),
    wrong: mistakes({ judged, ...given }),
    line: tallyLine(tally(judged)),
  }
}

describe("a level", () => {
  it.each([
    ["MUST", true, false],
    ["MUST NOT", true, false],
    ["SHAPE", true, false],
    ["SHOULD / MUST", true, false],
    ["S-MUST NOT / MUST (schema)", true, false],
    ["FACT / MUST (lower case)", true, false],
    ["SHOULD", false, true],
    ["MAY / SHOULD NOT", false, true],
    ["S-MUST", false, false],
    ["S-MUST / S-SHOULD", false, false],
    ["MAY", false, false],
    ["FACT", false, false],
    ["ENG", false, false],
    ["ADV", false, false],
  ])("%s is demanded: %s, recommended: %s", (level, demanded, recommended) => {
    expect(isDemanded(level)).toBe(demanded)
    expect(isRecommended(level)).toBe(recommended)
  })
})

describe("a title", () => {
  it.each([
    [`${one} does it`, [one]],
    [`${one}, ${two}: both`, [one, two]],
    [`the outer ${three} C041 ${one} ${three} the inner`, [three, one]],
    ["V25-ONE names an area only", []],
    [`V25-ONE-1, V24-ONE-01, xV25-ONE-01 and ${one}5 are none`, []],
    ["nothing", []],
  ])("%j has the ids %j", (title, ids) => {
    expect(idsIn(title)).toEqual(ids)
  })
})

describe("a requirement", () => {
  it("is covered by a test that passed, whatever else failed", () => {
    const { judged, line } = look({
      tests: [
        ["packages/client/test/b.test.ts", `outer ${one} inner`, "passed"],
        ["packages/client/test/a.test.ts", one, "passed"],
        ["packages/client/test/c.test.ts", one, "failed"],
        ["examples/first/first.test.ts", `${two} ${three}`, "passed"],
      ],
    })
    expect(judged[0]).toMatchObject({
      verdict: "covered",
      files: ["packages/client/test/a.test.ts", "packages/client/test/b.test.ts"],
    })
    expect(judged[1]).toMatchObject({
      verdict: "covered",
      files: ["examples/first/first.test.ts"],
    })
    expect(line).toBe("2 covered, 0 uncovered, 0 excused")
  })

  it.each([
    [[], "no test"],
    [[["a.test.ts", one, "failed"] as const], "its only test fails (a.test.ts)"],
    [[["a.test.ts", one, "pending"] as const], "its only test was skipped (a.test.ts)"],
    [[["packages/testkit/test/a.test.ts", one, "passed"] as const], "no test"],
    [[["packages/bench/test/a.test.ts", one, "passed"] as const], "no test"],
    [[["packages/conformance/test/a.test.ts", one, "passed"] as const], "no test"],
    [[["packages/cli/test/demo-http.test.ts", one, "passed"] as const], "no test"],
  ])("with the tests %j is not covered: %s", (tests, why) => {
    const { judged, line } = look({ tests })
    expect(judged[0]).toMatchObject({ verdict: "uncovered", why })
    expect(line).toBe("0 covered, 2 uncovered, 0 excused")
  })

  it("that nobody demands stays open", () => {
    expect(look({}).verdicts).toEqual(["uncovered", "uncovered", "open", "open"])
  })

  it("may be excused, or wait, by itself or with its area", () => {
    expect(look({ excuses: { [one]: "the host's" } }).line).toBe(
      "0 covered, 1 uncovered, 1 excused",
    )
    expect(look({ later: { [one]: "authorization" } }).line).toBe(
      "0 covered, 1 uncovered, 0 excused",
    )
    const { verdicts, line } = look({ later: { "V25-ONE": "authorization" } })
    expect(verdicts).toEqual(["later", "later", "open", "open"])
    expect(line).toBe("0 covered, 0 uncovered, 0 excused")
  })
})

describe("a mistake in the lists", () => {
  it.each([
    [{ excuses: { [one]: "why" } }, []],
    [
      { excuses: { "V25-ONE-99": "why" } },
      ["excuses.json excuses V25-ONE-99: there is no such requirement"],
    ],
    [{ excuses: { [three]: "why" } }, [`excuses.json excuses ${three}: nobody demands it`]],
    [
      { excuses: { [one]: "why" }, later: { "V25-ONE": "later" } },
      [`excuses.json excuses ${one}: it comes later, and needs none`],
    ],
    [
      { later: { "V25-SIX": "later" } },
      ["later.json names V25-SIX: there is no such requirement or area"],
    ],
  ])("%j", (given, wrong) => {
    expect(look(given).wrong).toEqual(wrong)
  })

  it.each(["passed", "failed", "skipped"])("is an excuse beside a test that %s", (status) => {
    const tests = [["a.test.ts", one, status] as const]
    expect(look({ tests, excuses: { [one]: "why" } }).wrong).toEqual([
      `excuses.json excuses ${one}: it has a test`,
    ])
  })

  it("is an id in a title that no list has", () => {
    expect(look({ tests: [["a.test.ts", "V25-ONE-98 does it", "passed"]] }).wrong).toEqual([
      "a.test.ts names V25-ONE-98: there is no such requirement",
    ])
  })
})

describe("what is shown", () => {
  const { judged } = look({
    tests: [
      ["packages/client/test/a.test.ts", one, "passed"],
      ["packages/client/test/a.test.ts", three, "passed"],
    ],
  })

  it("has a row for each area", () => {
    expect(tableLines(judged)).toEqual([
      "area     covered  uncovered  excused  later  SHOULDs with a test",
      "V25-ONE        1          1        ·      ·                    ·",
      "V25-TWO        ·          ·        ·      ·               1 of 1",
    ])
  })

  it("says what is missing, and why", () => {
    expect(uncoveredLines(judged, areas)).toEqual([
      "",
      "V25-ONE: one thing",
      `  ${two}  the | second: no test`,
    ])
  })

  it("becomes a page", () => {
    const page = pageText(judged, areas)
    expect(page).toContain("Of what a client MUST do: 1 covered, 1 uncovered, 0 excused;")
    expect(page).toContain("| [V25-ONE: one thing](#v25-one-one-thing) | 1 | 1 | · | · | · |")
    expect(page).toContain(
      [
        "### V25-ONE: one thing",
        "",
        "| id | level | what | shown by |",
        "| --- | --- | --- | --- |",
        `| ${one} | MUST | the first | [client/test/a](../packages/client/test/a.test.ts) |`,
        `| ${two} | SHAPE / S-MAY | the \\| second | **nothing yet** |`,
        "",
        "### V25-TWO: another",
      ].join("\n"),
    )
    expect(page).toContain(`| ${three} | SHOULD | a third (from 2025-06-18) | [client/test/a]`)
    expect(page).toContain(`| ${four} | S-MUST | the fourth |  |`)
  })
})

describe("the committed lists", () => {
  const committed = readRequirements()

  it("have both eras, each id once, and a few words on it", () => {
    const ids = committed.map((requirement) => requirement.id)
    expect(ids.filter((name) => name.startsWith("V25-"))).toHaveLength(282)
    expect(ids.filter((name) => name.startsWith("V26-"))).toHaveLength(432)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { id, area, summary } of committed) {
      expect(id.startsWith(`${area}-`)).toBe(true)
      expect(summary.length).toBeGreaterThan(5)
      expect(summary.length).toBeLessThan(100)
    }
  })

  it("have levels of known words only", () => {
    const word =
      /^((S-)?(MUST|SHOULD|MAY)( NOT)?|SHAPE|FACT|ENG|ADV)( \((SEP|schema|legacy|consider|if present|lower case|RFC 9728)\))?$/
    for (const { level } of committed) {
      for (const part of level.split(" / ")) expect(part).toMatch(word)
    }
  })

  it("have a name for each area", () => {
    expect(Object.keys(readAreas())).toEqual([
      ...byArea(judge({ requirements: committed, ...nothing })).keys(),
    ])
  })

  it("have excuses and waiting ones that are right, tests aside", () => {
    const given = { ...nothing, excuses: readExcuses(), later: readLater() }
    const judged = judge({ requirements: committed, ...given })
    expect(mistakes({ judged, ...given })).toEqual([])
  })
})

const nothing = {
  evidence: new Map<string, never>(),
  excuses: new Map<string, string>(),
  later: new Map<string, string>(),
}
