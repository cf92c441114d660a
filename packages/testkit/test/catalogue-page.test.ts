import { expect, it } from "vitest"
import { misbehaviourGroups, misbehaviours, type Misbehaviour } from "../src/node.js"

/** A text as Markdown shows it. */
const cell = (text: string): string => text.replace(/[|_*]/g, "\\$&").replaceAll("<", "&lt;")

const row = ({ name, over, eras, sentence, outcome, ids, ...rest }: Misbehaviour): string =>
  `| ${[
    `\`${name}\``,
    cell(sentence),
    cell(outcome) + (rest.settles === "at-time-limit" ? " ⏱" : ""),
    rest.try,
    `${over.join(", ")} · ${eras.join(", ")}`,
    ids.join(", "),
  ].join(" | ")} |`

const page = `# Misbehaviours

${misbehaviours.length} ways in which servers break the protocol, or the nerves of a client. Each is served by
\`npx entente-testkit serve NAME\`, and started in a test by \`startMisbehaviour(name)\`; see the
[README](README.md). ⏱ marks those where a good client is done only when its own time limit is over. Ids are requirements of
the revisions (V25, V26) and faults met in the field (C).

This page is written by its test: \`pnpm vitest run --project unit packages/testkit/test/catalogue-page.test.ts -u\`.
${Object.entries(misbehaviourGroups)
  .map(
    ([group, members]) => `
## ${group}

| name | the server | a good client | try | over | about |
|---|---|---|---|---|---|
${members.map(row).join("\n")}
`,
  )
  .join("")}`

it("the page of misbehaviours is the catalogue", async () => {
  await expect(page).toMatchFileSnapshot("../MISBEHAVIOURS.md")
})
