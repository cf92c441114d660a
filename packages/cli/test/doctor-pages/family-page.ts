import { familyNames, knownCauses, type KnownCause } from "@entente/doctor"
import type { FamilyPage } from "./families.js"

/** What is shown of a family: a recorded trace, and what the command prints of it. */
export interface Shown {
  /** The trace, as a person in the repository's folder names it. */
  readonly file: string
  readonly printed: string
}

const weights: Readonly<Record<KnownCause["weight"], string>> = {
  fails: "No tool can be had because of it.",
  costs: "Some tools are missing because of it, or may be.",
  remark: "It is told, and nothing is called ill because of it.",
}

const causeLines = ({ code, title, weight, expected, fix }: KnownCause): ReadonlyArray<string> => [
  `### ${code}`,
  "",
  `${title}. ${weights[weight]}`,
  "",
  ...(expected === undefined ? [] : [`A right exchange has: ${expected}`, ""]),
  ...(fix === undefined
    ? []
    : [
        `- Author of the server: ${fix.server}`,
        `- Operator of a proxy: ${fix.proxy}`,
        `- User of the client: ${fix.client}`,
        "",
      ]),
]

/** The page of one family. */
export const familyPage = (
  { family, title, words }: FamilyPage,
  { file, printed }: Shown,
): string => {
  const causes = knownCauses.filter((cause) => cause.family === family)
  return [
    `# Family ${family}: ${title}`,
    "",
    ...words,
    "",
    "## What it looks like",
    "",
    `A connection that was recorded, and what the doctor makes of it (\`entente doctor --log ${file}\`):`,
    "",
    "```text",
    printed.trimEnd(),
    "```",
    "",
    `[Which servers show which of these](confusion.md#${family}-${familyAnchor(title)}), and how sure the doctor is.`,
    "",
    "## Causes",
    "",
    ...causes.flatMap(causeLines),
  ]
    .join("\n")
    .trimEnd()
    .concat("\n")
}

const familyAnchor = (title: string): string => title.toLowerCase().replaceAll(" ", "-")

/** The page that leads to all of them. */
export const indexPage = (pages: ReadonlyArray<FamilyPage>): string =>
  [
    "# The doctor",
    "",
    "`entente doctor` answers one question: which message is the first that differs from a working exchange, what does that mean, and what should",
    "be changed? It knows seven families of causes; each page shows a recorded connection and lists its causes with what to change.",
    "",
    ...pages.map(
      ({ family, slug, title }) =>
        `- [Family ${family}: ${title}](${slug}.md) (${knownCauses.filter((cause) => cause.family === family).length} causes; in reports: *${familyNames[family]}*)`,
    ),
    "",
    "Two tables are made by running it: [variants and first hypotheses](confusion.md), and [every misbehaviour](misbehaviours.md) of the testkit.",
    "",
    "How to get a trace out of any client: [`entente tap`](../../packages/doctor/README.md#tap). Which logs are read:",
    "[logs of other clients](../../packages/doctor/README.md#logs-of-other-clients).",
    "",
  ].join("\n")
