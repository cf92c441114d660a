import { canonicalJson } from "@entente/client"
import { plainText } from "@entente/protocol"
import type { ReportEntry, ReportKind, ServerTool } from "../projection/projection.js"
import type { NameRule } from "../provider/name-rule.js"
import { hashedName, nameFor, whyHashed } from "./tool-name.js"

/** What some tools are called. */
export interface AssignedNames {
  /**
   * In the order of the tools, each name once. Undefined for a tool whose server has another one of that name
   * before it: the first counts, and this one has to be left out.
   */
  readonly names: ReadonlyArray<string | undefined>
  readonly report: ReadonlyArray<ReportEntry>
}

/** How many servers a sentence names. */
const shownServers = 3

const quoted = (text: string): string => JSON.stringify(plainText(text, 60))

const entry = (kind: ReportKind, { server, tool }: ServerTool, detail: string): ReportEntry => ({
  kind,
  server,
  tool: tool.name,
  pointer: "/name",
  detail,
})

/** The servers of each tool's name, in the order in which they come. */
const serversByTool = (tools: ReadonlyArray<ServerTool>): ReadonlyMap<string, Set<string>> => {
  const servers = new Map<string, Set<string>>()
  for (const { server, tool } of tools) {
    const known = servers.get(tool.name)
    if (known === undefined) servers.set(tool.name, new Set([server]))
    else known.add(server)
  }
  return servers
}

/** Says with whom a tool shares its own name (C080). */
const sharing = (server: string, servers: ReadonlySet<string>): string => {
  const others: Array<string> = []
  for (const other of servers) {
    if (others.length === shownServers) break
    if (other !== server) others.push(quoted(other))
  }
  const more = servers.size - 1 - others.length
  const named = others.join(", ") + (more > 0 ? ` and ${more} more` : "")
  return `There is a tool of this name on ${named} as well; the ids of the servers keep them apart.`
}

/** The names that tools claim, and who claims each: one tool but for one case in 2^48. */
type Claims = Map<string, Array<number>>

const claimsOf = (tools: ReadonlyArray<ServerTool>, rule: NameRule): Claims => {
  const claims: Claims = new Map()
  const seen = new Map<string, Set<string>>()
  tools.forEach(({ server, tool }, index) => {
    const known = seen.get(server) ?? new Set()
    seen.set(server, known)
    if (known.has(tool.name)) return
    known.add(tool.name)
    const name = nameFor(server, tool.name, rule)
    const claimants = claims.get(name)
    if (claimants === undefined) claims.set(name, [index])
    else claimants.push(index)
  })
  return claims
}

/** A name that a tool has got; further hashes were tried where `attempt` is above 0. */
interface Settled {
  readonly name: string
  readonly attempt: number
}

/**
 * Gives every tool one name. It is that of `nameFor`, unless the hashes of two tools are the same: then one
 * keeps it and the others try further hashes, in an order that follows from the tools and not from theirs.
 */
const settle = (
  claims: Claims,
  tools: ReadonlyArray<ServerTool>,
  rule: NameRule,
): ReadonlyMap<number, Settled> => {
  const keyOf = (index: number): string => {
    const { server, tool } = tools[index] as ServerTool // a claim has the index of a tool
    return canonicalJson([server, tool.name])
  }
  const settled = new Map<number, Settled>()
  const losers: Array<number> = []
  for (const [name, claimants] of claims) {
    const [winner, ...others] =
      claimants.length === 1
        ? claimants
        : claimants.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
    if (winner !== undefined) settled.set(winner, { name, attempt: 0 })
    losers.push(...others)
  }
  losers.sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
  const taken = new Set(claims.keys())
  for (const index of losers) {
    const { server, tool } = tools[index] as ServerTool // as above
    let attempt = 1
    while (taken.has(hashedName(server, tool.name, rule, attempt))) attempt++
    const name = hashedName(server, tool.name, rule, attempt)
    taken.add(name)
    settled.set(index, { name, attempt })
  }
  return settled
}

/** What there is to say of one tool and the name it got. */
const remarks = (
  each: ServerTool,
  settled: Settled | undefined,
  rule: NameRule,
  servers: ReadonlySet<string>,
): ReadonlyArray<ReportEntry> => {
  if (settled === undefined) {
    return [entry("rejected", each, "Its server has another tool of this name; the first counts.")]
  }
  const { server, tool } = each
  const { name, attempt } = settled
  const told: Array<ReportEntry> = []
  if (servers.size > 1) told.push(entry("collided", each, sharing(server, servers)))
  const why = whyHashed(server, tool.name, rule)
  if (why !== undefined) {
    const plain = quoted(`${server}__${tool.name}`)
    told.push(entry("renamed", each, `It is called ${name} instead of ${plain}: ${why}.`))
  }
  if (attempt > 0) {
    told.push(entry("collided", each, `Another tool has the same hash; ${name} has one more.`))
  }
  return told
}

/**
 * Names for the tools of many servers under one rule: unique, and each as `nameFor` makes it, so that none
 * depends on which other tools there are or on their order. The report has an entry where a tool is not simply
 * called `server__tool`, where several servers have a tool of the same name, and where one server has it twice.
 *
 * @example
 * const { names } = assignNames(
 *   [
 *     { server: "s1", tool: { name: "notify", inputSchema: { type: "object" } } },
 *     { server: "s2", tool: { name: "notify", inputSchema: { type: "object" } } },
 *   ],
 *   nameRules.anthropic,
 * )
 * names // ["s1__notify", "s2__notify"]
 */
export const assignNames = (tools: ReadonlyArray<ServerTool>, rule: NameRule): AssignedNames => {
  const settled = settle(claimsOf(tools, rule), tools, rule)
  const servers = serversByTool(tools)
  const none: ReadonlySet<string> = new Set()
  return {
    names: tools.map((_, index) => settled.get(index)?.name),
    report: tools.flatMap((each, index) =>
      remarks(each, settled.get(index), rule, servers.get(each.tool.name) ?? none),
    ),
  }
}
