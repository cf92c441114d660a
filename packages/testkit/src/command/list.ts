import { misbehaviourGroups } from "../misbehaviour/catalogue.js"
import type { Misbehaviour } from "../misbehaviour/misbehaviour.js"
import type { Io } from "./io.js"

/** What is told of a misbehaviour: everything but its script, a function that JSON leaves out. */
const told = (group: string, misbehaviour: Misbehaviour) => ({ group, ...misbehaviour })

const entries = Object.entries(misbehaviourGroups)

const asJson = (): string =>
  `${JSON.stringify(
    entries.flatMap(([group, members]) => members.map((one) => told(group, one))),
    null,
    2,
  )}\n`

const asTable = (): string => {
  const rows = entries.flatMap(([group, members]) => [
    ["", ""] as const,
    [group, ""] as const,
    ...members.map(({ name, over, sentence }) => [`  ${name}`, over.join(","), sentence] as const),
  ])
  const width = (column: 0 | 1): number => Math.max(...rows.map((row) => row[column].length))
  const [first, second] = [width(0), width(1)]
  return rows
    .slice(1)
    .map(([name, over, sentence = ""]) =>
      `${name.padEnd(first)}  ${over.padEnd(second)}  ${sentence}`.trimEnd(),
    )
    .join("\n")
    .concat("\n")
}

/** Writes the catalogue: a table by groups, or everything as JSON. */
export const list = (json: boolean, { stdout }: Io): void =>
  void stdout.write(json ? asJson() : asTable())
