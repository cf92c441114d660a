import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { diagnose, junitReport, type Diagnosis, type Report } from "@entente/doctor"
import { hostileTexts, reportWith } from "./hostile-report.js"
import { xmlFault } from "./well-formed.js"

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'

describe("the check of these tests", () => {
  it.each([
    ["<a><b></a></b>", "closes"],
    ["<a>", "not closed"],
    ["<a/><b/>", "two roots"],
    ["<a>&nbsp;</a>", "cannot be read"],
    ["<a>< </a>", "cannot be read"],
    ['<a b="<"/>', "cannot be read"],
    ['<a b="1" b="2"/>', "twice"],
    ["<a>\u0001</a>", "character"],
    ["<a>\ud800</a>", "character"],
    ["<a/>text", "outside"],
    ["<a>]]></a>", "section"],
    ["", "no root"],
  ])("refuses %j", (document, why) => {
    expect(xmlFault(declaration + document)).toContain(why)
  })

  it("takes what is well-formed", () => {
    expect(xmlFault(`${declaration}<a b="&lt;x">t &amp; u<c/></a>\n`)).toBeUndefined()
  })
})

const healthy: Report = {
  name: "fine",
  trace: [],
  diagnosis: {
    verdict: "healthy",
    era: "modern",
    protocolVersion: "2026-07-28",
    stages: [
      { stage: "spawn", status: "ok", detail: "It is there." },
      { stage: "bytes", status: "warn", detail: "5 messages, and a banner." },
      { stage: "project", status: "not-reached", detail: "Nobody asked." },
    ],
    counts: { raw: 2, accepted: 2, exposed: 2 },
    hypotheses: [],
    remarks: [],
  },
}

const failures = (xml: string): number => xml.match(/<failure /g)?.length ?? 0

describe("junitReport", () => {
  it.each(hostileTexts)("is well-formed when a server says %j", (text) => {
    const xml = junitReport([reportWith(text), healthy])
    expect(xmlFault(xml)).toBeUndefined()
    expect(xml).not.toMatch(/(?![\n])[\p{Cc}\p{Cf}]/u)
  })

  it("is well-formed whatever a server says", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), (text) => {
        expect(xmlFault(junitReport([reportWith(text)]))).toBeUndefined()
      }),
    )
  })

  it("has one testcase for the verdict, each stage and each family, and no failure where all is well", () => {
    const xml = junitReport([healthy])
    const names = [...xml.matchAll(/<testcase classname="fine\.(\w+)" name="([^"]+)"/g)]
    expect(names.map(([, group, name]) => `${group} ${name}`)).toEqual([
      "verdict healthy",
      "stage spawn",
      "stage bytes",
      "stage project",
      "cause 0 reaching the server",
      "cause 1 capabilities",
      "cause 2 listing",
      "cause 3 session",
      "cause 4 version",
      "cause 5 cached or filtered",
      "cause 6 authorization",
    ])
    // A warning alone fails no build.
    expect(failures(xml)).toBe(0)
    expect(xml).toContain('tests="11" failures="0" errors="0" skipped="1"')
  })

  it("fails the verdict, the stages and the families that are at fault", () => {
    const xml = junitReport([reportWith("x")])
    expect(failures(xml)).toBe(3)
    expect(xml).toContain('tests="9" failures="3" errors="0" skipped="0"')
    expect(xml).toContain('<failure type="failed" message="No tool reaches the model.">')
    expect(xml).toMatch(/name="2 listing"[^]*?<failure type="x" message="It says x">/)
  })

  it("fails at least once for everything that is not healthy, also where no cause is known", () => {
    const diagnosis: Diagnosis = diagnose([])
    expect([diagnosis.verdict, diagnosis.hypotheses]).not.toContain("healthy")
    expect(failures(junitReport([{ name: "nothing", diagnosis, trace: [] }]))).toBeGreaterThan(0)
  })
})
