import { withRules } from "../rules.js"
import type { Rule, Step } from "../script.js"
import { answer, honest, spoilt, whenCalled } from "./honest.js"
import type { Misbehaviour } from "./misbehaviour.js"

const common = {
  over: ["sse"],
  eras: ["legacy"],
  try: "list-tools",
  settles: "by-itself",
} as const

const opening = (...reply: ReadonlyArray<Step>): Rule => ({ when: { kind: "open" }, reply })

const endpoint = (data: string): Step => ({ event: { event: "endpoint", data } })

export const httpSse: ReadonlyArray<Misbehaviour> = [
  {
    ...common,
    name: "sse-endpoint-cross-origin",
    sentence: "The endpoint event names an address on another origin.",
    outcome: "Refuses the connection, posts nothing there, and names the address.",
    try: "connect",
    ids: ["V25-SSE-03"],
    script: spoilt(opening(endpoint("http://localhost:9/messages"))),
  },
  {
    ...common,
    name: "sse-endpoint-is-a-script",
    sentence: "The endpoint event names a javascript: address.",
    outcome: "Refuses the connection and names the address.",
    try: "connect",
    ids: ["V25-SSE-03", "V26-SEC-07"],
    script: spoilt(opening(endpoint("javascript:alert(1)"))),
  },
  {
    ...common,
    name: "sse-prefix-lost",
    sentence: "The endpoint event lacks the prefix under which a proxy serves both addresses.",
    outcome:
      "After 404 tries once with the prefix, keeps what works, and lists the tools, with a note.",
    ids: ["C092"],
    script: (scene) => ({
      ...withRules(honest(scene), opening(endpoint("/v1/messages/?session_id=1"))),
      endpoint: "/api/v1/sse",
      messages: "/api/v1/messages/",
    }),
  },
  {
    ...common,
    name: "sse-no-endpoint",
    sentence: "The stream opens, but no endpoint event comes.",
    outcome: "Fails at the time limit of the handshake and says what is missing.",
    try: "connect",
    settles: "at-time-limit",
    ids: ["V25-SSE-01", "V25-SSE-03"],
    script: spoilt(opening({ comment: "welcome" })),
  },
  {
    ...common,
    name: "sse-late-endpoint",
    sentence: "The endpoint event comes one second after the stream was opened.",
    outcome: "Sends nothing before it, and lists the tools.",
    ids: ["V25-SSE-03"],
    script: spoilt(opening({ comment: "welcome" }, { delay: 1_000 }, endpoint("/messages"))),
  },
  {
    ...common,
    name: "sse-second-endpoint",
    sentence: "After initialize a second endpoint event names an address on another origin.",
    outcome: "Ignores it, with a note, and lists the tools.",
    ids: ["V25-SSE-05"],
    script: spoilt({
      when: { kind: "notification", method: "notifications/initialized" },
      reply: [endpoint("http://localhost:9/messages")],
    }),
  },
  {
    ...common,
    name: "sse-stream-cut",
    sentence: "The stream breaks off while a call waits.",
    outcome:
      "The call fails as lost at once; a new stream begins with initialize and does not repeat the call.",
    try: "call-echo",
    ids: ["V25-SSE-04", "V25-LIFE-19"],
    script: whenCalled(() => [{ destroy: true }]),
  },
  {
    ...common,
    name: "sse-stream-ends",
    sentence: "The stream ends in good order while a call waits.",
    outcome:
      "The call fails as lost at once; a new stream begins with initialize and does not repeat the call.",
    try: "call-echo",
    ids: ["V25-SSE-04", "V25-LIFE-19"],
    script: whenCalled(() => [{ close: 1000 }]),
  },
  {
    ...common,
    name: "sse-post-refused",
    sentence: "The POST of a call is refused with 400 and a text.",
    outcome: "The call fails at once with status and text; the connection stays.",
    try: "call-echo",
    ids: ["V25-HTTP-43"],
    script: whenCalled(() => [{ http: { status: 400, text: "Could not find session" } }]),
  },
  {
    ...common,
    name: "sse-post-hangs",
    sentence: "The POST of a call is never answered, nor is the call.",
    outcome: "The call fails at its time limit; the connection stays.",
    try: "call-echo",
    settles: "at-time-limit",
    ids: ["V25-SSE-02"],
    script: whenCalled(() => [{ silence: true }]),
  },
  {
    ...common,
    name: "sse-answer-in-post",
    sentence: "The answer to a call comes in the body of the POST instead of on the stream.",
    outcome:
      "Takes it with a note, or the call times out; the body is never taken for another message.",
    try: "call-echo",
    settles: "at-time-limit",
    ids: ["V25-SSE-02"],
    script: whenCalled((scene) => [{ http: { json: answer(scene, "hello") } }]),
  },
  {
    ...common,
    name: "sse-get-405",
    sentence: "The GET that would open the stream is refused with 405.",
    outcome: "Refuses the connection and says that no event stream is there.",
    try: "connect",
    ids: ["V25-DET-03"],
    script: spoilt(opening({ http: { status: 405 } })),
  },
]
