import type { Rule, Step } from "../script.js"
import { answer, asked, eventStream, spoilt, whenCalled } from "./honest.js"
import type { Misbehaviour, Scene } from "./misbehaviour.js"

const common = {
  over: ["http"],
  eras: ["legacy", "modern"],
  try: "call-echo",
  settles: "by-itself",
} as const

/** The id of a request as an event id: so the server finds the request when its stream is resumed. */
const requestAsEvent: Step = { event: { id: { $text: "/id" }, data: "" } }

const resumed: Rule["when"] = { httpMethod: "GET", headers: { "last-event-id": true } }

/** The stream of a call breaks off after an event with an id; what its resumption brings is told here. */
const resuming = (...rules: ReadonlyArray<Rule>) =>
  spoilt(...rules, {
    when: asked("tools/call"),
    reply: [requestAsEvent, { destroy: true }],
  })

const resumedAnswer = (scene: Scene, text: string): Step => ({
  event: { message: answer(scene, text, { $header: "last-event-id" }) },
})

const lost = "The call fails as lost at once, and is not sent again by itself."

export const streams: ReadonlyArray<Misbehaviour> = [
  {
    ...common,
    name: "stream-ends-without-answer",
    sentence: "The event stream of a call ends without an answer and without event ids.",
    outcome: lost,
    ids: ["V25-HTTP-08", "V25-HTTP-24"],
    script: whenCalled(() => [eventStream, { comment: "working" }]),
  },
  {
    ...common,
    name: "stream-cut-without-id",
    sentence: "The event stream of a call breaks off without an answer and without event ids.",
    outcome: lost,
    ids: ["C115", "V25-HTTP-24"],
    script: whenCalled(() => [{ comment: "working" }, { destroy: true }]),
  },
  {
    ...common,
    name: "stream-ends-inside-event",
    sentence:
      "The event stream of a call ends before the blank line that would complete the answer.",
    outcome: "An event that was not completed does not count: the call fails as lost at once.",
    ids: ["V25-HTTP-25"],
    script: whenCalled((scene) => [
      eventStream,
      { raw: ["data: ", { json: answer(scene, "hello") }, "\n"] },
    ]),
  },
  {
    ...common,
    name: "stream-cut-then-resumed",
    sentence:
      "The stream of a call breaks off after an event with an id; the answer comes to a GET with that id.",
    outcome: "Resumes with one GET and Last-Event-ID; the call resolves once.",
    eras: ["legacy"],
    ids: ["C115", "V25-HTTP-18"],
    script: (scene) => resuming({ when: resumed, reply: [resumedAnswer(scene, "hello")] })(scene),
  },
  {
    ...common,
    name: "resumption-refused",
    sentence:
      "The stream of a call breaks off after an event with an id; the GET with that id gets 405.",
    outcome: "The call fails as lost after one GET; the connection stays.",
    eras: ["legacy"],
    ids: ["C115", "V25-HTTP-23"],
    script: resuming({ when: resumed, reply: [{ http: { status: 405 } }] }),
  },
  {
    ...common,
    name: "resumption-replays",
    sentence: "The resumed stream of a call repeats the answer, with another text.",
    outcome: "The call resolves once, with the first; the second is a note.",
    eras: ["legacy"],
    ids: ["C115", "V25-HTTP-26"],
    script: (scene) =>
      resuming({
        when: resumed,
        reply: [resumedAnswer(scene, "the first"), resumedAnswer(scene, "the second")],
      })(scene),
  },
  {
    ...common,
    name: "polling-server",
    sentence:
      "The server ends the stream of a call after an event with id and retry: 500, and answers the second GET.",
    outcome: "Waits at least 500 ms before each GET with Last-Event-ID; the call resolves.",
    eras: ["legacy"],
    once: true,
    ids: ["C116", "V25-HTTP-22"],
    script: (scene) =>
      spoilt(
        { when: resumed, times: 1, reply: [eventStream] },
        { when: resumed, reply: [resumedAnswer(scene, "hello")] },
        {
          when: asked("tools/call"),
          reply: [eventStream, { event: { id: { $text: "/id" }, retry: 500, data: "" } }],
        },
      )(scene),
  },
  {
    ...common,
    name: "stream-stays-open-after-answer",
    sentence: "The stream of a call brings the answer and then stays open.",
    outcome: "The call resolves with the answer, without waiting for the end.",
    ids: ["V25-HTTP-08"],
    script: whenCalled((scene) => [{ message: answer(scene, "hello") }, { silence: true }]),
  },
  {
    ...common,
    name: "sse-carriage-returns",
    sentence: "The lines of an event stream end with a carriage return only.",
    outcome: "The call resolves: CR, LF and CRLF all end a line.",
    ids: ["C038", "V25-HTTP-25"],
    script: whenCalled((scene) => [
      eventStream,
      { raw: ["event: message\rdata: ", { json: answer(scene, "hello") }, "\r\r"] },
    ]),
  },
  {
    ...common,
    name: "sse-mixed-line-ends",
    sentence: "The lines of an event stream end with CRLF, LF and CR in turn.",
    outcome: "The call resolves: CR, LF and CRLF all end a line.",
    ids: ["C038", "V25-HTTP-25"],
    script: whenCalled((scene) => [
      eventStream,
      { raw: ": hi\r\nevent: message\n" },
      { delay: 20 },
      { raw: ["data: ", { json: answer(scene, "hello") }, "\r"] },
      { delay: 20 },
      { raw: "\n\r\n" },
    ]),
  },
  {
    ...common,
    name: "sse-multi-line-data",
    sentence: "The answer is spread over several data lines of one event.",
    outcome: "Joins the lines with a line feed; the call resolves.",
    ids: ["C040", "V25-HTTP-25"],
    script: whenCalled((scene) => {
      const { result } = answer(scene, "hello")
      return [
        eventStream,
        {
          raw: [
            'data: {\ndata: "jsonrpc": "2.0",\ndata: "id":\ndata: ',
            { json: { $from: "/id" } },
            ',\ndata: "result": ',
            { json: result },
            "\ndata: }\n\n",
          ],
        },
      ]
    }),
  },
  {
    ...common,
    name: "sse-byte-order-mark",
    sentence: "The event stream begins with a byte order mark.",
    outcome: "Skips the mark; the call resolves.",
    ids: ["V25-HTTP-25"],
    script: whenCalled((scene) => [
      eventStream,
      { raw: ["\uFEFFdata: ", { json: answer(scene, "hello") }, "\n\n"] },
    ]),
  },
  {
    ...common,
    name: "sse-foreign-events",
    sentence:
      "Before the answer come an event without data, comments, and an event of the type ping with a date.",
    outcome: "Reads none of them as JSON; the call resolves.",
    ids: ["C041"],
    script: whenCalled((scene) => [
      eventStream,
      { raw: "id: 42\ndata: \n\n: keepalive\n\n" },
      { event: { event: "ping", data: "2025-01-01T00:00:00Z" } },
      { event: { event: "message", message: answer(scene, "hello") } },
    ]),
  },
  {
    ...common,
    name: "sse-data-is-no-json",
    sentence: "Before the answer comes an event whose data is no JSON.",
    outcome: "Notes the event and goes on; the call resolves.",
    ids: ["V25-RPC-10"],
    script: whenCalled((scene) => [
      { event: { data: "working on it…" } },
      { event: { message: answer(scene, "hello") } },
    ]),
  },
  {
    ...common,
    name: "sse-split-character",
    sentence: "The bytes of a character in an event come in two pieces, with a pause between.",
    outcome: "The call resolves with the character intact.",
    ids: ["C040", "V25-RPC-08"],
    script: whenCalled((scene) => {
      const { result } = answer(scene, "读")
      const [before, after] = JSON.stringify(result).split("读")
      return [
        eventStream,
        {
          raw: ['data: {"jsonrpc":"2.0","id":', { json: { $from: "/id" } }, `,"result":${before}`],
        },
        { raw: { base64: "6K8=" } },
        { delay: 20 },
        { raw: [{ base64: "uw==" }, `${after}}\n\n`] },
      ]
    }),
  },
]
