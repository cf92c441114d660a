// The same arrows stand in docs/architecture.md for people, and must be the same.

const file = "docs/architecture.md"
const arrow = /^(\S+) ─► (.*)$/

/** The lines of the page's `text` block, one for each package. */
export const architectureLines = (arrows) =>
  Object.entries(arrows).map(
    ([name, targets]) =>
      `${name} ─► ${targets.length === 0 ? "(none of ours)" : targets.join(", ")}`,
  )

/** Targets as a set; a target that is only a remark in parentheses is none. */
const parseTargets = (text) =>
  text
    .split(",")
    .map((target) => target.trim())
    .filter((target) => !target.startsWith("("))

/** Arrows in fenced blocks; the page's sentences may speak of arrows too. */
const readArrows = (page) => {
  const found = new Map()
  let fenced = false
  for (const [index, line] of page.split("\n").entries()) {
    if (line.startsWith("```")) fenced = !fenced
    const match = fenced ? arrow.exec(line.trim()) : null
    if (match !== null) found.set(match[1], { line: index + 1, targets: parseTargets(match[2]) })
  }
  return found
}

const sameSet = (a, b) => a.length === b.length && a.every((item) => b.includes(item))

/** Every difference between the page and the table. */
export const architectureViolations = (page, arrows) => {
  if (page === undefined) return [{ file, line: 1, message: "is missing" }]
  const written = readArrows(page)
  const expected = architectureLines(arrows)
  const missing = Object.keys(arrows).flatMap((name, index) => {
    const { line, targets } = written.get(name) ?? { line: 1 }
    return targets !== undefined && sameSet(targets, arrows[name])
      ? []
      : [{ file, line, message: `must have the line \`${expected[index]}\`` }]
  })
  const surplus = [...written].flatMap(([name, { line }]) =>
    name in arrows ? [] : [{ file, line, message: `has an arrow for ${name}, the table has none` }],
  )
  return [...missing, ...surplus]
}
