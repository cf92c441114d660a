import type { RawBytes, Rule, Step } from "../script.js"
import { answer, asked, initialized, spoilt, whenCalled } from "./honest.js"
import type { Misbehaviour } from "./misbehaviour.js"

const common = {
  over: ["stdio"],
  eras: ["legacy"],
  try: "call-echo",
  settles: "by-itself",
} as const

/** Said as soon as the process is up. */
const opening = (...reply: ReadonlyArray<Step>) => spoilt({ when: { kind: "open" }, reply })

const welcome = { jsonrpc: "2.0", id: { $from: "/id" }, result: initialized }

/** The handshake and all else, each message dressed so. */
const dressed = (dress: (message: unknown) => RawBytes): Rule["reply"] => [
  {
    raw: dress({
      jsonrpc: "2.0",
      id: { $from: "/id" },
      error: { code: -32601, message: "Unknown" },
    }),
  },
]

const allDressed = (dress: (message: unknown) => RawBytes) => () => ({
  rules: [{ when: asked("initialize"), reply: [{ raw: dress(welcome) }] }],
  unmatched: dressed(dress),
})

export const framing: ReadonlyArray<Misbehaviour> = [
  {
    ...common,
    name: "banner-on-stdout",
    sentence: "The process greets with three lines on stdout before it is asked anything.",
    outcome: "Skips the lines, notes them with a sample, and is connected.",
    try: "connect",
    ids: ["C046", "V25-STDIO-04", "V26-STDIO-03"],
    script: opening({ raw: "== Scripted Server 1.0 ==\n\u001b[32mlistening\u001b[0m\n\n" }),
  },
  {
    ...common,
    name: "noise-around-answers",
    sentence: "Five lines of a log come before the answer to a call, among them a lone brace.",
    outcome: "The call resolves; one note counts the five lines and shows a sample.",
    ids: ["C046", "V25-STDIO-04", "V26-STDIO-03"],
    script: whenCalled((scene) => [
      { raw: "calling backend\nstatus=200\nheaders {\n  'x': 1\n}\n" },
      { message: answer(scene, "hello") },
    ]),
  },
  {
    ...common,
    name: "json-log-on-stdout",
    sentence: "A logger writes lines of JSON on stdout that are no JSON-RPC.",
    outcome: "Notes the lines and goes on; the call resolves.",
    ids: ["C046", "V25-STDIO-04"],
    script: whenCalled((scene) => [
      { raw: '{"level":"info","msg":"calling backend"}\n"a text"\n42\nnull\n' },
      { message: answer(scene, "hello") },
    ]),
  },
  {
    ...common,
    name: "crlf-lines",
    sentence: "The lines on stdout end with CRLF.",
    outcome: "Is connected; the carriage returns count for nothing.",
    try: "connect",
    ids: ["V25-STDIO-06", "V26-STDIO-03"],
    script: allDressed((message) => [{ json: message }, "\r\n"]),
  },
  {
    ...common,
    name: "byte-order-mark",
    sentence: "The first line on stdout begins with a byte order mark.",
    outcome: "Is connected, with a note at most.",
    try: "connect",
    ids: ["V25-STDIO-06"],
    script: opening({ raw: "\uFEFF" }),
  },
  {
    ...common,
    name: "content-length-framing",
    sentence: "The server frames its messages with Content-Length, as language servers do.",
    outcome: "Fails at once or at the time limit, and names the framing; never a silent hang.",
    try: "connect",
    ids: ["V25-STDIO-03"],
    script: allDressed((message) => ({ framed: { json: message } })),
  },
  {
    ...common,
    name: "pretty-printed",
    sentence: "The server spreads each message over several indented lines.",
    outcome: "Fails at the time limit and shows the lines that were no messages.",
    try: "connect",
    settles: "at-time-limit",
    ids: ["V25-STDIO-03"],
    script: allDressed((message) => [{ json: message, indent: 2 }, "\n"]),
  },
  {
    ...common,
    name: "missing-line-end",
    sentence: "The server never ends its first line.",
    outcome: "Fails at the time limit and shows the line that was begun.",
    try: "connect",
    settles: "at-time-limit",
    ids: ["V25-STDIO-03"],
    script: allDressed((message) => ({ json: message })),
  },
  {
    ...common,
    name: "two-messages-on-a-line",
    sentence: "A notification and the answer to a call share one line.",
    outcome: "Notes the line as unreadable; the call times out, and the error says so.",
    settles: "at-time-limit",
    ids: ["V25-STDIO-03"],
    script: whenCalled((scene) => [
      {
        raw: [
          {
            json: {
              jsonrpc: "2.0",
              method: "notifications/message",
              params: { level: "info", data: "" },
            },
          },
          { json: answer(scene, "hello") },
          "\n",
        ],
      },
    ]),
  },
  {
    ...common,
    name: "split-character",
    sentence: "The bytes of characters on stdout come in pieces, with pauses between.",
    outcome: "The call resolves with the characters intact.",
    ids: ["C044", "V25-STDIO-06", "V25-RPC-08"],
    script: whenCalled((scene) => {
      const { result } = answer(scene, "—🙂")
      const [before, after] = JSON.stringify(result).split("—🙂")
      return [
        { raw: ['{"jsonrpc":"2.0","id":', { json: { $from: "/id" } }, `,"result":${before}`] },
        { raw: { base64: "4oA=" } },
        { delay: 20 },
        { raw: { base64: "lPCf" } },
        { delay: 20 },
        { raw: [{ base64: "mYI=" }, `${after}}\n`] },
      ]
    }),
  },
  {
    ...common,
    name: "invalid-utf-8",
    sentence: "The text of an answer has a byte that is no UTF-8.",
    outcome: "The call resolves with a replacement character, or fails and says why; never hangs.",
    ids: ["V25-RPC-08"],
    script: whenCalled((scene) => {
      const { result } = answer(scene, "@")
      const [before, after] = JSON.stringify(result).split("@")
      return [
        {
          raw: [
            '{"jsonrpc":"2.0","id":',
            { json: { $from: "/id" } },
            `,"result":${before}`,
            { base64: "/w==" },
            `${after}}\n`,
          ],
        },
      ]
    }),
  },
]
