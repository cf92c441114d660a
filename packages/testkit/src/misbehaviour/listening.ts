import type { Step } from "../script.js"
import { eventStream, spoilt } from "./honest.js"
import type { Misbehaviour } from "./misbehaviour.js"

const goesOn = "Is connected and lists the tools; listening is noted as unsupported."

/** What servers say to the GET that would listen for what they say by themselves. */
const answers: ReadonlyArray<
  readonly [name: string, says: string, outcome: string, reply: ReadonlyArray<Step>]
> = [
  ["get-400", "with 400", goesOn, [{ http: { status: 400, text: "Bad Request" } }]],
  [
    "get-401",
    "with 401 and no challenge",
    "Is connected and lists the tools; no credential is dropped, listening is noted as unsupported.",
    [{ http: { status: 401 } }],
  ],
  ["get-404", "with 404", goesOn, [{ http: { status: 404, text: "Not Found" } }]],
  ["get-405", "with 405", goesOn, [{ http: { status: 405, headers: { allow: "POST" } } }]],
  [
    "get-500",
    "with 500",
    "Is connected and lists the tools; one delayed retry, then listening is unavailable.",
    [{ http: { status: 500, text: "Internal Server Error" } }],
  ],
  ["get-501", "with 501", goesOn, [{ http: { status: 501 } }]],
  [
    "get-html",
    "with a web page",
    goesOn,
    [{ http: { headers: { "content-type": "text/html" }, text: "<!doctype html><p>Hello" } }],
  ],
  [
    "get-redirected",
    "with a redirect to another origin",
    "Is connected and lists the tools; follows nowhere, listening is noted as unsupported.",
    [{ http: { status: 302, headers: { location: "http://localhost:9/" } } }],
  ],
  [
    "get-hangs",
    "with nothing at all, not even headers",
    "Is connected and lists the tools without waiting for the GET.",
    [{ silence: true }],
  ],
  [
    "get-ends-at-once",
    "with an event stream that ends at once, every time",
    "Is connected and lists the tools; opens the stream again ever more rarely, then stops.",
    [eventStream],
  ],
  [
    "get-cut-at-once",
    "with an event stream that breaks off at once, every time",
    "Is connected and lists the tools; opens the stream again ever more rarely, then stops.",
    [{ comment: "hello" }, { destroy: true }],
  ],
]

export const listening: ReadonlyArray<Misbehaviour> = answers.map(
  ([name, says, outcome, reply]): Misbehaviour => ({
    name,
    sentence: `A GET on the endpoint is answered ${says}.`,
    outcome,
    try: "list-tools",
    settles: "by-itself",
    over: ["http"],
    eras: ["legacy"],
    ids: ["C049", "V25-HTTP-12", "V25-HTTP-14"].concat(
      name === "get-hangs" ? ["C050"] : name.endsWith("at-once") ? ["C047"] : [],
    ),
    script: spoilt({ when: { httpMethod: "GET" }, reply }),
  }),
)
