import { notification, request } from "../rules.js"
import { answer, everywhere, spoilt, httpAndStdio, whenAsked, whenCalled } from "./honest.js"
import type { Misbehaviour, Scene } from "./misbehaviour.js"

const common = {
  over: everywhere,
  eras: ["legacy", "modern"],
  try: "call-echo",
  settles: "by-itself",
} as const

/** The call is answered with this message instead of a proper one. */
const answering = (message: (scene: Scene) => unknown) =>
  whenCalled((scene) => [{ message: message(scene) }])

const id = { $from: "/id" }

export const envelopes: ReadonlyArray<Misbehaviour> = [
  {
    ...common,
    name: "wrong-id",
    sentence: "A call is answered with an id that nobody used.",
    outcome:
      "Never takes it for the answer: the call is lost when its stream ends, and on a shared channel times out.",
    settles: "at-time-limit",
    ids: ["V25-RPC-04", "V26-HTTP-18"],
    script: answering((scene) => answer(scene, "for somebody else", 987_654)),
  },
  {
    ...common,
    name: "id-as-string",
    sentence: 'A call with the id 7 is answered with the id "7".',
    outcome: "Takes it for the answer, with a note.",
    ids: ["C053", "V25-RPC-04"],
    script: answering((scene) => answer(scene, "hello", { $text: "/id" })),
  },
  {
    ...common,
    name: "error-with-null-id",
    sentence: "A call is answered with an error whose id is null.",
    outcome:
      "Over HTTP the call fails with that error; on a shared channel no call fails for it, and this one times out.",
    settles: "at-time-limit",
    ids: ["V25-RPC-06", "V26-ENV-10"],
    script: whenCalled(() => [{ error: { code: -32603, message: "It broke" }, id: null }]),
  },
  {
    ...common,
    name: "result-and-error",
    sentence: "The answer to a call has a result and an error.",
    outcome: "The call fails: an answer that is both is neither.",
    ids: ["V25-RPC-05", "V26-ENV-08"],
    script: answering((scene) => ({
      ...answer(scene, "hello"),
      error: { code: -32603, message: "It broke" },
    })),
  },
  {
    ...common,
    name: "neither-result-nor-error",
    sentence: "The answer to a call has an id and nothing else.",
    outcome: "The call fails with what is missing, at once.",
    ids: ["V25-RPC-05", "V26-ENV-08"],
    script: answering(() => ({ jsonrpc: "2.0", id })),
  },
  {
    ...common,
    name: "without-jsonrpc-member",
    sentence: "The answer to a call does not say jsonrpc.",
    outcome: "The call fails with what is missing, or is answered with a note; it never hangs.",
    ids: ["V25-RPC-01", "V26-ENV-01"],
    script: answering((scene) => ({ id, result: answer(scene, "hello")["result"] })),
  },
  {
    ...common,
    name: "error-is-text",
    sentence: "The error of an answer is a text instead of an object.",
    outcome: "The call fails at once and shows the text.",
    ids: ["V25-RPC-05", "V26-ENV-09"],
    script: whenCalled(() => [{ error: "It broke" }]),
  },
  {
    ...common,
    name: "error-code-is-text",
    sentence: "The code of an error is the text E_BROKEN.",
    outcome: "The call fails at once and shows code and message.",
    ids: ["V25-RPC-05", "V26-ENV-09"],
    script: whenCalled(() => [{ error: { code: "E_BROKEN", message: "It broke" } }]),
  },
  {
    ...common,
    name: "result-is-null",
    sentence: "The result of a call is null.",
    outcome: "The call fails with an invalid result.",
    ids: ["V25-RPC-01", "V26-ENV-08"],
    script: whenCalled(() => [{ result: null }]),
  },
  {
    ...common,
    name: "content-is-text",
    sentence: "The content of a tool's result is a text instead of a list of blocks.",
    outcome: "The call fails with an invalid result and the pointer /content.",
    ids: ["V25-RPC-01"],
    script: (scene) =>
      whenCalled(() => [
        { message: { ...answer(scene, ""), result: { resultType: "complete", content: "hello" } } },
      ])(scene),
  },
  {
    ...common,
    name: "unknown-content",
    sentence: "The result of a call has a block of text and one of the type hologram.",
    outcome: "The call resolves with both blocks in order, the second one marked unknown.",
    ids: ["C088"],
    script: whenCalled((scene) => [
      {
        message: {
          ...answer(scene, ""),
          result: {
            ...(scene.era === "modern" && { resultType: "complete" }),
            content: [
              { type: "text", text: "hello" },
              { type: "hologram", depth: 3 },
            ],
          },
        },
      },
    ]),
  },
  {
    ...common,
    name: "answered-twice",
    sentence: "A call is answered twice, with different results.",
    outcome: "The first answer counts; the second is a note.",
    ids: ["V25-HTTP-26"],
    script: whenCalled((scene) => [
      { message: answer(scene, "the first") },
      { message: answer(scene, "the second") },
    ]),
  },
  {
    ...common,
    name: "batch-answer",
    sentence: "The answer to a call comes in a JSON array, where no batches were negotiated.",
    outcome: "Reports the array as a fault of the server, or takes it with a note; never hangs.",
    ids: ["V25-RPC-15", "V26-ENV-13"],
    script: answering((scene) => [answer(scene, "hello")]),
  },
  {
    ...common,
    name: "unknown-notification",
    sentence: "Before the answer to a call comes a notification that no revision knows.",
    outcome: "Ignores the notification; the call resolves.",
    ids: ["C058", "V25-RPC-10", "V26-ENV-16"],
    script: whenCalled((scene) => [
      { message: notification("x/unknown", { anything: [1, 2, 3] }) },
      { message: answer(scene, "hello") },
    ]),
  },
  {
    ...common,
    name: "unknown-server-request",
    sentence: "Before the answer to a call the server asks for x/unknown.",
    outcome: "Refuses it with -32601 and its id; the call resolves.",
    eras: ["legacy"],
    ids: ["C110", "V25-RPC-10"],
    script: whenCalled((scene) => [
      { message: request("7", "x/unknown") },
      { message: answer(scene, "hello") },
    ]),
  },
  {
    ...common,
    name: "server-request-in-modern",
    sentence:
      "Before the answer to a call the server asks for sampling by a request, which this era forbids.",
    outcome: "Sends nothing back and calls no handler; the call resolves, with a note.",
    over: httpAndStdio,
    eras: ["modern"],
    ids: ["C110", "V26-ENV-06", "V26-ENV-07"],
    script: whenCalled((scene) => [
      { message: request(1, "sampling/createMessage", { messages: [], maxTokens: 1 }) },
      { message: answer(scene, "hello") },
    ]),
  },
  {
    ...common,
    name: "ping-with-id-zero",
    sentence: "Before the answer to a call the server pings with the id 0.",
    outcome: "Answers the ping with the id 0; the call resolves.",
    eras: ["legacy"],
    ids: ["C053", "V25-PING-01"],
    script: whenCalled((scene) => [
      { message: request(0, "ping") },
      { message: answer(scene, "hello") },
    ]),
  },
  {
    ...common,
    name: "ping-reply-refused",
    sentence: "The server pings on the stream of a call, and refuses the reply with 400.",
    outcome: "Answers the ping; its refusal is a note and ends neither the call nor the session.",
    over: ["http", "sse"],
    eras: ["legacy"],
    ids: ["C043", "V25-PING-01"],
    script: (scene) =>
      spoilt(
        { when: { kind: "response" }, reply: [{ http: { status: 400, text: "Not expected" } }] },
        {
          when: { kind: "request", method: "tools/call" },
          reply: [
            { message: request("7f1c", "ping") },
            { delay: 100 },
            { message: answer(scene, "hello") },
          ],
        },
      )(scene),
  },
  {
    ...common,
    name: "ping-refused",
    sentence: "The server answers every ping with an error.",
    outcome: "Any answer means alive: the connection stays, and pings stop.",
    eras: ["legacy"],
    try: "wait",
    ids: ["C109", "V25-PING-04"],
    script: whenAsked("ping", { error: { code: -32603, message: "ping is not available" } }),
  },
  {
    ...common,
    name: "progress-for-nobody",
    sentence: "Progress comes for a token that nobody gave, before and after the answer to a call.",
    outcome: "Ignores both; the call resolves.",
    ids: ["V25-PROG-03"],
    script: whenCalled((scene) => {
      const progress = notification("notifications/progress", { progressToken: "x", progress: 1 })
      return [{ message: progress }, { message: answer(scene, "hello") }, { message: progress }]
    }),
  },
  {
    ...common,
    name: "unknown-result-type",
    sentence: "The result of a call has the resultType weird.",
    outcome: "The call fails with an invalid result, never resolves.",
    over: httpAndStdio,
    eras: ["modern"],
    ids: ["V26-RTYPE-03"],
    script: whenCalled(() => [{ result: { resultType: "weird", content: [] } }]),
  },
  {
    ...common,
    name: "input-required-on-a-list",
    sentence: "The list of tools asks for input, which only calls may.",
    outcome: "The list fails with an invalid result; nobody is asked anything.",
    over: httpAndStdio,
    eras: ["modern"],
    try: "list-tools",
    ids: ["V26-RTYPE-04"],
    script: whenAsked("tools/list", {
      result: {
        resultType: "input_required",
        inputRequests: {
          q: {
            method: "elicitation/create",
            params: {
              mode: "form",
              message: "Your password?",
              requestedSchema: { type: "object", properties: {} },
            },
          },
        },
        requestState: "s1",
      },
    }),
  },
]
