import {
  isJsonObject,
  plainText,
  pointerName,
  type Quarantined,
  type Tool,
} from "@entente/protocol"
import type { Case } from "../../case.js"
import { listedBy } from "../../counts.js"
import { annotationFault, type ToolPage, type ToolWalk } from "../../conversation/tool-walk.js"
import type { Evidence } from "../../diagnosis.js"
import { evidence, member } from "../../evidence.js"
import { examineAgain, type Finding, type Rule } from "../rule.js"

/** Items that are shown one by one. */
const mostShown = 5

interface Dropped {
  readonly page: ToolPage
  readonly item: Quarantined
  readonly raw: unknown
  /** Whether it is a good tool that may not be offered, because of an annotation (V26-XHDR-04). */
  readonly annotated: boolean
}

/** Whether the reason an item was left out is its annotation: only a good tool comes so far. */
const isAnnotation = (raw: unknown, { reason }: Quarantined): boolean =>
  isJsonObject(raw) && annotationFault(raw as unknown as Tool)?.reason === reason // only its input schema is read

const droppedIn = (walk: ToolWalk | undefined): ReadonlyArray<Dropped> =>
  (walk?.pages ?? []).flatMap((page) =>
    page.reading?.ok !== true
      ? []
      : page.reading.quarantined.map((item) => {
          const raw = page.raw?.[item.index]
          return { page, item, raw, annotated: isAnnotation(raw, item) }
        }),
  )

/** What a JSON pointer leads to, as it stands in the trace: the member, or the nearest one around it. */
const markedAt = (raw: unknown, pointer: string): string | undefined => {
  let value = raw
  let marked: string | undefined
  for (const step of pointer.split("/").slice(1).map(pointerName)) {
    const inside = isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined
    if (inside === undefined) {
      if (Array.isArray(value)) {
        value = value[Number(step)]
        continue
      }
      break
    }
    value = inside
    marked = member(step, inside)
  }
  return (
    marked ??
    (isJsonObject(raw) && raw["name"] !== undefined ? member("name", raw["name"]) : undefined)
  )
}

/** The longest part of a message that is marked. */
const longest = 120

const itemShown = ({ trace }: Case, { page, item, raw }: Dropped): ReadonlyArray<Evidence> => {
  const { reply } = page.call
  if (reply === undefined) return []
  return [evidence(trace, reply.index, markedAt(raw, item.pointer)?.slice(0, longest))]
}

const named = ({ name, index }: Quarantined): string =>
  name === undefined ? `tool ${index + 1}, which has no name` : plainText(name, 60)

const inWords = (dropped: ReadonlyArray<Dropped>): string => {
  const shown = dropped
    .slice(0, mostShown)
    .map(
      ({ item }) =>
        `${named(item)} (${plainText(item.pointer, 80)}: ${plainText(item.reason, 120)})`,
    )
  const more = dropped.length - shown.length
  return `${shown.join("; ")}${more > 0 ? `; and ${more} more` : ""}`
}

const tools = (count: number): string => (count === 1 ? "1 tool" : `${count} tools`)

const found = (given: Case, annotated: boolean) => {
  const walk = listedBy(given)
  const dropped = droppedIn(walk).filter((one) => one.annotated === annotated)
  return walk === undefined || dropped.length === 0 ? undefined : { walk, dropped }
}

/** Names that more than one tool of the list has, with the pages they came on. */
const repeatedNames = (
  walk: ToolWalk | undefined,
): ReadonlyMap<string, ReadonlyArray<ToolPage>> => {
  const pages = new Map<string, Array<ToolPage>>()
  for (const page of walk?.pages ?? []) {
    if (page.reading?.ok !== true) continue
    for (const { name } of page.reading.items) {
      const known = pages.get(name)
      if (known === undefined) pages.set(name, [page])
      else known.push(page)
    }
  }
  return new Map([...pages].filter(([, on]) => on.length > 1))
}

const namesShown = ({ trace }: Case, name: string, on: ReadonlyArray<ToolPage>): Evidence[] =>
  [...new Set(on)].flatMap(({ call: { reply } }) =>
    reply === undefined ? [] : [evidence(trace, reply.index, member("name", name))],
  )

const listed = (names: ReadonlyArray<string>): string => {
  const shown = names.slice(0, mostShown).map((name) => plainText(name, 60))
  const more = names.length - shown.length
  return `${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`
}

/** Family 2: the list comes, and some of it is dropped. */
export const listingItemRules: ReadonlyArray<Rule> = [
  {
    code: "tools-invalid",
    family: 2,
    stage: "accept",
    weight: "costs",
    title: "Some tools are not valid, and clients leave them out",
    expected:
      'Every tool has a name, and an inputSchema that is a JSON schema with "type":"object".',
    fix: {
      server:
        "Correct the tools that are named, at the pointers that are named. Some clients refuse the whole list because of one of them.",
      proxy: "Hand schemas on as they are.",
      client: "Nothing: tell the server's author. The other tools can be used.",
    },
    next: examineAgain(),
    find: (given): Finding | undefined => {
      const { walk, dropped } = found(given, false) ?? {}
      if (walk === undefined || dropped === undefined) return undefined
      return {
        confidence: 0.95,
        title: `${tools(dropped.length)} of ${walk.raw} ${dropped.length === 1 ? "is" : "are"} not valid and left out: ${inWords(dropped)}`,
        evidence: dropped.slice(0, mostShown).flatMap((one) => itemShown(given, one)),
      }
    },
  },
  {
    code: "tools-badly-annotated",
    family: 2,
    stage: "accept",
    weight: "costs",
    title:
      "Some tools have annotations x-mcp-header that are not allowed, and clients leave them out",
    expected:
      "x-mcp-header stands only on texts, integers and booleans that properties alone lead to, each with a name of its own that a header can have.",
    fix: {
      server: "Correct the annotations that are named, or take them away.",
      proxy: "Hand schemas on as they are.",
      client: "Use the server over stdio, if it offers that: there the annotations do not count.",
    },
    next: examineAgain(),
    find: (given): Finding | undefined => {
      const { walk, dropped } = found(given, true) ?? {}
      if (walk === undefined || dropped === undefined) return undefined
      return {
        confidence: 0.96,
        title: `${tools(dropped.length)} of ${walk.raw} ${dropped.length === 1 ? "is" : "are"} left out because of x-mcp-header: ${inWords(dropped)}`,
        evidence: dropped.slice(0, mostShown).flatMap((one) => itemShown(given, one)),
      }
    },
  },
  {
    code: "tool-names-repeated",
    family: 2,
    stage: "accept",
    weight: "costs",
    title: "Several tools have the same name, and only one of each can be called",
    expected: "Every tool has a name that no other tool of the server has.",
    fix: {
      server: "Give every tool a name of its own, or take the repetition away.",
      proxy: "If you put several servers together, put the server's name before the tool's.",
      client: "Nothing: only the first tool of that name can be used. Tell the server's author.",
    },
    next: examineAgain(),
    find: (given): Finding | undefined => {
      const repeated = [...repeatedNames(listedBy(given))].filter(
        ([, on]) => new Set(on).size === 1,
      )
      const [first] = repeated
      if (first === undefined) return undefined
      return {
        confidence: 0.94,
        title: `Several tools are called the same: ${listed(repeated.map(([name]) => name))}`,
        evidence: namesShown(given, ...first),
      }
    },
  },
  {
    code: "pages-overlap",
    family: 2,
    stage: "accept",
    weight: "costs",
    title: "Pages of the list overlap: what is on two pages may be missing elsewhere",
    expected: "Every tool stands on one page, also when the list changes while it is read.",
    fix: {
      server:
        "Let a cursor stand for a place in a fixed order (the last name given), not for a number of tools: then nothing moves when tools come and go.",
      proxy: "If several copies of the server stand behind you, give them the same order of tools.",
      client: "Read the list again.",
    },
    next: examineAgain(),
    find: (given): Finding | undefined => {
      const repeated = [...repeatedNames(listedBy(given))].filter(([, on]) => new Set(on).size > 1)
      const [first] = repeated
      if (first === undefined) return undefined
      return {
        confidence: 0.8,
        title: `Tools stand on more than one page: ${listed(repeated.map(([name]) => name))}`,
        evidence: namesShown(given, ...first),
      }
    },
  },
]
