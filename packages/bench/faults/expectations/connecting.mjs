// The groups handshake, eras and sessions.
import { clientLimit } from "../limits.mjs"
import {
  answers,
  closes,
  connects,
  either,
  fails,
  lists,
  listFails,
  needs,
  notCalledAgain,
  notes,
  notifiesNot,
  received,
  refuses,
  says,
  sends,
  shows,
  someNote,
} from "../checks.mjs"

/** Everything that was asked is named in the error, in the order it was asked. */
const namesAttempts = {
  kind: "says",
  label: "says what was tried, in order",
  test: ({ received: arrivals, connect }) => {
    const asked = arrivals
      .filter(({ kind }) => kind === "request")
      .map(({ message }) => message.method)
    const text = connect.error?.text ?? ""
    const places = [...new Set(asked)].map((method) => text.indexOf(method))
    return places.every((place, index) => place >= 0 && (index === 0 || place > places[index - 1]))
  },
}

const noGetBetween = received("sends no GET between the attempts", (arrivals) => {
  const of = (test) => arrivals.findIndex(test)
  const get = of(({ httpMethod }) => httpMethod === "GET")
  const last = arrivals.findLastIndex(({ message }) => message?.method === "initialize")
  return get === -1 || get > last
})

const legacy = [
  connects(),
  shows("is connected in the legacy era", ({ connect }) =>
    /^202[45]-/.test(connect.value?.revision),
  ),
]

const outage = (status, label, tries) => [
  needs("server/discover"),
  refuses,
  says(status, label),
  sends("initialize", 0),
  ...(tries === undefined ? [] : [sends("server/discover", tries)]),
]

const ofSession =
  (id) =>
  ({ headers }) =>
    headers?.["mcp-session-id"] === id

const bothVersions = (theirs) => [
  says(theirs, "the server's version"),
  says(/2025-11-25|2026-07-28/, "its own version"),
]

export const connecting = {
  "insists-on-2024-11-05": [
    either([connects("2024-11-05")], [refuses, ...bothVersions(/2024-11-05/)]),
  ],
  "fictional-version": [
    refuses,
    ...bothVersions(/2099-12-31/),
    notifiesNot("notifications/initialized"),
  ],
  "version-is-a-number": [refuses, says(/20251125/, "what came")],
  "bare-initialize-result": [
    either([connects(), someNote], [refuses, says(/capabilities|serverInfo/, "what is missing")]),
  ],
  "initialize-fails": [
    refuses,
    says(/-32603/, "the code"),
    says(/The database is down/, "the message"),
  ],
  "initialize-names-versions": [
    either([connects("2025-06-18")], [refuses, ...bothVersions(/2025-06-18/)]),
  ],
  "version-gate": [connects("2025-06-18"), notes("version-gate"), noGetBetween],
  "wants-version-header": [connects(), notes("version-header-at-initialize")],
  "refuses-version-header": [connects(), sends("initialize", 1)],
  "initialize-always-400": [
    refuses,
    says(/protocol version not accepted/, "the text of the first 400"),
    shows("does not show the 405", ({ connect }) => !/405/.test(connect.error?.message)),
    namesAttempts,
  ],
  "pings-before-ready": [connects(), answers("srv-1")],
  "logs-before-ready": [connects()],
  "acknowledges-with-200-null": [connects(), notes("ack-was-not-202")],
  "initialized-refused": [refuses, says(/notifications\/initialized/, "which message")],
  "initialized-never-accepted": [refuses, says(/notifications\/initialized/, "which message")],
  "never-answers": [refuses, says(/time|answer/i, "that no answer came")],

  "version-refused-32022": [...legacy, connects("2025-11-25")],
  "version-refused-once": [
    connects("2026-07-28"),
    received("asks again with a new id", (arrivals) => {
      const ids = arrivals
        .filter(({ message }) => message?.method === "server/discover")
        .map(({ message }) => message.id)
      return ids.length === 2 && new Set(ids).size === 2
    }),
  ],
  "version-refused-for-ever": [
    refuses,
    ...bothVersions(/2027-01-01/),
    sends("server/discover", 1, 5),
  ],
  "no-common-version": [refuses, ...bothVersions(/1999-01-01/)],
  "speaks-neither-era": [refuses, namesAttempts],
  ...Object.fromEntries(
    [
      "400-text",
      "400-empty",
      "400-session-missing",
      "400-invalid-params",
      "404-unknown-method",
      "405",
      "415",
    ].map((name) => [`probe-${name}`, legacy]),
  ),
  "probe-401": outage(/authoriz|401/i, "that it wants authorization"),
  "probe-429": outage(/429/, "429"),
  "probe-500": outage(/500/, "500", 2),
  "probe-503": outage(/503/, "503", 2),
  "probe-silent": [needs("server/discover"), refuses, sends("initialize", 0)],
  "ignores-unknown-methods": [
    ...legacy,
    shows("needs less than the caller's limit", ({ connect }) => connect.ms < clientLimit),
  ],
  "exits-on-unknown-first-message": [
    ...legacy,
    received(
      "starts it twice at most",
      (arrivals) => arrivals.filter(({ kind }) => kind === "open").length <= 2,
    ),
  ],
  "late-discover-answer": [...legacy, lists("echo"), someNote],
  "silent-without-client-info": [connects("2026-07-28")],
  "header-mismatch": [fails, sends("tools/call", 1, 2), says(/-32020/, "the code")],

  "session-404": [lists("echo"), sends("initialize", 2), notes("session-renewed")],
  "session-404-on-call": [
    fails,
    notCalledAgain,
    sends("initialize", 2),
    says(/session/i, "that the session ended"),
  ],
  "session-404-for-ever": [listFails, sends("initialize", 2), says(/404/, "404")],
  "session-400": [lists("echo"), sends("initialize", 2), notes("session-shaped-400")],
  "session-demanded-never-given": [
    refuses,
    sends("initialize", 1),
    says(/session/i, "that a session was demanded"),
  ],
  "illegal-session-id": [
    refuses,
    received("sends the id nowhere", (arrivals) => !arrivals.some(ofSession("S 1"))),
  ],
  "session-id-on-other-answers": [
    lists("echo"),
    received("keeps the first session", (arrivals) => !arrivals.some(ofSession("S9"))),
  ],
  "delete-405": [connects(), closes],
  "delete-hangs": [connects(), closes],
}
