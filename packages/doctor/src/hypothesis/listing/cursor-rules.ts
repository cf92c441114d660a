import type { Case } from "../../case.js"
import type { ToolPage, ToolWalk } from "../../conversation/tool-walk.js"
import type { Evidence } from "../../diagnosis.js"
import { evidence, member } from "../../evidence.js"
import { examineAgain, type Finding, type Rule } from "../rule.js"

/** More pages than a list of tools has that is meant to end. */
const tooMany = 100

const nextOf = ({ reading }: ToolPage): string | undefined =>
  reading?.ok === true ? reading.nextCursor : undefined

const sameText = (one: unknown, other: unknown): boolean => {
  try {
    return JSON.stringify(one) === JSON.stringify(other)
  } catch {
    return false // a trace that was made by hand may be circular
  }
}

/** A page that is the page before once more, with the cursor that had just been used. */
const ignored = (walk: ToolWalk): readonly [ToolPage, ToolPage] | undefined => {
  for (const [index, page] of walk.pages.entries()) {
    const before = walk.pages[index - 1]
    if (before === undefined || typeof page.cursor !== "string" || page.cursor === "") continue
    const isSame = nextOf(page) === page.cursor && (page.raw?.length ?? 0) > 0
    if (isSame && sameText(page.raw, before.raw)) return [before, page]
  }
  return undefined
}

/** A page that names a cursor which has led to a page already. */
const repeated = (walk: ToolWalk): ToolPage | undefined => {
  const used = new Set<string>()
  for (const page of walk.pages) {
    if (typeof page.cursor === "string") used.add(page.cursor)
    const next = nextOf(page)
    if (next !== undefined && used.has(next)) return page
  }
  return undefined
}

const asked = ({ trace }: Case, { call, cursor }: ToolPage): Evidence =>
  evidence(
    trace,
    call.index,
    typeof cursor === "string" ? member("cursor", cursor) : '"method":"tools/list"',
  )

const named = ({ trace }: Case, page: ToolPage): ReadonlyArray<Evidence> => {
  const { reply } = page.call
  const next = nextOf(page)
  return reply === undefined || next === undefined
    ? []
    : [evidence(trace, reply.index, member("nextCursor", next))]
}

const walkOf = ({ main: { walk } }: Case): ToolWalk | undefined =>
  walk?.complete === false ? walk : undefined

const client =
  "Nothing: the tools on further pages cannot be had. What has come can be used; tell the server's author."

/** Family 2: cursors lead nowhere. */
export const listingCursorRules: ReadonlyArray<Rule> = [
  {
    code: "cursor-ignored",
    family: 2,
    stage: "list",
    weight: "costs",
    title:
      "Page 2 is page 1 once more: the cursor is ignored by the server, or dropped by something between",
    expected:
      "A tools/list with the cursor of page 1 gets page 2: other tools, and another cursor or none.",
    fix: {
      server: "Read params.cursor of tools/list, and begin there.",
      proxy:
        "Hand the params of tools/list on as they are: the cursor is lost on the way through you.",
      client:
        "Ask the server directly, without what stands between: if page 2 comes then, the proxy drops the parameters.",
    },
    next: examineAgain(),
    supersedes: ["cursor-repeats", "pages-overlap", "cursors-endless"],
    find: (given): Finding | undefined => {
      const walk = walkOf(given)
      const pair = walk && ignored(walk)
      if (walk === undefined || pair === undefined) return undefined
      const [before, page] = pair
      const number = walk.pages.indexOf(page) + 1
      return {
        confidence: 0.96,
        title: `Page ${number} is page ${number - 1} once more, with the cursor just used: the cursor is ignored by the server, or dropped by something between`,
        evidence: [...named(given, before), asked(given, page), ...named(given, page)],
      }
    },
  },
  {
    code: "cursor-empty-for-ever",
    family: 2,
    stage: "list",
    weight: "costs",
    title: "The last page names an empty cursor, which leads back to it",
    expected: "The last page has no member nextCursor.",
    fix: {
      server: 'Leave nextCursor out on the last page; "" is a cursor like any other.',
      proxy: "Hand nextCursor on only where there is one.",
      client: "All tools are probably there. Clients that follow every cursor go round for ever.",
    },
    next: examineAgain(),
    supersedes: ["cursor-repeats", "pages-overlap", "cursors-endless"],
    find: (given): Finding | undefined => {
      const walk = walkOf(given)
      const page = walk?.pages.find((one) => one.cursor === "" && nextOf(one) === "")
      return page && { confidence: 0.95, evidence: [asked(given, page), ...named(given, page)] }
    },
  },
  {
    code: "cursor-repeats",
    family: 2,
    stage: "list",
    weight: "costs",
    title: "The cursors of the pages lead in a circle",
    expected: "Every page names a cursor that has not been used yet, or none.",
    fix: {
      server:
        "Let each cursor stand for a place further on, and leave nextCursor out on the last page.",
      proxy: "Hand cursors on as they are.",
      client,
    },
    next: examineAgain(),
    supersedes: ["pages-overlap", "cursors-endless"],
    find: (given): Finding | undefined => {
      const walk = walkOf(given)
      const page = walk && repeated(walk)
      if (walk === undefined || page === undefined) return undefined
      const first = walk.pages.find(({ cursor }) => cursor === nextOf(page))
      return {
        confidence: 0.95,
        evidence: [...(first === undefined ? [] : [asked(given, first)]), ...named(given, page)],
      }
    },
  },
  {
    code: "cursors-endless",
    family: 2,
    stage: "list",
    weight: "costs",
    title: "The pages of the list do not end",
    expected: "A last page, without nextCursor.",
    fix: {
      server: "Leave nextCursor out where nothing more comes.",
      proxy: "Hand nextCursor on only where there is one.",
      client: "Nothing: clients stop at a limit. What has come by then can be used.",
    },
    next: examineAgain(),
    find: (given): Finding | undefined => {
      const walk = walkOf(given)
      const last = walk?.pages.at(-1)
      if (walk === undefined || last === undefined || walk.pages.length < tooMany) return undefined
      if (nextOf(last) === undefined) return undefined
      return {
        confidence: walk.pages.length >= 10 * tooMany ? 0.93 : 0.8,
        title: `The pages of the list do not end: ${walk.pages.length} were read, and the last one names another`,
        evidence: [asked(given, last), ...named(given, last)],
      }
    },
  },
]
