import type { Step } from "../script.js"
import { answer, eventStream, whenAsked } from "./honest.js"
import type { Misbehaviour, Scene } from "./misbehaviour.js"

/** An answer with another content type than it should have. */
const typed =
  (type: string | null) =>
  (scene: Scene): ReadonlyArray<Step> => [
    { message: answer(scene, "hello"), headers: { "content-type": type } },
  ]

const resolves =
  "The call resolves: only the media type counts, without regard to case and parameters."
const sniffed = "The call resolves: the first bytes say that this is JSON; with a note."

const answers: ReadonlyArray<
  readonly [
    name: string,
    sentence: string,
    outcome: string,
    reply: (scene: Scene) => ReadonlyArray<Step>,
  ]
> = [
  ["no-content-type", "An answer has no content type.", sniffed, typed(null)],
  ["plain-text-json", "An answer in JSON has the type text/plain.", sniffed, typed("text/plain")],
  [
    "shouted-content-type",
    "The content type of an answer is Application/JSON; Charset=UTF-8.",
    resolves,
    typed("Application/JSON; Charset=UTF-8"),
  ],
  [
    "doubled-content-type",
    "The content type of an answer is application/json, application/json.",
    resolves,
    typed("application/json, application/json"),
  ],
  [
    "html-called-json",
    "An answer in JSON has the type text/html.",
    "The call fails: a page is never read as JSON.",
    typed("text/html"),
  ],
  [
    "json-called-event-stream",
    "An answer in JSON has the type text/event-stream.",
    "The call fails as lost as soon as the stream ends; it never hangs.",
    (scene) => [eventStream, { raw: { json: answer(scene, "hello") } }],
  ],
  [
    "event-stream-called-json",
    "An answer as an event has the type application/json.",
    "The call fails at once and says that the body is no JSON.",
    (scene) => [
      { http: { headers: { "content-type": "application/json" } } },
      { raw: ["data: ", { json: answer(scene, "hello") }, "\n\n"] },
    ],
  ],
  [
    "body-shorter-than-announced",
    "The connection ends before the announced length of a body.",
    "The call fails as one that may have been done, and says that the body broke off.",
    (scene) => [
      { http: { headers: { "content-type": "application/json", "content-length": "100000" } } },
      { raw: { json: answer(scene, "hello") } },
      { destroy: true },
    ],
  ],
  [
    "header-flood",
    "An answer has 256 KB of headers.",
    "The call fails and says that the headers are too large.",
    (scene) => [
      {
        message: answer(scene, "hello"),
        headers: Object.fromEntries(
          Array.from({ length: 64 }, (_, index) => [`x-padding-${index}`, "x".repeat(4_096)]),
        ),
      },
    ],
  ],
]

export const headers: ReadonlyArray<Misbehaviour> = answers.map(
  ([name, sentence, outcome, reply]): Misbehaviour => ({
    name,
    sentence,
    outcome,
    try: "call-echo",
    settles: "by-itself",
    over: ["http"],
    eras: ["legacy", "modern"],
    ids: ["C122", "V25-HTTP-06"],
    script: (scene) => whenAsked("tools/call", ...reply(scene))(scene),
  }),
)
