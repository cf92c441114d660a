/**
 * A strict grammar of the state diagrams that `toMermaid` may write, line by line, with the rules that
 * Mermaid itself has no words for: which lines may stand where, and which arrows it can draw.
 */
const text = String.raw`(?:[^"#;:{}<>%\`\\\n]|#\d+;)+`
const id = String.raw`[A-Za-z0-9_]+`

const forms = {
  title: new RegExp(`^acc(?:Title|Descr): ${text}$`),
  open: new RegExp(`^state "${text}" as (?<id>${id}) \\{$`),
  box: new RegExp(`^state "${text}" as (?<id>${id})$`),
  fact: new RegExp(`^(?<id>${id}) : ${text}$`),
  close: /^\}$/,
  divider: /^--$/,
  start: new RegExp(`^\\[\\*\\] --> (?<id>${id})$`),
  end: new RegExp(`^(?<id>${id}) --> \\[\\*\\]$`),
  arrow: new RegExp(`^(?<from>${id}) --> (?<to>${id}) : ${text}$`),
  note: new RegExp(`^note right of (?<id>${id})$`),
} as const

const read = (line: string) => {
  for (const [form, pattern] of Object.entries(forms)) {
    const match = pattern.exec(line)
    if (match !== null) return { form: form as keyof typeof forms, names: match.groups ?? {} }
  }
  return undefined
}

/** Everything that is wrong with a diagram; empty when Mermaid would accept and draw it. */
export const faultsOf = (diagram: string): ReadonlyArray<string> => {
  const faults: Array<string> = []
  const parents = new Map<string, string | undefined>()
  const mentioned: Array<string> = []
  const arrows: Array<readonly [string, string]> = []
  const open: Array<string> = []
  let inNote = false
  const [head, ...rest] = diagram.split("\n")
  if (head !== "stateDiagram-v2") faults.push("no head")
  if (rest.pop() !== "") faults.push("no newline at the end")
  rest.forEach((raw, index) => {
    const line = raw.trim()
    const fault = (what: string) => faults.push(`line ${index + 2}: ${what}: ${line}`)
    if (inNote) {
      if (line === "end note") inNote = false
      else if (!new RegExp(`^${text}$`).test(line) || /end note/i.test(line)) fault("note text")
      return
    }
    const found = read(line)
    if (found === undefined) return fault("not in the grammar")
    const { form, names } = found
    if (names["id"] !== undefined) mentioned.push(names["id"])
    if (form === "box" || form === "open") {
      if (parents.has(names["id"] ?? "")) fault("declared twice")
      parents.set(names["id"] ?? "", open.at(-1))
    }
    if (form === "open") open.push(names["id"] ?? "")
    if (form === "close" && open.pop() === undefined) fault("nothing to close")
    if (form === "divider" && open.length === 0) fault("a region outside all boxes")
    if (form === "note") inNote = true
    if (form === "arrow") {
      if (open.length > 0) fault("an arrow inside a box")
      arrows.push([names["from"] ?? "", names["to"] ?? ""])
    }
  })
  if (open.length > 0) faults.push(`not closed: ${open.join(", ")}`)
  const isInside = (one: string | undefined, ancestor: string): boolean =>
    one !== undefined && (parents.get(one) === ancestor || isInside(parents.get(one), ancestor))
  for (const name of [...mentioned, ...arrows.flat()]) {
    if (!parents.has(name)) faults.push(`never declared: ${name}`)
  }
  for (const [from, to] of arrows) {
    if (isInside(to, from)) faults.push(`from a box into itself: ${from} --> ${to}`)
  }
  return faults
}
