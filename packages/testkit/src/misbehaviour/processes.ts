import type { Rule, Step } from "../script.js"
import { answer, asked, initialized, spoilt, whenAsked } from "./honest.js"
import type { Misbehaviour } from "./misbehaviour.js"

const common = {
  over: ["stdio"],
  eras: ["legacy"],
  try: "connect",
  settles: "by-itself",
} as const

/** Done as soon as the process is up. */
const opening = (...reply: ReadonlyArray<Step>): Rule => ({ when: { kind: "open" }, reply })

const deafToEnd: Rule = { when: { kind: "end" }, reply: [{ silence: true }] }

export const processes: ReadonlyArray<Misbehaviour> = [
  {
    ...common,
    name: "exits-with-stderr",
    sentence: "The process says on stderr that API_KEY is not set, and exits with code 1.",
    outcome: "Refuses the connection with command, exit code and the last lines of stderr.",
    ids: ["V25-STDIO-10"],
    script: spoilt(opening({ stderr: "Error: API_KEY is not set\n" }, { exit: 1 })),
  },
  {
    ...common,
    name: "secret-on-stderr",
    sentence: "The process prints its token on stderr and exits with code 1.",
    outcome: "Shows the line with the token blacked out.",
    ids: ["C061", "V25-STDIO-10"],
    script: spoilt(
      opening(
        { stderr: "Authorization: Bearer ghp_0123456789abcdefghijABCDEFGHIJ012345 was refused\n" },
        { exit: 1 },
      ),
    ),
  },
  {
    ...common,
    name: "exits-silently",
    sentence: "The process exits with code 3 without a word.",
    outcome: "Refuses the connection with command and exit code, and says that stderr was empty.",
    ids: ["V25-STDIO-10"],
    script: spoilt(opening({ exit: 3 })),
  },
  {
    ...common,
    name: "exits-with-zero",
    sentence: "The process prints its usage on stdout and exits with code 0.",
    outcome: "Refuses the connection with command, exit code and a sample of what was on stdout.",
    ids: ["V25-STDIO-10"],
    script: spoilt(opening({ raw: "usage: server [--port N] FILE\n" }, { exit: 0 })),
  },
  {
    ...common,
    name: "killed-at-start",
    sentence: "The process is killed by a signal as soon as it runs.",
    outcome: "Refuses the connection with command and signal.",
    ids: ["V25-STDIO-10"],
    script: spoilt(opening({ destroy: true })),
  },
  {
    ...common,
    name: "dies-mid-call",
    sentence: "The process is killed while a call waits for its answer.",
    outcome: "The call fails as lost with the signal, at once; it is not sent again by itself.",
    try: "call-echo",
    ids: ["V25-STDIO-08", "V26-STDIO-09"],
    script: whenAsked("tools/call", { destroy: true }),
  },
  {
    ...common,
    name: "dies-mid-line",
    sentence: "The process exits with code 1 in the middle of the line that answers a call.",
    outcome: "The call fails as lost at once; the unfinished line is a note.",
    try: "call-echo",
    ids: ["V25-STDIO-08"],
    script: whenAsked(
      "tools/call",
      { raw: ['{"jsonrpc":"2.0","id":', { json: { $from: "/id" } }, ',"result":{"content":[{"ty'] },
      { exit: 1 },
    ),
  },
  {
    ...common,
    name: "dies-after-handshake",
    sentence: "The process exits with code 0 right after it answered initialize.",
    outcome: "Says that the process ended, with its exit code; attempts to reconnect are bounded.",
    try: "list-tools",
    ids: ["C118", "V25-STDIO-08"],
    script: whenAsked("initialize", { result: initialized }, { exit: 0 }),
  },
  {
    ...common,
    name: "dies-while-idle",
    sentence:
      "Half a second after the tools were listed the process runs out of memory and exits with code 1.",
    outcome:
      "Leaves ready at once with exit code and stderr; the list stays readable, marked stale.",
    try: "wait",
    ids: ["C118"],
    script: (scene) =>
      spoilt({
        when: asked("tools/list"),
        reply: [
          { result: { tools: [{ name: "echo", inputSchema: { type: "object" } }] } },
          { delay: 500 },
          { stderr: "FATAL ERROR: out of memory\n" },
          { exit: 1 },
        ],
      })(scene),
  },
  {
    ...common,
    name: "one-answer-then-deaf",
    sentence: "After the tools were listed the process reads nothing any more.",
    outcome: "The call fails at its time limit; closing still ends the process.",
    try: "call-echo",
    settles: "at-time-limit",
    ids: ["V25-STDIO-06", "V25-STDIO-07"],
    script: spoilt({
      when: asked("tools/list"),
      // First deaf, then the answer: a quick client calls before a second order has reached the process.
      reply: [
        { freeze: true },
        { result: { tools: [{ name: "echo", inputSchema: { type: "object" } }] } },
      ],
    }),
  },
  {
    ...common,
    name: "ignores-end-of-input",
    sentence: "The process does not end when stdin is closed.",
    outcome: "Closing takes SIGTERM after a wait; no process is left.",
    ids: ["V25-STDIO-07", "V26-STDIO-07"],
    script: spoilt(deafToEnd),
  },
  {
    ...common,
    name: "ignores-sigterm",
    sentence: "The process ends neither when stdin is closed nor on SIGTERM.",
    outcome: "Closing takes SIGKILL after two waits; no process is left.",
    ids: ["V25-STDIO-07", "V26-STDIO-07"],
    script: spoilt(deafToEnd, { when: { kind: "signal" }, reply: [{ silence: true }] }),
  },
  {
    ...common,
    name: "stderr-flood",
    sentence: "The process writes ten megabytes to stderr before it answers a call.",
    outcome: "Drains stderr and keeps its last lines; the call resolves.",
    try: "call-echo",
    ids: ["V25-STDIO-05", "V26-STDIO-04"],
    script: (scene) =>
      whenAsked(
        "tools/call",
        { stderr: `${"x".repeat(1_023)}\n`.repeat(10_240) },
        { message: answer(scene, "hello") },
      )(scene),
  },
  {
    ...common,
    name: "slow-start",
    sentence:
      "The process reports the progress of an installation on stderr for three seconds, then answers.",
    outcome: "Is connected: what stirs on stderr is no silence, and stderr is no failure.",
    ids: ["C061", "V25-STDIO-05"],
    script: whenAsked(
      "initialize",
      ...Array.from({ length: 6 }, (_, index): ReadonlyArray<Step> => [
        { stderr: `npm install: ${index + 1} of 6 packages\n` },
        { delay: 500 },
      ]).flat(),
      { result: initialized },
    ),
  },
]
