import {
  type Diagnosis,
  type Evidence,
  type Family,
  type Hypothesis,
  type Stage,
} from "../diagnosis.js"
import { telling } from "../stages.js"
import { exchangeAround } from "./exchange.js"
import { exchangeText } from "./exchange-text.js"
import type { Report } from "./report.js"
import { certainty, countsText, eraText, familyNames, verdictWords } from "./wording.js"

/** What XML 1.0 has no place for, and what a person cannot see: controls, invisible formatting, halves of characters. */
const unfit = /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Cn}\p{Zl}\p{Zp}]/gu

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
}

const escaped = (text: string): string =>
  text.replace(unfit, "").replace(/[&<>"']/g, (character) => entities[character] ?? "")

type Attributes = Readonly<Record<string, string | number>>

const openTag = (name: string, attributes: Attributes): string =>
  `<${name}${Object.entries(attributes)
    // A tab or a line end in an attribute would be read as a space.
    .map(([key, value]) => ` ${key}="${escaped(String(value)).replace(/[\t\n]/g, " ")}"`)
    .join("")}`

const element = (name: string, attributes: Attributes, text?: string): string =>
  text === undefined
    ? `${openTag(name, attributes)}/>`
    : `${openTag(name, attributes)}>${escaped(text)}</${name}>`

/** How one testcase ended. */
type Outcome =
  | { readonly kind: "passed"; readonly text?: string }
  | { readonly kind: "skipped"; readonly text: string }
  | {
      readonly kind: "failed"
      readonly type: string
      readonly message: string
      readonly text: string
    }

interface Testcase {
  readonly group: string
  readonly name: string
  readonly outcome: Outcome
}

const verdictCase = (diagnosis: Diagnosis): Testcase => {
  const { verdict, counts } = diagnosis
  const text = [countsText(counts), eraText(diagnosis)].filter((line) => line !== "").join("\n")
  return {
    group: "verdict",
    name: "healthy",
    outcome:
      verdict === "healthy"
        ? { kind: "passed", text }
        : { kind: "failed", type: verdict, message: verdictWords(diagnosis), text },
  }
}

const stageOutcome = ({ status, detail }: Stage, isIll: boolean): Outcome => {
  if (status === "not-reached") return { kind: "skipped", text: detail }
  // A warning alone makes nobody ill.
  const fails = status === "failed" || (status === "warn" && isIll)
  return fails
    ? { kind: "failed", type: status, message: detail, text: detail }
    : { kind: "passed", text: detail }
}

const excerptOf = ({ frame, excerpt }: Evidence): string => `${frame}: ${excerpt}`

const causeText = (cause: Hypothesis, { trace }: Report): string => {
  const { code, confidence, title, evidence, expected, fix, next } = cause
  const items = exchangeAround(trace, evidence)
  return [
    `${title} (${code}, ${certainty(confidence)})`,
    ...(items.length === 0 ? evidence.map(excerptOf) : exchangeText(items, { width: 110 })),
    `A right exchange has: ${expected}`,
    `Author of the server: ${fix.server}`,
    `Operator of a proxy: ${fix.proxy}`,
    `User of the client: ${fix.client}`,
    `Next: ${next}`,
  ].join("\n")
}

const familyOutcome = (causes: ReadonlyArray<Hypothesis>, report: Report): Outcome => {
  const [first] = causes
  if (first === undefined) return { kind: "passed" }
  const text = causes.map((cause) => causeText(cause, report)).join("\n\n")
  const isIll = report.diagnosis.verdict !== "healthy" && first.confidence >= telling
  return isIll
    ? { kind: "failed", type: first.code, message: first.title, text }
    : { kind: "passed", text }
}

const families = Object.keys(familyNames).map(Number) as ReadonlyArray<Family> // the keys of that table

const casesOf = (report: Report): ReadonlyArray<Testcase> => {
  const { diagnosis } = report
  const isIll = diagnosis.verdict !== "healthy"
  return [
    verdictCase(diagnosis),
    ...diagnosis.stages.map((stage) => ({
      group: "stage",
      name: stage.stage,
      outcome: stageOutcome(stage, isIll),
    })),
    ...families.map((family) => ({
      group: "cause",
      name: `${family} ${familyNames[family]}`,
      outcome: familyOutcome(
        diagnosis.hypotheses.filter((cause) => cause.family === family),
        report,
      ),
    })),
  ]
}

const testcase = ({ group, name, outcome }: Testcase, server: string): ReadonlyArray<string> => {
  const open = `    ${openTag("testcase", { classname: `${server}.${group}`, name, time: 0 })}`
  switch (outcome.kind) {
    case "passed":
      return outcome.text === undefined
        ? [`${open}/>`]
        : [`${open}>`, `      ${element("system-out", {}, outcome.text)}`, "    </testcase>"]
    case "skipped":
      return [
        `${open}>`,
        `      ${element("skipped", { message: outcome.text })}`,
        "    </testcase>",
      ]
    case "failed": {
      const { type, message, text } = outcome
      return [`${open}>`, `      ${element("failure", { type, message }, text)}`, "    </testcase>"]
    }
  }
}

interface Suite {
  readonly name: string
  readonly cases: ReadonlyArray<Testcase>
}

const totals = (cases: ReadonlyArray<Testcase>): Attributes => {
  const having = (kind: Outcome["kind"]) => cases.filter(({ outcome }) => outcome.kind === kind)
  return {
    tests: cases.length,
    failures: having("failed").length,
    errors: 0,
    skipped: having("skipped").length,
    time: 0,
  }
}

const suiteLines = ({ name, cases }: Suite): ReadonlyArray<string> => [
  `  ${openTag("testsuite", { name, ...totals(cases) })}>`,
  ...cases.flatMap((one) => testcase(one, name)),
  "  </testsuite>",
]

/**
 * Diagnoses as JUnit XML, for a build that keeps test reports: a suite for each server, with a testcase for the
 * verdict, each stage and each family of causes, always the same ones. One fails if and only if something is not
 * healthy. The XML is well-formed whatever a server has said.
 */
export const junitReport = (reports: ReadonlyArray<Report>): string => {
  const suites = reports.map((report) => ({ name: report.name, cases: casesOf(report) }))
  const all = suites.flatMap(({ cases }) => cases)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `${openTag("testsuites", { name: "entente doctor", ...totals(all) })}>`,
    ...suites.flatMap(suiteLines),
    "</testsuites>",
    "",
  ].join("\n")
}
