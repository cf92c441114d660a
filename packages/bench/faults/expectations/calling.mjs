// The groups envelopes, delays, sizes, streams, statuses and headers.
import {
  answers,
  answersNothing,
  code,
  connects,
  either,
  fails,
  failsSomewhere,
  listFails,
  lists,
  notCalledAgain,
  notes,
  received,
  refuses,
  resolves,
  says,
  sends,
  shows,
  someNote,
  stays,
} from "../checks.mjs"

const lost = [fails, notCalledAgain, code("lost")]
const hello = resolves("hello")

const resumptions = (arrivals) =>
  arrivals.filter(
    ({ httpMethod, headers }) => httpMethod === "GET" && headers?.["last-event-id"] !== undefined,
  )

const resumes = (least, most = least) =>
  received(`resumes ${most === 1 ? "once" : `${most} times`}`, (arrivals) => {
    const { length } = resumptions(arrivals)
    return length >= least && length <= most
  })

/** A notification of cancellation, or in the modern era over HTTP the end of the exchange. */
const cancels = received("cancels the call", (arrivals, { scene }) =>
  arrivals.some(({ kind, message }) =>
    scene.over === "http" && scene.era === "modern"
      ? kind === "disconnect" && message?.method === "tools/call"
      : kind === "notification" && message.method === "notifications/cancelled",
  ),
)

const tooLarge = [
  fails,
  says(/size|large|limit|exceed|maxBuffer|maxMessage/i, "that it is too large"),
]

const gets = (path) =>
  received(`sends no GET to ${path}`, (arrivals) =>
    arrivals.every((arrival) => arrival.httpMethod !== "GET" || arrival.path !== path),
  )

export const calling = {
  "wrong-id": [fails],
  "id-as-string": [hello, notes("id-echoed-as-string")],
  "error-with-null-id": ({ over }) =>
    over === "http" ? [fails, says(/-32603|It broke/, "the server's error")] : [fails],
  "result-and-error": [fails],
  "neither-result-nor-error": [
    fails,
    says(/result|error|neither|missing|invalid/i, "what is missing"),
  ],
  "without-jsonrpc-member": [
    either([fails, says(/jsonrpc|json-rpc/i, "what is missing")], [hello, someNote]),
  ],
  "error-is-text": [fails, says(/It broke/, "the text")],
  "error-code-is-text": [fails, says(/E_BROKEN/, "the code"), says(/It broke/, "the message")],
  "result-is-null": [fails],
  "content-is-text": [fails, says(/content/, "/content")],
  "unknown-content": [resolves("hello", 2)],
  "answered-twice": [resolves("the first"), someNote],
  "batch-answer": [either([fails], [hello, someNote])],
  "unknown-notification": [hello],
  "unknown-server-request": [hello, answers("7", -32601)],
  "server-request-in-modern": [hello, answersNothing, notes("server-request-in-modern")],
  "ping-with-id-zero": [hello, answers(0)],
  "ping-reply-refused": [hello, answers("7f1c"), notes("reply-refused")],
  "ping-refused": [
    connects(),
    lists("echo"),
    stays,
    notes("ping-unsupported"),
    sends("ping", 0, 2),
  ],
  "progress-for-nobody": [hello],
  "unknown-result-type": [fails],
  "input-required-on-a-list": [listFails, answersNothing],

  "call-never-answered": [fails, cancels, stays],
  "slow-first-byte": [hello],
  "stalls-mid-body": [
    fails,
    says(/body|middle|began|begun|bytes|broke|stall|idle/i, "where it stopped"),
  ],
  "comments-for-ever": [fails],

  "forty-megabyte-answer": [
    ...tooLarge,
    says(/maxMessageBytes|maxBufferSize/, "how to raise the limit"),
    shows("allocates no gigabyte", ({ memory }) => (memory ?? 0) < 1_000),
  ],
  "gzip-bomb": tooLarge,
  "endless-line": tooLarge,
  "endless-event": tooLarge,
  "notification-flood": [hello],
  "deeply-nested-answer": [either([hello], [fails])],

  "stream-ends-without-answer": lost,
  "stream-cut-without-id": lost,
  "stream-ends-inside-event": lost,
  "stream-cut-then-resumed": [hello, resumes(1), notCalledAgain],
  "resumption-refused": [...lost, resumes(0, 1), stays],
  "resumption-replays": [resolves("the first"), notCalledAgain, someNote],
  "polling-server": [
    hello,
    resumes(2),
    received("waits 500 ms before each GET", (arrivals) => {
      const [first, second] = resumptions(arrivals)
      const call = arrivals.find(({ message }) => message?.method === "tools/call")
      return second !== undefined && first.at - call.at >= 495 && second.at - first.at >= 495
    }),
  ],
  "stream-stays-open-after-answer": [hello],
  "sse-carriage-returns": [hello],
  "sse-mixed-line-ends": [hello],
  "sse-multi-line-data": [hello],
  "sse-byte-order-mark": [hello],
  "sse-foreign-events": [hello],
  "sse-data-is-no-json": [hello, someNote],
  "sse-split-character": [resolves("读")],

  "gateway-page": [fails, notCalledAgain, says(/502/, "502")],
  "error-with-status-500": [
    fails,
    says(/-32603/, "the code"),
    says(/It broke/, "the message"),
    says(/500/, "500"),
  ],
  "error-with-foreign-id": [
    fails,
    says(/-32600/, "the code"),
    says(/both media types/, "the message"),
  ],
  "too-many-requests": [fails, notCalledAgain, says(/429/, "429")],
  "request-too-large": [fails, notCalledAgain, says(/413/, "413")],
  "accepted-with-202": [fails, code("lost")],
  "accepted-with-204": [fails, code("lost")],
  "empty-body": [fails, says(/empty|end of JSON/i, "that the body is empty")],
  "half-a-body": [fails, says(/JSON/, "that the body is no JSON")],
  "reset-before-answer": lost,
  "redirect-307": [lists("echo")],
  "redirect-301": [failsSomewhere, gets("/mcp"), says(/\/mcp/, "the address to use")],
  "redirect-cross-origin": [failsSomewhere, says(/localhost:9\b/, "the address that was named")],
  "redirect-loop": [
    failsSomewhere,
    says(/redirect/i, "that it was redirected"),
    received("gives up after a few", (arrivals) => arrivals.length <= 50),
  ],
  "html-page": [refuses, says(/html|page/i, "that it is a page")],
  unauthorized: [refuses, says(/authoriz|401/i, "that it wants authorization")],
  forbidden: [refuses, says(/Origin not allowed/, "the error of the server")],
  "not-found": [refuses, says(/404|endpoint/i, "that there is no endpoint")],

  "no-content-type": [hello, someNote],
  "plain-text-json": [hello, someNote],
  "shouted-content-type": [hello],
  "doubled-content-type": [hello],
  "html-called-json": [fails],
  "json-called-event-stream": [fails, code("lost")],
  "event-stream-called-json": [fails, says(/JSON/, "that the body is no JSON")],
  "body-shorter-than-announced": [
    fails,
    notCalledAgain,
    says(/brok|terminated|abort|reset|closed|premature|cut|ended|lost/i, "that the body broke off"),
  ],
  "header-flood": [fails, says(/header/i, "that it is the headers")],
}
