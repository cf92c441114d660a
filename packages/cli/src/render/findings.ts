import type { CheckedConfig, ConfigFinding } from "@entente/catalog/config"
import { clients } from "@entente/catalog/config"
import type { Style } from "./style.js"
import { oneLine } from "./visible-text.js"

const place = ({ line, column }: ConfigFinding): string =>
  line === undefined ? "" : ` (line ${line}${column === undefined ? "" : `, column ${column}`})`

/** One finding on one line. */
export const findingLine = (finding: ConfigFinding, style: Style): string => {
  const { severity, server, message, code } = finding
  const paint = { error: style.bad, warning: style.warning, note: style.dim }[severity]
  const about = server === undefined ? "" : `${server}: `
  return `${paint(severity)}: ${oneLine(`${about}${message}`)} ${style.dim(`[${code}]${place(finding)}`)}`
}

/** What several clients make of the same place in the same way is said once, with their names at the end. */
const saidOnce = (findings: ReadonlyArray<ConfigFinding>): ReadonlyArray<ConfigFinding> => {
  const groups = new Map<string, Array<ConfigFinding>>()
  for (const finding of findings) {
    const { title } = clients[finding.client]
    const rest = finding.message.startsWith(title)
      ? finding.message.slice(title.length)
      : finding.message
    const key = [finding.code, finding.pointer, rest].join("\n")
    groups.set(key, [...(groups.get(key) ?? []), finding])
  }
  return [...groups].flatMap(([key, group]) => {
    const [first] = group
    if (first === undefined) return []
    if (group.length === 1) return [first]
    const names = group.map(({ client }) => clients[client].title).join(", ")
    return [{ ...first, message: `…${key.split("\n")[2] ?? ""} (${names})` }]
  })
}

const count = (number: number, what: string): string =>
  `${number} ${what}${number === 1 ? "" : "s"}`

/** What is wrong with a file, then what others would read differently. */
export const checkedFile = (
  { client, servers, findings }: CheckedConfig,
  path: string,
  style: Style,
): ReadonlyArray<string> => {
  const own = findings.filter((finding) => finding.client === client)
  const others = findings.filter((finding) => finding.client !== client)
  const head = `${style.bold(oneLine(path))} · ${clients[client].title} · ${count(servers.length, "server")}`
  return [
    head,
    ...(own.length === 0 ? [`  ${style.good("fine")} for ${clients[client].title}`] : []),
    ...own.map((finding) => `  ${findingLine(finding, style)}`),
    ...(others.length === 0 ? [] : ["  what others would read differently:"]),
    ...saidOnce(others).map((finding) => `    ${findingLine(finding, style)}`),
  ]
}
