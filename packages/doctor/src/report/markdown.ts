import { plainText } from "@entente/protocol"
import type { Diagnosis, Hypothesis } from "../diagnosis.js"
import { exchangeAround } from "./exchange.js"
import { exchangeText } from "./exchange-text.js"
import { codeBlock, codeSpan, inline, markdownTable } from "./markdown-text.js"
import type { Report } from "./report.js"
import {
  certainty,
  countsText,
  eraText,
  familyOf,
  stageMarks,
  verdictMarks,
  verdictWords,
} from "./wording.js"

/** Columns of an excerpt in a block of code. */
const blockWidth = 110

const heading = ({ name, diagnosis: { verdict } }: Report): string =>
  `${verdictMarks[verdict]} ${verdict}: ${codeSpan(name)}`

const summary = (diagnosis: Diagnosis): string => {
  const era = eraText(diagnosis)
  const spoken = era === "" ? "" : ` Spoken: ${inline(era)}.`
  return `${verdictWords(diagnosis)}${spoken} Tools: ${countsText(diagnosis.counts)}.`
}

const stages = ({ stages: all }: Diagnosis): ReadonlyArray<string> =>
  markdownTable(
    ["", "stage", "what was seen"],
    all.map(({ stage, status, detail }) => [stageMarks[status], stage, inline(detail)]),
  )

const exchange = (report: Report, { evidence }: Hypothesis): ReadonlyArray<string> => {
  const items = exchangeAround(report.trace, evidence)
  if (items.length === 0) return []
  return [...codeBlock(exchangeText(items, { width: blockWidth, visible: plainText })), ""]
}

const firstCause = (report: Report, cause: Hypothesis): ReadonlyArray<string> => {
  const { code, confidence, title, expected, fix, next } = cause
  return [
    "",
    `#### ${inline(title)}`,
    "",
    `Code ${codeSpan(code)} · ${familyOf(cause)} · ${certainty(confidence)}`,
    "",
    ...exchange(report, cause),
    `**A right exchange has:** ${inline(expected)}`,
    "",
    `- **Author of the server:** ${inline(fix.server)}`,
    `- **Operator of a proxy:** ${inline(fix.proxy)}`,
    `- **User of the client:** ${inline(fix.client)}`,
    "",
    `**Next:** ${codeSpan(next)}`,
  ]
}

const others = (causes: ReadonlyArray<Hypothesis>): ReadonlyArray<string> =>
  causes.length === 0
    ? []
    : [
        "",
        "#### Other causes",
        "",
        ...markdownTable(
          ["confidence", "cause", "code"],
          causes.map(({ confidence, title, code }) => [
            certainty(confidence),
            inline(title),
            codeSpan(code),
          ]),
        ),
      ]

const remarks = ({ remarks: all }: Diagnosis): ReadonlyArray<string> =>
  all.length === 0
    ? []
    : [
        "",
        "#### Remarks",
        "",
        ...all.map(({ code, count, detail }) => `- ${codeSpan(code)} ×${count}: ${inline(detail)}`),
      ]

const one = (report: Report): ReadonlyArray<string> => {
  const { diagnosis } = report
  const [first, ...more] = diagnosis.hypotheses
  return [
    `### ${heading(report)}`,
    "",
    summary(diagnosis),
    "",
    ...stages(diagnosis),
    ...(first === undefined ? [] : firstCause(report, first)),
    ...others(more),
    ...remarks(diagnosis),
  ]
}

const overview = (reports: ReadonlyArray<Report>): ReadonlyArray<string> =>
  markdownTable(
    ["", "server", "spoken", "tools", "first cause"],
    reports.map(({ name, diagnosis }) => [
      verdictMarks[diagnosis.verdict],
      codeSpan(name),
      inline(eraText(diagnosis)),
      countsText(diagnosis.counts),
      inline(diagnosis.hypotheses[0]?.title ?? ""),
    ]),
  )

/**
 * Diagnoses as Markdown, to be pasted into an issue: with several of them a table first. Whatever a server has said is
 * shown as it is, and never becomes mark-up, HTML, a link or a mention.
 *
 * @example
 * const { trace, diagnosis } = await examine({ transport: () => http(url) })
 * markdownReport([{ name: url, diagnosis, trace }])
 */
export const markdownReport = (reports: ReadonlyArray<Report>): string => {
  const sections = reports.map((report) => one(report).join("\n"))
  const all = reports.length > 1 ? [overview(reports).join("\n"), ...sections] : sections
  return `${all.join("\n\n")}\n`
}
