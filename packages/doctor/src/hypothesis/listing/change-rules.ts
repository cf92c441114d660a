import type { Act } from "../../case.js"
import { saidByServer } from "../../conversation/conversation.js"
import type { Frame } from "../../conversation/frame.js"
import type { ToolWalk } from "../../conversation/tool-walk.js"
import { evidence } from "../../evidence.js"
import { examineAgain, type Finding, type Rule } from "../rule.js"

/** Lists in a row during which a change was announced, from which on it is no accident. */
const telling = 2

/** The first announcement that came while a list was read. */
const announcedWhile = (notices: ReadonlyArray<Frame>, { pages }: ToolWalk): Frame | undefined => {
  const from = pages[0]?.call.index ?? Infinity
  const to = pages.at(-1)?.call.reply?.index ?? -1
  return notices.find(({ index }) => index > from && index <= to)
}

/** Announcements in the last lists, one for each, as long as every list had one. */
const streakIn = ({ conversation, walks }: Act): ReadonlyArray<Frame> => {
  const notices = saidByServer(conversation, "notifications/tools/list_changed")
  const streak: Array<Frame> = []
  for (const walk of walks.toReversed()) {
    const notice = announcedWhile(notices, walk)
    if (notice === undefined) break
    streak.unshift(notice)
  }
  return streak
}

/** Family 2: the list changes while it is read, every time. */
export const listingChangeRules: ReadonlyArray<Rule> = [
  {
    code: "list-changes-while-read",
    family: 2,
    stage: "list",
    weight: "costs",
    title: "Whenever the list is read, the server says that it has changed",
    expected:
      "notifications/tools/list_changed comes when tools were added, removed or changed, and not because they were asked for.",
    fix: {
      server:
        "Do not announce a change from within the handler of tools/list; register tools once, not for every list.",
      proxy: "Announce a change only where the list that you hand out has changed.",
      client: "Read the list seldom: reading it is what makes it change.",
    },
    next: examineAgain(),
    find: ({ main, trace }): Finding | undefined => {
      const streak = streakIn(main)
      if (streak.length < telling) return undefined
      return {
        confidence: 0.93,
        title: `The list was read ${streak.length} times, and each time the server said meanwhile that it has changed`,
        evidence: streak
          .slice(-3)
          .map(({ index }) => evidence(trace, index, "notifications/tools/list_changed")),
      }
    },
  },
]
