// docs/requirements.md.
import { tally, tallyLine } from "./judge.mjs"
import { byArea, tableRows } from "./table.mjs"

const mostFiles = 3

const row = (cells) => `| ${cells.join(" | ")} |`

const escaped = (text) => text.replaceAll(/[\\`*_<>|]/g, String.raw`\$&`)

/** `packages/client/test/call.test.ts` → a link that says `client/test/call`. */
const link = (file) => `[${file.replace(/^packages\//, "").replace(/\.test\.ts$/, "")}](../${file})`

const links = (files) =>
  files.length <= mostFiles
    ? files.map(link).join(", ")
    : `${files.slice(0, mostFiles).map(link).join(", ")} and ${files.length - mostFiles} more`

const shownBy = {
  covered: ({ files }) => links(files),
  excused: ({ why }) => `excused: ${escaped(why)}`,
  later: ({ why }) => `later: ${escaped(why)}`,
  uncovered: () => "**nothing yet**",
  open: () => "",
}

const summaryOf = ({ summary, revisions }) =>
  escaped(revisions === undefined ? summary : `${summary} (${revisions})`)

const areaLines = (title, members) => [
  `### ${title}`,
  "",
  row(["id", "level", "what", "shown by"]),
  row(["---", "---", "---", "---"]),
  ...members.map((requirement) =>
    row([
      requirement.id,
      requirement.level,
      summaryOf(requirement),
      shownBy[requirement.verdict](requirement),
    ]),
  ),
  "",
]

const anchor = (heading) =>
  heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9 _-]/g, "")
    .replaceAll(" ", "-")

/** The table that the command prints, each area with a link to its part of the page. */
const overview = (judged, areas) => {
  const [head, ...rows] = tableRows(judged)
  return [
    row(head),
    row(["---", ...head.slice(1).map(() => "---:")]),
    ...rows.map(([area, ...counts]) => {
      const title = `${area}: ${areas[area]}`
      return row([`[${escaped(title)}](#${anchor(title)})`, ...counts])
    }),
    "",
  ]
}

const eras = [
  ["V25-", "2024-11-05 to 2025-11-25"],
  ["V26-", "2026-07-28"],
]

/** The whole page. */
export const pageText = (judged, areas) => {
  const all = [...byArea(judged)]
  const lines = [
    "# Requirements",
    "",
    "What the specification asks of a client, and which test shows it. This page is written by `pnpm requirements --write`; nothing in it is",
    "written by hand.",
    "",
    "- **level**: MUST, SHOULD and MAY bind the client, S-MUST, S-SHOULD and S-MAY the server. SHAPE is a fact about types that binds both like a",
    "  MUST. FACT is a plain statement. ENG and ADV are not in the specification: they are what is needed to keep to it. In parentheses:",
    "  where the keyword stands, if not in the specification.",
    "- **what** is a reminder in a few words, not the text of the specification; in parentheses the revisions, if not all of the era.",
    "- **shown by**: files with a passing test that carries the id in its title. Empty where no test is demanded.",
    "",
    `Of what a client MUST do: ${tallyLine(tally(judged))}; what waits for authorization is not counted. By area:`,
    "",
    ...overview(judged, areas),
    ...eras.flatMap(([prefix, title]) => [
      `## ${title}`,
      "",
      ...all
        .filter(([area]) => area.startsWith(prefix))
        .flatMap(([area, members]) => areaLines(`${area}: ${escaped(areas[area])}`, members)),
    ]),
  ]
  return `${lines.join("\n").trimEnd()}\n`
}
