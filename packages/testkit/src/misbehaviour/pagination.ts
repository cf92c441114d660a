import type { JsonObject } from "@entente/protocol"
import { pages, tool } from "../rules.js"
import type { Rule } from "../script.js"
import { asked, complete, everywhere, spoilt } from "./honest.js"
import type { Misbehaviour, Scene } from "./misbehaviour.js"

const common = {
  over: everywhere,
  eras: ["legacy", "modern"],
  try: "list-tools",
  settles: "by-itself",
} as const

type Page = readonly [names: ReadonlyArray<unknown>, nextCursor?: unknown]

const result = (scene: Scene, [names, nextCursor]: Page): JsonObject =>
  complete(scene, {
    tools: names.map((name) => ({ ...tool(""), name })),
    ...(nextCursor !== undefined && { nextCursor }),
  })

/** Every page is the same. */
const always =
  (...page: Page) =>
  (scene: Scene) =>
    spoilt({ when: asked("tools/list"), reply: [{ result: result(scene, page) }] })(scene)

const paged =
  (...list: ReadonlyArray<Page>) =>
  (scene: Scene) =>
    spoilt(
      ...pages(
        "tools/list",
        list.map((page) => result(scene, page)),
      ),
    )(scene)

/** The first page is fine and names the cursor `p2`; what that brings is told here. */
const pageTwo = (second: Rule["reply"]) => (scene: Scene) =>
  spoilt(
    { when: asked("tools/list", { params: { cursor: { $present: true } } }), reply: second },
    { when: asked("tools/list"), reply: [{ result: result(scene, [["echo"], "p2"]) }] },
  )(scene)

export const pagination: ReadonlyArray<Misbehaviour> = [
  {
    ...common,
    name: "endless-cursors",
    sentence: "Every page of tools has one new tool and a new cursor, without an end.",
    outcome: "Stops at a limit with an error that carries the tools so far; the list is partial.",
    ids: ["V25-PAGE-05", "V26-PAGE-07"],
    script: always([{ $text: "/id" }], { $text: "/id" }),
  },
  {
    ...common,
    name: "same-cursor-forever",
    sentence: "Every page has the same eight tools and the same cursor, whatever is asked for.",
    outcome:
      "Stops after the second page with each tool once; the list is partial and names the cursor.",
    ids: ["C002", "V25-PAGE-05", "V26-PAGE-07"],
    script: always(["echo", "b", "c", "d", "e", "f", "g", "h"], "8"),
  },
  {
    ...common,
    name: "cursors-in-a-circle",
    sentence: "The cursors of three pages lead in a circle.",
    outcome: "Stops when nothing new comes, with the three tools; the list is partial.",
    ids: ["V25-PAGE-05", "V26-PAGE-07"],
    script: paged([["echo"], "b"], [["b"], "c"], [["c"], "b"]),
  },
  {
    ...common,
    name: "empty-cursor",
    sentence: 'The first page names the cursor "", which leads to a second page.',
    outcome: "Follows the empty cursor and lists both tools; the list is complete.",
    ids: ["C004", "V25-PAGE-05", "V26-PAGE-02"],
    script: paged([["echo"], ""], [["second"]]),
  },
  {
    ...common,
    name: "empty-cursor-forever",
    sentence: 'Every page has the same tool and the cursor "", which is meant as the end.',
    outcome:
      "Follows the empty cursor once, finds nothing new and ends: one tool, complete, with a note.",
    ids: ["C005", "V25-PAGE-05"],
    script: always(["echo"], ""),
  },
  {
    ...common,
    name: "null-cursor",
    sentence: "The only page has a nextCursor that is null.",
    outcome: "Takes null for absent: one tool, complete.",
    ids: ["V25-PAGE-05", "V26-PAGE-03"],
    script: always(["echo"], null),
  },
  {
    ...common,
    name: "empty-page-between",
    sentence: "The second of three pages has no tools, but a cursor.",
    outcome: "Goes on after the empty page and lists both tools; the list is complete.",
    ids: ["V25-PAGE-02", "V26-PAGE-04"],
    script: paged([["echo"], "b"], [[], "c"], [["last"]]),
  },
  {
    ...common,
    name: "cursor-expired",
    sentence:
      "The cursor of the second page is refused with -32602, however often the walk begins anew.",
    outcome:
      "Begins again a bounded number of times, then the list is partial or unavailable and says why.",
    ids: ["V25-PAGE-04", "V26-PAGE-05"],
    script: pageTwo([{ error: { code: -32602, message: "Unknown cursor" }, status: 400 }]),
  },
  {
    ...common,
    name: "second-page-fails",
    sentence: "The second page of tools is answered with an internal error.",
    outcome: "Keeps the first page; the list is partial and carries the server's error.",
    ids: ["V25-PAGE-05"],
    script: pageTwo([{ error: { code: -32603, message: "The database went away" } }]),
  },
  {
    ...common,
    name: "second-page-never-comes",
    sentence: "The second page of tools is never answered.",
    outcome: "Keeps the first page; at the time limit the list is partial and says so.",
    settles: "at-time-limit",
    ids: ["C100", "V26-CANC-07"],
    script: pageTwo([{ silence: true }]),
  },
]
