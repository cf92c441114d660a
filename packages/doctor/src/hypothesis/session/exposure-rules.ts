import { experiment, type Act, type Case } from "../../case.js"
import type { Call } from "../../conversation/frame.js"
import { sessionsOf } from "../../conversation/session-life.js"
import { answeredShown, refusalShown, sentShown } from "../exhibit.js"
import { examineAgain, type Finding, type Rule } from "../rule.js"

const sessionHeader = "mcp-session-id"
const allowed = "access-control-allow-origin"
const exposed = "access-control-expose-headers"

/** Headers of an answer that a page may read without being told. */
const safelisted: ReadonlySet<string> = new Set([
  "cache-control",
  "content-language",
  "content-length",
  "content-type",
  "expires",
  "last-modified",
  "pragma",
])

const exposes = (list: string | undefined): boolean =>
  (list ?? "").split(",").some((name) => ["*", sessionHeader].includes(name.trim().toLowerCase()))

/** A session that was given out to pages of other origins, which they cannot see. */
const hidden = (act: Act | undefined): Call | undefined =>
  act &&
  sessionsOf(act)
    .filter(({ assigned }) => assigned === true)
    .map(({ agreed }) => agreed.call)
    .find(({ headers = {} }) => headers[allowed] !== undefined && !exposes(headers[exposed]))

const isPage = ({ conversation: { exchanges } }: Act): boolean =>
  exchanges.some(({ sent }) => sent?.headers["origin"] !== undefined)

/** Whether the trace has only what a page may read: it is a page's own, and the answer was read there. */
const isPagesOwn = ({ headers = {} }: Call): boolean =>
  Object.keys(headers).every((name) => safelisted.has(name) || name === sessionHeader)

const exposureShown = ({ trace }: Case, call: Call) => [
  answeredShown(trace, call, call.headers?.[exposed] === undefined ? allowed : exposed),
]

const expected = "Answers to pages have Access-Control-Expose-Headers: Mcp-Session-Id."

const fix = {
  server:
    "Add Mcp-Session-Id to Access-Control-Expose-Headers, and to Access-Control-Allow-Headers beside Mcp-Protocol-Version.",
  proxy: "If you set the headers of CORS, set that one too, and do not remove the server's.",
  client: "In a browser there is no way around it: use a proxy that exposes the header.",
}

/** Family 3: a session id that was given out, and that a page in a browser cannot read. */
export const sessionExposureRules: ReadonlyArray<Rule> = [
  {
    code: "session-header-not-exposed",
    family: 3,
    stage: "session",
    weight: "fails",
    title: "A page in a browser cannot read the session id: CORS does not expose it",
    expected,
    fix,
    next: examineAgain("--origin https://your.site"),
    supersedes: ["session-id-not-sent", "session-id-lost", "session-hidden-from-browsers"],
    find: (given): Finding | undefined => {
      const { main, context, trace } = given
      const call = hidden(main) ?? hidden(experiment(given, "browser"))
      const asked = sessionsOf(main)
        .flatMap((life) => life.uses.map((use) => ({ life, use })))
        .find(({ use }) => use.result === "asked" && use.sent !== true)
      const refusal = asked?.use.refusal
      const after = refusal === undefined ? [] : [refusalShown(trace, refusal)]
      if (!(context.browser === true || (isPage(main) && asked !== undefined))) return undefined
      if (call !== undefined) {
        return { confidence: 0.97, evidence: [...exposureShown(given, call), ...after] }
      }
      // Seen from the page itself: an id that was sent and one that was not look the same.
      if (
        asked === undefined ||
        asked.life.assigned === true ||
        !isPagesOwn(asked.life.agreed.call)
      )
        return undefined
      return {
        confidence: 0.85,
        evidence: [
          answeredShown(trace, asked.life.agreed.call, sessionHeader),
          sentShown(trace, asked.use.saying),
          ...after,
        ],
      }
    },
  },
  {
    code: "session-hidden-from-browsers",
    family: 3,
    stage: "session",
    weight: "remark",
    title: "The server lets pages in, and does not let them read the session id",
    expected,
    fix: { ...fix, client: "Nothing, unless it runs in a browser." },
    next: examineAgain("--origin https://your.site"),
    find: (given): Finding | undefined => {
      const call = hidden(given.main) ?? hidden(experiment(given, "browser"))
      return call && { confidence: 0.95, evidence: exposureShown(given, call) }
    },
  },
  {
    code: "browser-not-let-in",
    family: 3,
    stage: "session",
    weight: "costs",
    title: "The server does not let pages of other origins read its answers",
    expected: "An answer to a request with an Origin has Access-Control-Allow-Origin.",
    fix: {
      server: "Answer with the headers of CORS, for the origins that you mean to let in.",
      proxy: "Add them there, if the server cannot.",
      client: "Run it outside a browser, or on the server's own origin.",
    },
    next: examineAgain("--origin https://your.site"),
    find: (given): Finding | undefined => {
      if (given.context.browser !== true) return undefined
      const asked = experiment(given, "browser")?.opening.initializes[0]
      if (asked?.headers === undefined || asked.headers[allowed] !== undefined) return undefined
      if (isPagesOwn(asked)) return undefined
      return { confidence: 0.9, evidence: [answeredShown(given.trace, asked, allowed)] }
    },
  },
]
