import type { Diagnosis } from "@entente/doctor"
import type { Variant } from "./variant.js"

/** What was said of a variant. */
export interface Told {
  readonly variant: Variant
  readonly diagnosis: Diagnosis
}

const row = (cells: ReadonlyArray<string | number>): string => `| ${cells.join(" | ")} |`

const families = [
  "Reaching the server",
  "Capabilities",
  "Listing",
  "Session",
  "Version",
  "Cached or filtered",
  "Authorization",
] as const

const confidence = ({ hypotheses: [first] }: Diagnosis): string =>
  first === undefined ? "" : `${Math.round(first.confidence * 100)} %`

/** Variants × first hypothesis, as a page of the docs. */
export const confusionPage = (told: ReadonlyArray<Told>): string => {
  const right = told.filter(
    ({ variant, diagnosis }) => diagnosis.hypotheses[0]?.code === variant.expects,
  )
  const byFamily = families.flatMap((title, family) => {
    const here = told.filter(({ variant }) => variant.family === family)
    if (here.length === 0) return []
    return [
      `## ${family}. ${title}`,
      "",
      row(["variant", "era", "over", "first hypothesis", "sure", "verdict", "others"]),
      row(Array.from({ length: 7 }, () => "---")),
      ...here.map(({ variant: { name, era, over, expects }, diagnosis }) => {
        const [first, ...others] = diagnosis.hypotheses.map(({ code }) => `\`${code}\``)
        const mark = first === `\`${expects}\`` ? "" : ` ✗ (is \`${expects}\`)`
        const said = `${first ?? "none"}${mark}`
        return row([
          name,
          era,
          over,
          said,
          confidence(diagnosis),
          diagnosis.verdict,
          others.join(", "),
        ])
      }),
      "",
    ]
  })
  return [
    "# Variants and first hypotheses",
    "",
    "Each row is a scripted server, or a clumsy client, with one fault; the doctor has to name that fault first. This page is written by the",
    "test that checks it (`pnpm vitest run --project unit packages/doctor/test/variants.test.ts -u`).",
    "",
    `${right.length} of ${told.length} variants are named right.`,
    "",
    ...byFamily,
  ]
    .join("\n")
    .trimEnd()
    .concat("\n")
}
