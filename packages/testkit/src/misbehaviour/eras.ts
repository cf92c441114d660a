import { legacyRevisions, type RequestId } from "@entente/protocol"
import { metaKey } from "../modern-server.js"
import { withRules } from "../rules.js"
import type { Match, Rule, Script, Step } from "../script.js"
import { asked, honest, spoilt, httpAndStdio, whenAsked } from "./honest.js"
import type { Misbehaviour } from "./misbehaviour.js"

const common = {
  over: httpAndStdio,
  eras: ["legacy"],
  try: "connect",
  settles: "by-itself",
} as const

/** Any request of the modern era. */
const modernRequest: Match = {
  kind: "request",
  params: { _meta: { [metaKey.protocolVersion]: { $present: true } } },
}

const refusingVersion = (supported: ReadonlyArray<string>): ReadonlyArray<Step> => [
  {
    status: 400,
    error: {
      code: -32022,
      message: "Unsupported protocol version",
      data: {
        supported,
        requested: { $from: `/params/_meta/${metaKey.protocolVersion.replace("/", "~1")}` },
      },
    },
  },
]

const modern = { over: "http", era: "modern" } as const

/** Refuses whatever comes in the modern era, and does not know the legacy one. */
const modernOnly = (supported: ReadonlyArray<string>, rule: Partial<Rule> = {}): Script =>
  withRules(honest(modern), { when: modernRequest, reply: refusingVersion(supported), ...rule })

const probed = (...reply: ReadonlyArray<Step>) => whenAsked("server/discover", ...reply)

const failure = (status: number, code: number, message: string, id: RequestId | null): Step => ({
  http: { status, json: { jsonrpc: "2.0", id, error: { code, message } } },
})

/** What servers of the legacy era say to the first message of the modern one, over HTTP. */
const refusals: ReadonlyArray<readonly [name: string, says: string, reply: Step]> = [
  ["probe-400-text", "400 and a text", { http: { status: 400, text: "Bad Request" } }],
  ["probe-400-empty", "400 and nothing", { http: { status: 400, text: "" } }],
  [
    "probe-400-session-missing",
    "400 and an error without id that speaks of a session",
    failure(400, -32000, "session header missing", null),
  ],
  [
    "probe-400-invalid-params",
    "400 and the error -32602",
    { status: 400, error: { code: -32602, message: "Invalid params" } },
  ],
  [
    "probe-404-unknown-method",
    "404 and the error -32601",
    { status: 404, error: { code: -32601, message: "Method not found" } },
  ],
  ["probe-405", "405", { http: { status: 405 } }],
  ["probe-415", "415", { http: { status: 415 } }],
]

/** What proves nothing about the era. */
const outages: ReadonlyArray<readonly [name: string, says: string, outcome: string, reply: Step]> =
  [
    [
      "probe-401",
      "401",
      "Asks for authorization; sends no initialize.",
      { http: { status: 401, headers: { "www-authenticate": "Bearer" } } },
    ],
    [
      "probe-429",
      "429 and Retry-After",
      "Reports that the server is busy; sends no initialize.",
      { http: { status: 429, headers: { "retry-after": "1" } } },
    ],
    [
      "probe-500",
      "500",
      "Tries once more, then reports an outage; sends no initialize.",
      { http: { status: 500, text: "Internal Server Error" } },
    ],
    [
      "probe-503",
      "503",
      "Tries once more, then reports an outage; sends no initialize.",
      { http: { status: 503, text: "Service Unavailable" } },
    ],
  ]

export const eras: ReadonlyArray<Misbehaviour> = [
  {
    ...common,
    name: "version-refused-32022",
    sentence: "Every modern request is refused with -32022 and a list of legacy versions only.",
    outcome: "Sends initialize with the best of them and is connected.",
    ids: ["C107", "V26-VER-02", "V26-VER-08"],
    script: spoilt({ when: modernRequest, reply: refusingVersion(legacyRevisions) }),
  },
  {
    ...common,
    name: "version-refused-once",
    sentence:
      "The first modern request is refused with -32022 and a list that names the version refused.",
    outcome: "Sends the request once more with a new id, and is connected.",
    eras: ["modern"],
    once: true,
    ids: ["C107", "V26-VER-05"],
    script: () => modernOnly(["2027-01-01", "2026-07-28", "2025-11-25"], { times: 1 }),
  },
  {
    ...common,
    name: "version-refused-for-ever",
    sentence:
      "Every modern request is refused with -32022 and a list that names the version refused.",
    outcome: "Tries a bounded number of times, then fails with both sides' versions.",
    eras: ["modern"],
    ids: ["C107", "V26-VER-05"],
    script: () => modernOnly(["2027-01-01", "2026-07-28", "2025-11-25"]),
  },
  {
    ...common,
    name: "no-common-version",
    sentence: "Every modern request is refused with -32022 and a list of one version nobody knows.",
    outcome: "Fails with both sides' versions.",
    eras: ["modern"],
    ids: ["C107", "V26-VER-03"],
    script: () => modernOnly(["1999-01-01"]),
  },
  {
    ...common,
    name: "speaks-neither-era",
    sentence: "The server refuses server/discover and initialize alike with -32601.",
    outcome: "Fails with both attempts in order.",
    ids: ["V26-ERA-15", "C127"],
    script: () => ({ rules: [] }),
  },
  ...refusals.map(([name, says, reply]): Misbehaviour => ({
    ...common,
    name,
    sentence: `A legacy server answers server/discover with ${says}.`,
    outcome: "Takes the server for a legacy one, sends initialize and is connected.",
    over: ["http"],
    ids: ["C028", "V26-ERA-03", "V26-ERA-07"],
    script: probed(reply),
  })),
  ...outages.map(([name, says, outcome, reply]): Misbehaviour => ({
    ...common,
    name,
    sentence: `The server answers server/discover with ${says}.`,
    outcome,
    over: ["http"],
    ids: ["C028"],
    script: probed(reply),
  })),
  {
    ...common,
    name: "probe-silent",
    sentence: "The server takes server/discover over HTTP and never answers it.",
    outcome: "Fails at the time limit of the handshake; a silence proves no era.",
    over: ["http"],
    settles: "at-time-limit",
    ids: ["C028"],
    script: probed({ silence: true }),
  },
  {
    ...common,
    name: "ignores-unknown-methods",
    sentence: "The server does not answer methods it does not know, server/discover among them.",
    outcome:
      "Sends initialize after a short time limit of its own and is connected within seconds.",
    over: ["stdio"],
    ids: ["C029", "V26-ERA-05"],
    script: (scene) => ({ ...honest(scene), unmatched: [{ silence: true }] }),
  },
  {
    ...common,
    name: "exits-on-unknown-first-message",
    sentence: "The server ends with code 1 when its first message is server/discover.",
    outcome: "Starts it once more, begins with initialize and is connected.",
    over: ["stdio"],
    ids: ["C029"],
    script: probed({ stderr: "fatal: unknown method server/discover\n" }, { exit: 1 }),
  },
  {
    ...common,
    name: "late-discover-answer",
    sentence: "A legacy server answers server/discover with -32601 after three seconds.",
    outcome: "Has long sent initialize and is connected; the late answer is a note.",
    over: ["stdio"],
    try: "wait",
    ids: ["C029", "V26-ERA-05"],
    script: probed({ delay: 3_000 }, { error: { code: -32601, message: "Method not found" } }),
  },
  {
    ...common,
    name: "silent-without-client-info",
    sentence: "A modern server ignores every request whose _meta has no clientInfo.",
    outcome: "Sends clientInfo with the probe and is connected in the modern era.",
    over: ["stdio"],
    eras: ["modern"],
    ids: ["C127", "V26-META-02"],
    script: spoilt({
      when: {
        kind: "request",
        params: { _meta: { "io.modelcontextprotocol/clientInfo": { $present: false } } },
      },
      reply: [{ silence: true }],
    }),
  },
  {
    ...common,
    name: "header-mismatch",
    sentence: "A call is refused with 400 and -32020, as if its headers differed from its body.",
    outcome:
      "Reads the tools again and tries the call once more at most, then fails with the server's code.",
    over: ["http"],
    eras: ["modern"],
    try: "call-echo",
    ids: ["C031", "V26-HDR-09"],
    script: spoilt({
      when: asked("tools/call"),
      reply: [
        {
          status: 400,
          error: { code: -32020, message: "Header mismatch: Mcp-Param-Region is missing" },
        },
      ],
    }),
  },
]
