// The groups framing, processes, HTTP+SSE and WebSocket.
import {
  code,
  connects,
  either,
  fails,
  failsSomewhere,
  lists,
  notCalledAgain,
  notes,
  received,
  refuses,
  renews,
  resolves,
  says,
  saysNot,
  shows,
  someNote,
  stays,
} from "../checks.mjs"

const hello = resolves("hello")
const command = says(/stdio-relay/, "the command")
const exitCode = (number) =>
  says(
    new RegExp(`(code|exit\\w*)\\W{1,3}(code\\W{1,3})?${number}\\b`, "i"),
    `the exit code ${number}`,
  )
const signal = says(/SIG[A-Z]+/, "the signal")
const lost = [fails, notCalledAgain, code("lost")]

const opened = (least, most) =>
  received(`starts it ${least} to ${most} times`, (arrivals) => {
    const { length } = arrivals.filter(({ kind }) => kind === "open")
    return length >= least && length <= most
  })

const unauthorized = says(/authoriz|401/i, "that it wants authorization")

export const channels = {
  "banner-on-stdout": [connects(), notes("stdout-noise")],
  "noise-around-answers": [hello, notes("stdout-noise", 5)],
  "json-log-on-stdout": [hello, someNote],
  "crlf-lines": [connects()],
  "byte-order-mark": [connects()],
  "content-length-framing": [
    failsSomewhere,
    says(/Content-Length/i, "the framing"),
    { patience: true },
  ],
  "pretty-printed": [refuses, says(/jsonrpc|"\{"|lines?/i, "the lines that were no messages")],
  "missing-line-end": [refuses, says(/jsonrpc|protocolVersion/, "the line that was begun")],
  "two-messages-on-a-line": [fails, says(/line|JSON/i, "that a line was unreadable"), someNote],
  "split-character": [resolves("—🙂")],
  "invalid-utf-8": [
    either(
      [
        shows(
          "the call resolves with a replacement character",
          ({ call }) => call?.value?.text === "\uFFFD",
        ),
      ],
      [fails, says(/utf/i, "why")],
    ),
  ],

  "exits-with-stderr": [
    refuses,
    command,
    exitCode(1),
    says(/API_KEY is not set/, "the last lines of stderr"),
  ],
  "secret-on-stderr": [
    refuses,
    says(/Authorization/, "the line"),
    saysNot(/ghp_0123456789/, "the token"),
  ],
  "exits-silently": [refuses, command, exitCode(3), says(/stderr/i, "that stderr was empty")],
  "exits-with-zero": [refuses, command, exitCode(0), says(/usage: server/, "what was on stdout")],
  "killed-at-start": [refuses, command, signal],
  "dies-mid-call": [...lost, signal],
  "dies-mid-line": [...lost, notes("truncated-line")],
  "dies-after-handshake": [failsSomewhere, exitCode(0), opened(1, 8)],
  "dies-while-idle": [
    connects(),
    lists("echo"),
    {
      ...shows(
        "says that the connection is lost",
        ({ standing, again }) => standing.states.length > 0 || again?.outcome === "error",
      ),
      again: true,
    },
    {
      kind: "notes",
      label: "keeps the list, marked stale",
      test: ({ clientName, standing }) =>
        clientName !== "entente" ||
        (standing.last?.includes("echo") && standing.states[0] !== "ready"),
    },
  ],
  "one-answer-then-deaf": [fails],
  "ignores-end-of-input": [
    connects(),
    received("closes stdin first", (arrivals) => arrivals.some(({ kind }) => kind === "end")),
    received("sends SIGTERM", (arrivals) => arrivals.some(({ signal: one }) => one === "SIGTERM")),
  ],
  "ignores-sigterm": [
    connects(),
    received("closes stdin first", (arrivals) => arrivals.some(({ kind }) => kind === "end")),
    received("sends SIGTERM", (arrivals) => arrivals.some(({ signal: one }) => one === "SIGTERM")),
  ],
  "stderr-flood": [hello],
  "slow-start": [connects(), { patience: true }],

  "sse-endpoint-cross-origin": [refuses, says(/localhost:9\b/, "the address")],
  "sse-endpoint-is-a-script": [refuses, says(/javascript:/, "the address")],
  "sse-prefix-lost": [lists("echo"), notes("endpoint-prefix-lost")],
  "sse-no-endpoint": [refuses, says(/endpoint|address for messages/i, "what is missing")],
  "sse-late-endpoint": [lists("echo")],
  "sse-second-endpoint": [lists("echo"), notes("endpoint-repeated")],
  "sse-stream-cut": [...lost, renews],
  "sse-stream-ends": [...lost, renews],
  "sse-post-refused": [
    fails,
    says(/400/, "400"),
    says(/Could not find session/, "the text"),
    stays,
  ],
  "sse-post-hangs": [fails, stays],
  "sse-answer-in-post": [either([hello, someNote], [fails])],
  "sse-get-405": [refuses, says(/405|event stream/i, "that no event stream is there")],

  "ws-binary-frame": [hello, notes("binary-frame")],
  "ws-split-character": [resolves("—")],
  "ws-text-is-no-json": [hello, notes("text-frame-noise")],
  "ws-1006-mid-call": [...lost, renews],
  "ws-1011-mid-call": [...lost, says(/1011/, "1011"), says(/shard is restarting/, "the reason")],
  "ws-1008-instead-of-ready": [refuses, says(/1008/, "1008"), says(/token expired/, "the reason")],
  "ws-no-subprotocol": [
    either(
      [refuses, says(/\bmcp\b/, "the subprotocol")],
      [connects(), notes("subprotocol-missing")],
    ),
  ],
  "ws-other-subprotocol": [
    refuses,
    says(/\bmcp\b/, "its subprotocol"),
    says(/graphql-ws/, "the other"),
  ],
  "ws-upgrade-401": [refuses, unauthorized],
  "ws-upgrade-answered-with-page": [refuses, says(/WebSocket|200/i, "that no WebSocket is there")],
  "ws-upgrade-hangs": [refuses],
  "ws-speaks-first": [connects()],
  "ws-freezes": [failsSomewhere],
}
