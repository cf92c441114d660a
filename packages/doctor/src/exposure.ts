import type { ClientView, ToolFilter } from "./context.js"
import { nearNames } from "./client-side/near-name.js"
import { filterOf, wordOf } from "./client-side/tool-filter.js"

/** A tool that the server offers and the client keeps from its model. */
export interface HiddenTool {
  readonly tool: string
  /** `disabled`: the client has none of the server's tools. */
  readonly why: "disabled" | "not-allowed" | "denied" | "over-cap"
  /** The member and file that say so, for people. */
  readonly where: string
}

/** A name in a list that no tool has, and the one that was meant. */
export interface NearMiss {
  readonly name: string
  readonly meant: string
}

/** What becomes of a server's tools in a client. */
export interface Exposure {
  /** Each name once, in the order of the server. */
  readonly exposed: ReadonlyArray<string>
  readonly hidden: ReadonlyArray<HiddenTool>
  /** Names in the lists for this server that it does not offer. */
  readonly unknownNames: ReadonlyArray<string>
  /** Those of them whose spelling is close to that of a tool. */
  readonly nearMisses: ReadonlyArray<NearMiss>
}

/** All lists of one kind. */
const lists = (view: ClientView, kind: "allow" | "deny"): ReadonlyArray<ToolFilter> => {
  const own = view[kind]
  const further = (view.further ?? []).filter((filter) => filter.kind === kind)
  return own === undefined ? further : [own, ...further]
}

/** What says that the client has none of the tools. */
const awayBecause = ({ disabledBy, troubles }: ClientView): string | undefined => {
  if (disabledBy !== undefined) return disabledBy
  const trouble = troubles.find(({ keepsAway }) => keepsAway === true)
  return trouble === undefined ? undefined : (trouble.where ?? trouble.message)
}

/** Unknown names that are told of; a list may hold any number of them. */
const nameLimit = 100

/** The names of lists that are those of no tool. */
const unknownIn = (
  filters: ReadonlyArray<ToolFilter>,
  offered: ReadonlyArray<string>,
): ReadonlyArray<string> => {
  const known = new Set(offered)
  const words = new Set(offered.map(wordOf))
  const unknown = filters.flatMap(({ names, prefix }) =>
    names.filter((name) => !known.has(name) && (prefix === undefined || !words.has(name))),
  )
  return [...new Set(unknown)].slice(0, nameLimit)
}

/**
 * Says which of the tools that a server offers reach the model through a client, and what hides each of the others.
 * A list of denied tools wins over one of allowed tools. It never throws.
 *
 * @example
 * exposure(view, ["read", "write"]).hidden // [{ tool: "write", why: "not-allowed", where: "enabled_tools in …" }]
 */
export const exposure = (view: ClientView, tools: ReadonlyArray<string>): Exposure => {
  const offered = [...new Set(tools)]
  const prepared = (kind: "allow" | "deny") =>
    lists(view, kind).map((filter) => ({ names: filterOf(filter), where: filter.where }))
  const [allows, denies] = [prepared("allow"), prepared("deny")]
  const away = awayBecause(view)
  const { cap } = view
  const room =
    cap === undefined || cap.doubtful === true
      ? Number.POSITIVE_INFINITY
      : Math.max(0, cap.limit - (cap.others ?? 0))

  const exposed: Array<string> = []
  const hidden: Array<HiddenTool> = []
  for (const tool of offered) {
    const hide = (why: HiddenTool["why"], where: string) => hidden.push({ tool, why, where })
    const denied = away === undefined ? denies.find(({ names }) => names(tool)) : undefined
    const missing = away === undefined ? allows.find(({ names }) => !names(tool)) : undefined
    if (away !== undefined) hide("disabled", away)
    else if (denied !== undefined) hide("denied", denied.where)
    else if (missing !== undefined) hide("not-allowed", missing.where)
    else if (exposed.length >= room) hide("over-cap", cap?.where ?? "")
    else exposed.push(tool)
  }

  const unknownNames = unknownIn([...lists(view, "allow"), ...lists(view, "deny")], offered)
  const meantBy = nearNames(offered, view.server)
  const nearMisses = unknownNames.flatMap((name) => {
    const meant = meantBy(name)
    return meant === undefined ? [] : [{ name, meant }]
  })
  return { exposed, hidden, unknownNames, nearMisses }
}
