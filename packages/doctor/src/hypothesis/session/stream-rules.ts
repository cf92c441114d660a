import { refusalOf, speaksOfSession } from "../../conversation/refusal.js"
import type { Case } from "../../case.js"
import { refusalShown, sentShown } from "../exhibit.js"
import { examineAgain, type Finding, type Rule } from "../rule.js"

const isOldTransport = ({ main }: Case): boolean =>
  main.conversation.channels.some(({ transport }) => transport === "http+sse")

/** Family 3, over HTTP+SSE of 2024-11-05: there the session is the stream, and its id stands in an address. */
export const sessionStreamRules: ReadonlyArray<Rule> = [
  {
    code: "stream-session-unknown",
    family: 3,
    stage: "session",
    weight: "fails",
    title: "Messages reach a server that does not know the stream they belong to",
    expected:
      "A message sent to the address that the stream has named is acknowledged with 202, by the server that holds the stream.",
    fix: {
      server: "Serve Streamable HTTP; or keep what belongs to a stream where all replicas find it.",
      proxy:
        "Send the messages to the replica that holds the stream: sticky routing by the query of the address, or by a cookie.",
      client: "Use the address of Streamable HTTP, if the server has one.",
    },
    next: examineAgain(),
    supersedes: ["handshake-refused", "wrong-path", "refused-with-status"],
    find: (given): Finding | undefined => {
      if (!isOldTransport(given)) return undefined
      const refused = given.main.conversation.sayings
        .flatMap((saying) => refusalOf(saying) ?? [])
        .find((one) => speaksOfSession(one) && [400, 404, 410].includes(one.status ?? 0))
      return (
        refused && {
          confidence: 0.85,
          evidence: [sentShown(given.trace, refused.saying), refusalShown(given.trace, refused)],
        }
      )
    },
  },
]
