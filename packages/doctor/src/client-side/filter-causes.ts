import type { ClientView } from "../context.js"
import type { Exposure, HiddenTool } from "../exposure.js"
import { clientCause, notTheirs, type ClientCause } from "./cause.js"
import { counted, listsTools, shown, someOf } from "./wording.js"

/** What one list hides. */
const byPlace = (hidden: ReadonlyArray<HiddenTool>, why: HiddenTool["why"]) => {
  const places = new Map<string, Array<string>>()
  for (const one of hidden) {
    if (one.why === why) places.set(one.where, [...(places.get(one.where) ?? []), one.tool])
  }
  return [...places].map(([where, tools]) => ({ where, tools }))
}

const totalOf = ({ exposed, hidden }: Exposure): number => exposed.length + hidden.length

/** A list of allowed tools hides some of those that the server offers, or all. */
export const allowListed = (view: ClientView, seen: Exposure): ReadonlyArray<ClientCause> =>
  byPlace(seen.hidden, "not-allowed").map(({ where, tools }) => {
    const isAll = tools.length === totalOf(seen)
    return clientCause({
      code: isAll ? "allow-list-leaves-nothing" : "allow-list-hides-tools",
      confidence: isAll ? 0.97 : 0.9,
      title: isAll
        ? `${view.title} hands on no tool of ${shown(view.server)}: ${where} names none of the ${counted(tools.length, "tool")} that it offers.`
        : `${view.title} keeps back ${tools.length} of ${counted(totalOf(seen), "tool")} of ${shown(view.server)}, because ${where} does not name them: ${someOf(tools)}.`,
      expected:
        "A list of allowed tools has the exact name of every tool that is wanted, or there is no such list.",
      fix: {
        ...notTheirs,
        client: `Add the names that are missing to ${where}, or take the list away.`,
      },
      next: listsTools(view.server, view.kind),
    })
  })

/** A list of denied tools hides some of those that the server offers, or all. */
export const denyListed = (view: ClientView, seen: Exposure): ReadonlyArray<ClientCause> =>
  byPlace(seen.hidden, "denied").map(({ where, tools }) =>
    clientCause({
      code: "deny-list-hides-tools",
      confidence: tools.length === totalOf(seen) ? 0.97 : 0.9,
      title: `${view.title} keeps back ${tools.length} of ${counted(totalOf(seen), "tool")} of ${shown(view.server)}, because ${where} denies them: ${someOf(tools)}.`,
      expected: "No tool that is wanted is on a list of denied tools, or fits a pattern there.",
      fix: { ...notTheirs, client: `Take the names, or the pattern, out of ${where}.` },
      next: listsTools(view.server, view.kind),
    }),
  )

/** An empty list of allowed tools, where nobody has said yet what the server offers. */
export const emptyAllowList = (view: ClientView): ReadonlyArray<ClientCause> => {
  const empty = [
    ...(view.allow === undefined ? [] : [view.allow]),
    ...(view.further ?? []).filter(({ kind }) => kind === "allow"),
  ].find(({ names, patterns = [] }) => names.length + patterns.length === 0)
  return empty === undefined
    ? []
    : [
        clientCause({
          code: "allow-list-leaves-nothing",
          confidence: 0.95,
          title: `${view.title} hands on no tool of ${shown(view.server)}: ${empty.where} allows none.`,
          expected:
            "A list of allowed tools has the exact name of every tool that is wanted, or there is no such list.",
          fix: { ...notTheirs, client: `Add names to ${empty.where}, or take the list away.` },
          next: listsTools(view.server, view.kind),
        }),
      ]
}

/** Names in lists that the server does not have: mostly another spelling, or the name of an older version. */
export const namesNothing = (
  view: ClientView,
  { unknownNames, nearMisses }: Exposure,
): ReadonlyArray<ClientCause> => {
  if (unknownNames.length === 0) return []
  const [near] = nearMisses
  const meant =
    near === undefined ? "" : ` ${shown(near.name)} is probably meant for ${shown(near.meant)}.`
  return [
    clientCause({
      code: "filter-names-nothing",
      confidence: near === undefined ? 0.5 : 0.8,
      title: `The lists of ${view.title} for ${shown(view.server)} name what it does not offer: ${someOf(unknownNames)}.${meant}`,
      expected: "Names in such lists are those of tools/list, letter by letter.",
      fix: {
        server:
          "Where a tool was renamed, say so in the release notes: lists of names break without a word.",
        proxy:
          "Where it puts something before the names of tools, say so: lists need the names that the client sees.",
        client:
          near === undefined
            ? "Take the names from the server's own list."
            : `Write ${shown(near.meant)} for ${shown(near.name)}.`,
      },
      next: listsTools(view.server, view.kind),
    }),
  ]
}
