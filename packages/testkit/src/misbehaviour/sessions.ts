import { refusal, withRules } from "../rules.js"
import type { Rule, Step } from "../script.js"
import { asked, honest, initialized, spoilt, whenAsked } from "./honest.js"
import type { Misbehaviour, Scene } from "./misbehaviour.js"

const common = {
  over: ["http"],
  eras: ["legacy"],
  try: "list-tools",
  settles: "by-itself",
} as const

/** The first session that is opened is S1, every later one S2. */
const withSessions =
  (...rules: ReadonlyArray<Rule>) =>
  (scene: Scene) =>
    withRules(honest(scene, { sessionIds: ["S1", "S2"] }), ...rules)

const ofSession = (id: string, method: string): Rule["when"] =>
  asked(method, { headers: { "mcp-session-id": id } })

const unknownSession: Step = {
  http: {
    status: 404,
    json: { jsonrpc: "2.0", id: null, error: { code: -32001, message: "unknown session" } },
  },
}

const ending = (reply: Rule["reply"]) => withSessions({ when: { httpMethod: "DELETE" }, reply })

export const sessions: ReadonlyArray<Misbehaviour> = [
  {
    ...common,
    name: "session-404",
    sentence: "The first session is unknown (404) as soon as the tools are listed in it.",
    outcome: "Opens one new session and lists the tools there; nobody notices but a note.",
    once: true,
    ids: ["C019", "V25-HTTP-32", "V25-HTTP-33"],
    script: withSessions({ when: ofSession("S1", "tools/list"), reply: [unknownSession] }),
  },
  {
    ...common,
    name: "session-404-on-call",
    sentence: "The first session is unknown (404) as soon as a tool is called in it.",
    outcome:
      "Opens one new session; the call is repeated only where the caller allows it, else fails as such.",
    try: "call-echo",
    once: true,
    ids: ["C019", "V25-HTTP-32", "V25-HTTP-33"],
    script: withSessions({ when: ofSession("S1", "tools/call"), reply: [unknownSession] }),
  },
  {
    ...common,
    name: "session-404-for-ever",
    sentence: "Every session is unknown (404) as soon as the tools are listed in it.",
    outcome: "Opens one new session, then reports the 404; there is no third initialize.",
    ids: ["C019", "V25-HTTP-33"],
    script: withSessions({ when: asked("tools/list"), reply: [unknownSession] }),
  },
  {
    ...common,
    name: "session-400",
    sentence:
      "The first session is refused with 400 and a text about the session when the tools are listed.",
    outcome:
      "Opens one new session and lists the tools there, with a note; a strict client reports the 400.",
    once: true,
    ids: ["C020", "V25-HTTP-31"],
    script: withSessions({
      when: ofSession("S1", "tools/list"),
      reply: [
        {
          http: {
            status: 400,
            json: {
              jsonrpc: "2.0",
              error: { code: -32000, message: "request refused, session id is not valid" },
              id: null,
            },
          },
        },
      ],
    }),
  },
  {
    ...common,
    name: "session-demanded-never-given",
    sentence: "The server gives no session id and refuses everything without one with 400.",
    outcome:
      "Fails with a hint that the server demanded a session it never gave; initialize is not repeated.",
    try: "connect",
    ids: ["C023", "V25-HTTP-31"],
    script: spoilt(
      { when: asked("initialize"), reply: [{ result: initialized }] },
      {
        when: { headers: { "mcp-session-id": null } },
        reply: refusal(400, -32000, "session header missing"),
      },
    ),
  },
  {
    ...common,
    name: "illegal-session-id",
    sentence: "The session id has a blank in it.",
    outcome: "Refuses the connection and sends the id nowhere.",
    try: "connect",
    ids: ["V25-HTTP-28"],
    script: whenAsked("initialize", {
      result: initialized,
      headers: { "mcp-session-id": "S 1" },
    }),
  },
  {
    ...common,
    name: "session-id-on-other-answers",
    sentence:
      "The acknowledgement of notifications/initialized brings another session id, which is unknown later.",
    outcome: "Keeps the session id of initialize.",
    ids: ["V25-HTTP-27"],
    script: withSessions({
      when: { kind: "notification" },
      reply: [{ http: { status: 202, headers: { "mcp-session-id": "S9" } } }],
    }),
  },
  {
    ...common,
    name: "delete-405",
    sentence: "The server refuses to end the session with 405.",
    outcome: "Closes without an error.",
    try: "connect",
    ids: ["V25-HTTP-34"],
    script: ending([{ http: { status: 405 } }]),
  },
  {
    ...common,
    name: "delete-hangs",
    sentence: "The request that ends the session is never answered.",
    outcome: "Closes within a limit of its own, without an error.",
    try: "connect",
    ids: ["V25-HTTP-34", "V25-HTTP-46"],
    script: ending([{ silence: true }]),
  },
]
