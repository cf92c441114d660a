import type { Case } from "../../case.js"
import type { Refusal } from "../../conversation/refusal.js"
import { refusalOf, speaksOfSession } from "../../conversation/refusal.js"
import { sessionsOf, type SessionLife, type SessionUse } from "../../conversation/session-life.js"
import { versionOf } from "../../conversation/opening.js"
import { evidence } from "../../evidence.js"
import { answeredShown, refusalShown, sentShown } from "../exhibit.js"
import { examineAgain, type Finding, type Rule } from "../rule.js"

const header = "mcp-session-id"

type RefusedUse = SessionUse & { readonly refusal: Refusal }

/** The first message in a session that fits, with the session it belongs to. */
const refusedUse = (
  given: Case,
  fits: (use: RefusedUse, life: SessionLife) => boolean,
): { readonly life: SessionLife; readonly use: RefusedUse } | undefined => {
  for (const life of sessionsOf(given.main)) {
    for (const { refusal, ...use } of life.uses) {
      const refused = refusal && { ...use, refusal }
      if (refused !== undefined && fits(refused, life)) return { life, use: refused }
    }
  }
  return undefined
}

const shown = (
  { trace }: Case,
  { life, use }: { readonly life: SessionLife; readonly use: RefusedUse },
) => [
  answeredShown(trace, life.agreed.call, header),
  sentShown(trace, use.saying, header),
  refusalShown(trace, use.refusal),
]

/** Where the client says that an id may not be used: what it was is no part of any trace (V25-HTTP-36). */
const refusedByClient = ({ main }: Case) =>
  main.conversation.errors.find(({ message }) =>
    message.includes("a session id that is not visible"),
  )

/** Family 3: the session id, on its way from the server to the client and back. */
export const sessionIdRules: ReadonlyArray<Rule> = [
  {
    code: "session-id-not-sent",
    family: 3,
    stage: "session",
    weight: "fails",
    title: "The client does not send the session id that it was given",
    expected:
      "Every request after initialize carries the header Mcp-Session-Id with the value that came with the answer to initialize.",
    fix: {
      server: "Nothing: the id was given and has to come back.",
      proxy: "Check that nothing between the client and this trace takes the header away.",
      client:
        "Keep the header Mcp-Session-Id of the answer to initialize, and send it with every later request, notification, GET and DELETE.",
    },
    next: examineAgain(),
    supersedes: ["session-id-lost"],
    find: (given): Finding | undefined => {
      const found = refusedUse(
        given,
        ({ sent, result, refusal }, { assigned }) =>
          assigned === true &&
          sent === false &&
          (result === "asked" || refusal.status === 400 || refusal.status === 404),
      )
      return (
        found && {
          confidence: found.use.result === "asked" ? 0.97 : 0.85,
          evidence: shown(given, found),
        }
      )
    },
  },
  {
    code: "session-id-stripped",
    family: 3,
    stage: "session",
    weight: "fails",
    title: "The client sends the session id, and the server says that none came",
    expected: "Mcp-Session-Id reaches the server as the client has sent it.",
    fix: {
      server:
        "Check that the header is read whatever the case of its letters, and before anything in front of the handler drops it.",
      proxy:
        "Let Mcp-Session-Id through to the server, and back to the client: name it where headers are allowed one by one.",
      client: "Nothing: it did what it should. Try the server's own address, without the proxy.",
    },
    next: examineAgain(),
    supersedes: ["session-id-lost"],
    find: (given): Finding | undefined => {
      const found = refusedUse(
        given,
        ({ sent, result }, { assigned }) =>
          assigned !== false && sent === true && result === "asked",
      )
      return found && { confidence: 0.93, evidence: shown(given, found) }
    },
  },
  {
    code: "session-id-lost",
    family: 3,
    stage: "session",
    weight: "fails",
    title: "The server misses the session id; this trace does not show where it is lost",
    expected: "Mcp-Session-Id comes with the answer to initialize, and goes with all that follows.",
    fix: {
      server: "Check that the answer to initialize has the header Mcp-Session-Id.",
      proxy: "Let Mcp-Session-Id through in both directions.",
      client: "Send the header that came with the answer to initialize.",
    },
    next: examineAgain(),
    find: (given): Finding | undefined => {
      const found = refusedUse(
        given,
        ({ sent, result }, { assigned }) =>
          result === "asked" && (sent === undefined || assigned === undefined),
      )
      return found && { confidence: 0.6, evidence: shown(given, found) }
    },
  },
  {
    code: "session-demanded-never-given",
    family: 3,
    stage: "session",
    weight: "fails",
    title: "The server demands a session, and has given none",
    expected:
      "The answer to initialize has the header Mcp-Session-Id, or no later request needs one.",
    fix: {
      server:
        "Send Mcp-Session-Id with the answer to initialize, also where that answer is an event stream; or serve requests without a session.",
      proxy: "Hand the header Mcp-Session-Id of the answer to initialize on to the client.",
      client: "Nothing: there is no id that it could send.",
    },
    next: examineAgain(),
    find: (given): Finding | undefined => {
      const found = refusedUse(
        given,
        ({ sent, result }, { assigned }) =>
          assigned === false && sent !== true && result === "asked",
      )
      if (found === undefined) return undefined
      return {
        // What a page in a browser sees is not what was sent (C023).
        confidence: given.context.browser === true ? 0.5 : 0.93,
        evidence: shown(given, found),
      }
    },
  },
  {
    code: "session-id-illegal",
    family: 3,
    stage: "session",
    weight: "fails",
    title: "The session id has characters that no session id may have",
    expected: "Mcp-Session-Id is made of visible ASCII characters only: no blank, no umlaut.",
    fix: {
      server: "Make the id of letters, digits and hyphens: a UUID, a hash or a signed token.",
      proxy: "Hand the id on as it is.",
      client: "Nothing: an id like that may not be sent back.",
    },
    next: examineAgain(),
    find: (given): Finding | undefined => {
      const refused = refusedByClient(given)
      if (refused === undefined) return undefined
      const { trace, main } = given
      return {
        confidence: 0.97,
        evidence: [
          ...(main.opening.agreed === undefined
            ? []
            : [answeredShown(trace, main.opening.agreed.call, header)]),
          evidence(trace, refused.index, "a session id that is not visible ASCII"),
        ],
      }
    },
  },
  {
    code: "session-id-to-modern-server",
    family: 3,
    stage: "session",
    weight: "fails",
    title: "The client sends a session id in an era that has no sessions",
    expected: "No request of the revision 2026-07-28 has the header Mcp-Session-Id.",
    fix: {
      server: "Ignore the header instead of refusing the request; give no such id out.",
      proxy: "Add no Mcp-Session-Id of your own; keep clients apart by something else.",
      client: "Forget the session of the older revision when you speak the newer one.",
    },
    next: examineAgain(),
    supersedes: ["server-is-legacy-only"],
    find: (given): Finding | undefined => {
      const refused = given.main.conversation.sayings.flatMap((saying) => {
        const carries = saying.http?.sent?.headers[header] !== undefined
        const refusal = carries && versionOf(saying) !== undefined && refusalOf(saying)
        return refusal ? [refusal] : []
      })
      const spoken = refused.find(speaksOfSession)
      const first = spoken ?? refused.find(({ status }) => status === 400 || status === 404)
      return (
        first && {
          confidence: spoken === undefined ? 0.6 : 0.95,
          evidence: [
            sentShown(given.trace, first.saying, header),
            refusalShown(given.trace, first),
          ],
        }
      )
    },
  },
]
