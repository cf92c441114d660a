import { rpcCode } from "@entente/protocol"
import type { Case } from "../../case.js"
import type { Evidence } from "../../diagnosis.js"
import { evidence, member } from "../../evidence.js"
import {
  askedShown,
  failedPage,
  isAboutOtherThings,
  replyShown,
  span,
  statusShown,
  type FailedPage,
} from "./listing.js"
import { examineAgain, type Finding, type Rule } from "../rule.js"

/** A page after the first that did not come as it should. */
const later = ({ main }: Case): FailedPage | undefined => {
  const failed = failedPage(main)
  return failed !== undefined && failed.number > 0 ? failed : undefined
}

/** Where the cursor was given, and where it was sent back. */
const cursorShown = (given: Case, { walk, page, call, number }: FailedPage): Evidence[] => {
  const reply = walk.pages[number - 1]?.call.reply
  const { cursor } = page
  return [
    ...(reply === undefined || typeof cursor !== "string"
      ? []
      : [evidence(given.trace, reply.index, member("nextCursor", cursor))]),
    askedShown(given, call, typeof cursor === "string" ? member("cursor", cursor) : undefined),
  ]
}

/** Family 2: the first page comes, and a later one does not. */
export const listingPageRules: ReadonlyArray<Rule> = [
  {
    code: "cursor-refused",
    family: 2,
    stage: "list",
    weight: "costs",
    title: "The server refuses the cursor that it has just given",
    expected: "A cursor that was given out leads to the next page.",
    fix: {
      server:
        "Accept each cursor for as long as a client may need for the page before. If several copies of the server run, each has to know the cursors of the others.",
      proxy:
        "Hand the cursor on as it is, and all requests of one session to the same copy of the server.",
      client: "Read the list again. The tools of the first page can be used.",
    },
    next: examineAgain(),
    supersedes: ["later-page-failed"],
    find: (given): Finding | undefined => {
      const failed = later(given)
      const reply = failed?.call.reply
      if (failed === undefined || reply?.kind !== "error") return undefined
      if (reply.error.code !== rpcCode.invalidParams) return undefined
      return {
        confidence: 0.95,
        evidence: [
          ...cursorShown(given, failed),
          replyShown(given, reply, member("code", reply.error.code)),
        ],
      }
    },
  },
  {
    code: "later-page-failed",
    family: 2,
    stage: "list",
    weight: "costs",
    title: "A later page of the list fails",
    expected: "The next page: its tools, and a cursor where more follow.",
    fix: {
      server: "Look into its log for why this page fails, and the first did not.",
      proxy: "Check that the request for the next page reaches the same server.",
      client: "Read the list again. The tools of the pages before can be used.",
    },
    next: examineAgain(),
    find: (given): Finding | undefined => {
      const failed = later(given)
      const reply = failed?.call.reply
      if (failed === undefined || reply === undefined) return undefined
      if (reply.kind === "result" || isAboutOtherThings(failed.call, reply)) return undefined
      const said =
        reply.kind === "error"
          ? `the error ${reply.error.code}`
          : reply.kind === "status"
            ? `HTTP ${reply.status}`
            : "something that cannot be read"
      return {
        confidence: 0.93,
        title: `Page ${failed.number + 1} of the list fails with ${said}`,
        evidence: [
          ...cursorShown(given, failed),
          ...(reply.kind === "error"
            ? [replyShown(given, reply, member("code", reply.error.code))]
            : statusShown(given, failed.call)),
        ],
      }
    },
  },
  {
    code: "later-page-unanswered",
    family: 2,
    stage: "list",
    weight: "costs",
    title: "A later page of the list never comes",
    expected: "The next page, or an error that says why there is none.",
    fix: {
      server: "Find out what the next page waits for; answer every request, also with an error.",
      proxy: "Check that the request for the next page reaches the server.",
      client:
        "Raise the time-out, or read the list again. The tools of the pages before can be used.",
    },
    next: examineAgain("--timeout 60"),
    find: (given): Finding | undefined => {
      const failed = later(given)
      if (failed === undefined || failed.call.reply !== undefined) return undefined
      const { call, number } = failed
      const waited =
        (call.ended?.tag === "Written" ? undefined : call.ended?.at) ??
        given.main.conversation.last?.at ??
        call.at
      // A trace may simply end here.
      const isLong = waited - call.at >= 500
      if (!isLong && given.context.open === true) return undefined
      return {
        confidence: isLong ? 0.92 : 0.4,
        title: `Page ${number + 1} of the list never comes (${span(Math.max(0, waited - call.at))} were waited)`,
        evidence: cursorShown(given, failed),
      }
    },
  },
]
