import type { ConfigNode } from "../document/node.js"
import type { HidingRule, MemberPath } from "./hiding-row.js"

/** What a rule is asked about. */
export interface Asked {
  readonly server: string
  /** Whether a file of the project names it, or one of the user. */
  readonly scope: "project" | "user"
  /** The project's folder. */
  readonly cwd: string
}

/** Names of tools in a file, as they are compared. */
export interface ToolNames {
  /** Exact names, as the server calls its tools. */
  readonly names: ReadonlyArray<string>
  /** With `*` and `?`, for `prefix` and the tool's name after it. */
  readonly patterns: ReadonlyArray<string>
  readonly prefix: string
  /** What wins over them; whole names, or patterns as above. */
  readonly except: ReadonlyArray<string>
}

/** What a rule says about a server. */
export type Effect =
  | { readonly kind: "off" }
  | { readonly kind: "approved" }
  | ({ readonly kind: "allow" | "deny" } & ToolNames)

const isPattern = (name: string): boolean => /[*?]/.test(name)

/** Names of servers as they stand in the names of tools. */
const wordOf = (server: string): string => server.replaceAll(/[^A-Za-z0-9_-]/g, "_")

/** The value at a path of members. */
export const nodeAt = (
  root: ConfigNode | undefined,
  path: MemberPath,
  { server, cwd }: Pick<Asked, "server" | "cwd">,
): ConfigNode | undefined => {
  const stands: Readonly<Record<string, string>> = {
    "{cwd}": cwd,
    "{server}": server.toLowerCase().trim(),
  }
  return path.reduce<ConfigNode | undefined>(
    (node, name) => (node?.kind === "object" ? node.members.get(stands[name] ?? name) : undefined),
    root,
  )
}

const textOf = (node: ConfigNode | undefined): string | undefined =>
  node?.kind === "scalar" && typeof node.value === "string" ? node.value : undefined

const textsOf = (node: ConfigNode, member?: string): ReadonlyArray<string> =>
  node.kind !== "list"
    ? []
    : node.items.flatMap((item) => {
        const text = textOf(
          item.kind === "object" && member !== undefined ? item.members.get(member) : item,
        )
        return text === undefined ? [] : [text]
      })

/** Whether a pattern may fit a name that begins so: it cannot where its own beginning is another. */
const mayFit = (pattern: string, prefix: string): boolean => {
  const head = pattern.slice(0, pattern.search(/[*?]/))
  return head.startsWith(prefix) || prefix.startsWith(head)
}

/** Sorts names that a client has given its tools; those of other servers are left out. */
const toolNames = (written: ReadonlyArray<string>, prefix: string): ToolNames => {
  const names: Array<string> = []
  const patterns: Array<string> = []
  const whole = prefix.replace(/_+$/, "")
  for (const name of written) {
    if (name === whole) patterns.push(`${prefix}*`)
    else if (isPattern(name)) {
      if (mayFit(name, prefix)) patterns.push(name)
    } else if (name.startsWith(prefix)) names.push(name.slice(prefix.length))
  }
  return { names, patterns, prefix, except: [] }
}

/** The names that take tools away, each with those after it that give some back. */
const switches = (
  node: ConfigNode,
  prefix: string,
  off: ReadonlyArray<string | boolean>,
): ReadonlyArray<Effect> => {
  if (node.kind === "list") return []
  // A single word speaks of every tool.
  const members = node.kind === "object" ? node.members : new Map([["*", node]])
  const written = [...members].flatMap(([name, value]) =>
    value.kind === "scalar" && value.value !== null
      ? [{ name, takesAway: off.some((one) => one === value.value) }]
      : [],
  )
  // Neighbours that say the same are one list: there are seldom more than two.
  const runs: Array<{ readonly takesAway: boolean; readonly names: Array<string> }> = []
  for (const { name, takesAway } of written) {
    const last = runs.at(-1)
    if (last?.takesAway === takesAway) last.names.push(name)
    else runs.push({ takesAway, names: [name] })
  }
  return runs.slice(0, maxRuns).flatMap(({ takesAway, names }, index): ReadonlyArray<Effect> => {
    if (!takesAway) return []
    const later = runs.slice(index + 1, maxRuns).filter((run) => !run.takesAway)
    const { names: exact, patterns } = toolNames(
      later.flatMap((run) => run.names),
      prefix,
    )
    return [{ kind: "deny", ...toolNames(names, prefix), except: [...exact, ...patterns] }]
  })
}

/** Turns from on to off and back that are looked at in one object: nobody writes more, but somebody may. */
const maxRuns = 50

const isListed = (node: ConfigNode, server: string, member?: string): boolean =>
  textsOf(node, member).includes(server)

/** What one value says about a server: nothing, where it is not of the kind that the rule is about. */
export const applyRule = (
  rule: HidingRule,
  node: ConfigNode,
  { server }: Asked,
): ReadonlyArray<Effect> => {
  const given = node.kind === "scalar" ? node.value : undefined
  switch (rule.means) {
    case "off":
      return isListed(node, server, rule.name) ? [{ kind: "off" }] : []
    case "only":
      return textsOf(node).length > 0 && !isListed(node, server) ? [{ kind: "off" }] : []
    case "off-if":
      return given === rule.value ? [{ kind: "off" }] : []
    case "approved":
      return isListed(node, server) ? [{ kind: "approved" }] : []
    case "approved-if":
      return given === rule.value ? [{ kind: "approved" }] : []
    case "denied-tools":
    case "only-tools": {
      if (node.kind !== "list") return []
      const prefix = rule.prefix.replace("{server}", () => wordOf(server))
      const found = toolNames(textsOf(node), prefix)
      const isEmpty = found.names.length + found.patterns.length === 0
      if (rule.means === "only-tools") return [{ kind: "allow", ...found }]
      return isEmpty ? [] : [{ kind: "deny", ...found }]
    }
    case "tool-switches": {
      const prefix = rule.prefix.replace("{server}", () => wordOf(server))
      return switches(node, prefix, rule.off).filter(
        (effect) => effect.kind !== "deny" || effect.names.length + effect.patterns.length > 0,
      )
    }
  }
}
