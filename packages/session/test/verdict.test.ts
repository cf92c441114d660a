import { legacyRevisions, modernRevisions } from "@entente/protocol"
import { describe, expect, it } from "vitest"
import {
  candidatesOf,
  readVerdict,
  rememberDiscover,
  verdictForAnother,
  type Verdict,
} from "../src/index.js"
import { discoverResult } from "./support/answers.js"

const at = "2026-08-01T00:00:00.000Z"
const legacy: Verdict = {
  era: "legacy",
  revision: "2025-11-25",
  evidence: "initialize: a result for version 2025-11-25",
  at,
  quirks: ["version-header-at-initialize", "http+sse"],
}
const modern: Verdict = {
  era: "modern",
  revision: "2026-07-28",
  evidence: "server/discover: a result",
  at,
  quirks: [],
  discover: discoverResult("2026-07-28"),
}

describe("readVerdict", () => {
  it.each([legacy, modern])("reads back what was written: %j", (verdict) => {
    expect(readVerdict(JSON.parse(JSON.stringify(verdict)))).toEqual(verdict)
  })

  it.each([
    null,
    [],
    "modern",
    { ...legacy, era: "ancient" },
    { ...legacy, revision: "2026-07-28" },
    { ...modern, revision: "2025-11-25" },
    { ...legacy, revision: "2099-01-01" },
    { ...legacy, evidence: 7 },
    { ...legacy, at: "yesterday" },
    { ...legacy, at: "9".repeat(100) },
  ])("takes nothing from %j", (value) => {
    expect(readVerdict(value)).toBeUndefined()
  })

  it("drops what it does not know, and cleans what it shows", () => {
    const value = {
      ...legacy,
      quirks: ["new", 7],
      evidence: "\u001b[31mred",
      __proto__: null,
      x: 1,
    }
    expect(readVerdict(value)).toEqual({ ...legacy, quirks: [], evidence: "[31mred" })
  })

  it("drops a DiscoverResult that is none: the era is still known", () => {
    expect(readVerdict({ ...modern, discover: { tools: [] } })).toEqual({
      era: "modern",
      revision: "2026-07-28",
      evidence: "server/discover: a result",
      at,
      quirks: [],
    })
  })
})

describe("rememberDiscover", () => {
  const later = "2026-09-01T00:00:00.000Z"

  it("a late DiscoverResult makes the next start modern", () => {
    const discover = discoverResult("2026-07-28")
    const remembered = rememberDiscover(legacy, discover, candidatesOf("auto"), later)
    expect(remembered).toMatchObject({ era: "modern", revision: "2026-07-28", at: later, discover })
  })

  it("one that names no modern version of ours changes nothing", () => {
    const discover = discoverResult("2025-11-25")
    expect(rememberDiscover(legacy, discover, candidatesOf("auto"), later)).toBe(legacy)
  })
})

describe("verdictForAnother", () => {
  const public5 = { ttlMs: 5_000, cacheScope: "public" }
  const { discover: _, ...eraAlone } = modern
  const after = (ms: number): number => Date.parse(at) + ms
  const remembering = (hints: object): Verdict => ({
    ...modern,
    discover: { ...discoverResult("2026-07-28"), ...hints },
  })

  it("V26-CACHE-02 keeps a public DiscoverResult for as long as it is fresh", () => {
    const verdict = remembering(public5)
    expect(verdictForAnother(verdict, after(0))).toBe(verdict)
    expect(verdictForAnother(verdict, after(4_999))).toBe(verdict)
    expect(verdictForAnother(verdict, after(5_000))).toEqual(eraAlone)
    expect(verdictForAnother(verdict, after(-1))).toEqual(eraAlone)
  })

  it.each([
    { ...public5, cacheScope: "private" },
    { ttlMs: 5_000 },
    { ...public5, ttlMs: 0 },
    { cacheScope: "public" },
    {},
  ])("V26-CACHE-08 V26-CACHE-09 keeps the era alone where the result says %j", (hints) => {
    const verdict = remembering({ ttlMs: undefined, cacheScope: undefined, ...hints })
    expect(verdictForAnother(verdict, after(0))).toEqual(eraAlone)
  })

  it("keeps what there is where nothing was discovered", () => {
    expect(verdictForAnother(legacy, after(1e9))).toBe(legacy)
    expect(verdictForAnother(eraAlone as Verdict, after(0))).toEqual(eraAlone)
  })
})

describe("candidatesOf", () => {
  it.each([
    ["auto", modernRevisions, legacyRevisions],
    ["modern", modernRevisions, []],
    ["legacy", [], legacyRevisions],
    ["2025-06-18", [], ["2025-06-18"]],
    ["2026-07-28", ["2026-07-28"], []],
  ] as const)("mode %s", (mode, modernOnes, legacyOnes) => {
    expect(candidatesOf(mode)).toEqual({ modern: modernOnes, legacy: legacyOnes })
  })

  it("keeps to the client's own versions, newest first whatever their order", () => {
    expect(candidatesOf("auto", ["2024-11-05", "2025-11-25"])).toEqual({
      modern: [],
      legacy: ["2025-11-25", "2024-11-05"],
    })
  })
})
