import {
  certainty,
  countsText,
  eraText,
  exchangeAround,
  exchangeText,
  familyOf,
  stageMarks,
  verdictMarks,
  verdictWords,
  type Diagnosis,
  type Hypothesis,
  type Report,
  type Verdict,
} from "@entente/doctor"
import { isStyled, type Style } from "./style.js"
import { oneLine } from "./visible-text.js"
import { widthOf } from "./width.js"
import { beside, wrap } from "./wrap.js"

type Lines = ReadonlyArray<string>

const verdictPaints: Readonly<Record<Verdict, "good" | "warning" | "bad">> = {
  healthy: "good",
  degraded: "warning",
  failed: "bad",
}

/** `✗ failed`, in its colour. */
export const verdictLabel = (verdict: Verdict, style: Style): string =>
  style[verdictPaints[verdict]](`${verdictMarks[verdict]} ${verdict}`)

const stagePaints = { ok: "good", warn: "warning", failed: "bad" } as const

/** Columns of the longest name of a stage. */
const stageColumns = "negotiate".length

const stageLines = ({ stages }: Diagnosis, width: number, style: Style): Lines =>
  stages.flatMap(({ stage, status, detail }) => {
    const isReached = status !== "not-reached"
    const mark = isReached ? style[stagePaints[status]](stageMarks[status]) : stageMarks[status]
    const label = `  ${mark} ${stage.padEnd(stageColumns)}  `
    const lines = beside(label, stageColumns + 6, oneLine(detail), width)
    return isReached ? lines : lines.map(style.dim)
  })

const head = ({ name, diagnosis }: Report, width: number, style: Style): Lines => {
  const { verdict, counts } = diagnosis
  const era = eraText(diagnosis)
  return [
    ...beside(
      `${style.bold(verdictLabel(verdict, style))}  `,
      verdict.length + 4,
      [name, ...(era === "" ? [] : [era])].map(oneLine).join(" · "),
      width,
    ),
    ...beside("  ", 2, verdictWords(diagnosis), width),
    ...beside("  ", 2, countsText(counts), width).map(style.bold),
  ]
}

/** Columns of the labels beside what a cause says. */
const labelColumns = 10

const labelled = (
  label: string,
  text: string,
  width: number,
  paint: (text: string) => string,
): Lines => beside(`  ${paint(label.padEnd(labelColumns - 2))}`, labelColumns, oneLine(text), width)

const causeLines = (report: Report, cause: Hypothesis, width: number, style: Style): Lines => {
  const { code, confidence, title, evidence, expected, fix, next } = cause
  const exchange = exchangeText(exchangeAround(report.trace, evidence), {
    width,
    measure: widthOf,
    visible: oneLine,
    dim: style.dim,
    bold: style.bold,
    ...(isStyled(style)
      ? { marked: (text: string): string => style.bad(style.bold(style.underline(text))) }
      : {}),
  })
  return [
    "",
    ...wrap(oneLine(title), width).map(style.bold),
    ...beside("  ", 2, `${code} · ${familyOf(cause)} · ${certainty(confidence)}`, width),
    ...(exchange.length === 0 ? [] : ["", ...exchange]),
    "",
    ...beside("  ", 2, `A right exchange has: ${oneLine(expected)}`, width),
    "",
    ...labelled("server", fix.server, width, style.dim),
    ...labelled("proxy", fix.proxy, width, style.dim),
    ...labelled("client", fix.client, width, style.dim),
    // Not wrapped: it is to be copied.
    ...labelled("next", next, Number.POSITIVE_INFINITY, style.dim),
  ]
}

const firstCause = (
  report: Report,
  cause: Hypothesis | undefined,
  width: number,
  style: Style,
): Lines =>
  cause === undefined
    ? ["", ...wrap("No cause that the doctor knows shows here.", width)]
    : causeLines(report, cause, width, style)

const shortCauses = (
  title: string,
  causes: ReadonlyArray<Hypothesis>,
  width: number,
  style: Style,
): Lines =>
  causes.length === 0
    ? []
    : [
        "",
        style.bold(title),
        ...causes.flatMap(({ confidence, title: what, code }) => {
          const share = `${Math.round(confidence * 100)} %`.padStart(5)
          return beside(`  ${style.dim(share)}  `, 9, `${oneLine(what)} (${oneLine(code)})`, width)
        }),
      ]

const remarkLines = ({ remarks }: Diagnosis, width: number, style: Style): Lines =>
  remarks.length === 0
    ? []
    : [
        "",
        style.bold("Remarks"),
        ...remarks.flatMap(({ code, count, detail }) => {
          const label = `${oneLine(code)} ×${count}`
          return beside("  ", 2, `${label}: ${oneLine(detail)}`, width)
        }),
      ]

/** A diagnosis for people: the verdict, where tools are lost, the likeliest cause in full, the rest in short. */
export const diagnosisText = (report: Report, width: number, style: Style): Lines => {
  const { diagnosis } = report
  const { verdict, hypotheses } = diagnosis
  const [first, ...others] = hypotheses
  const isIll = verdict !== "healthy"
  return [
    ...head(report, width, style),
    "",
    ...stageLines(diagnosis, width, style),
    ...(isIll ? firstCause(report, first, width, style) : []),
    ...(isIll
      ? shortCauses("Other causes", others, width, style)
      : shortCauses("Worth knowing", hypotheses, width, style)),
    ...remarkLines(diagnosis, width, style),
  ]
}
