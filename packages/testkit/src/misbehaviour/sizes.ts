import { Buffer } from "node:buffer"
import { gzipSync } from "node:zlib"
import { notification } from "../rules.js"
import type { RawBytes, Step } from "../script.js"
import { answer, eventStream, everywhere, whenCalled, wire } from "./honest.js"
import type { Misbehaviour, Over, Scene } from "./misbehaviour.js"

const common = {
  over: everywhere,
  eras: ["legacy", "modern"],
  try: "call-echo",
  settles: "by-itself",
} as const

/** The answer to a call whose text is made of these bytes. */
const longAnswer = (scene: Scene, text: RawBytes): RawBytes => {
  const [before, after] = JSON.stringify(answer(scene, "@")["result"]).split("@")
  return wire[scene.over]([
    '{"jsonrpc":"2.0","id":',
    { json: { $from: "/id" } },
    `,"result":${before}`,
    text,
    `${after}}`,
  ])
}

const megabytes = 1_000_000

const logLine = notification("notifications/message", { level: "debug", data: "still here" })
const flood = 20_000

/** Many notifications; over WebSocket each is a frame, elsewhere they are one piece of bytes. */
const flooded: Readonly<Record<Over, ReadonlyArray<Step>>> = {
  stdio: [{ raw: { repeat: `${JSON.stringify(logLine)}\n`, times: flood } }],
  http: [eventStream, { raw: { repeat: `data: ${JSON.stringify(logLine)}\n\n`, times: flood } }],
  sse: [{ raw: { repeat: `data: ${JSON.stringify(logLine)}\n\n`, times: flood } }],
  ws: Array.from({ length: flood }, () => ({ message: logLine })),
}

export const sizes: ReadonlyArray<Misbehaviour> = [
  {
    ...common,
    name: "forty-megabyte-answer",
    sentence: "A call is answered with one message of forty megabytes.",
    outcome: "The call fails at the size limit and says how to raise it; no gigabyte is allocated.",
    ids: ["V26-SEC-16", "V25-STDIO-06"],
    script: whenCalled((scene) => [
      { raw: longAnswer(scene, { repeat: "x", times: 40 * megabytes }) },
    ]),
  },
  {
    ...common,
    name: "gzip-bomb",
    sentence: "A call is answered with some tens of kilobytes that unpack to 64 megabytes.",
    outcome: "The call fails at the size limit: what counts is the size after unpacking.",
    over: ["http"],
    ids: ["V26-SEC-16"],
    script: whenCalled(() => [
      {
        http: { headers: { "content-type": "application/json", "content-encoding": "gzip" } },
      },
      { raw: { base64: gzipSync(Buffer.alloc(64 * megabytes, " ")).toString("base64") } },
    ]),
  },
  {
    ...common,
    name: "endless-line",
    sentence: "The process writes twenty megabytes to stdout without an end of line, then nothing.",
    outcome: "Fails at the size limit, at once, and names it.",
    over: ["stdio"],
    eras: ["legacy"],
    ids: ["V25-STDIO-06", "V26-STDIO-03"],
    script: whenCalled(() => [{ raw: { repeat: "x", times: 20 * megabytes } }]),
  },
  {
    ...common,
    name: "endless-event",
    sentence: "The event stream of a call has one data line of twenty megabytes that does not end.",
    outcome: "Fails at the size limit, at once, and names it.",
    over: ["http", "sse"],
    ids: ["V26-SEC-16"],
    script: whenCalled(({ over }) => [
      ...(over === "http" ? [eventStream] : []),
      { raw: ["data: ", { repeat: "x", times: 20 * megabytes }] },
      { silence: true },
    ]),
  },
  {
    ...common,
    name: "notification-flood",
    sentence: "Twenty thousand notifications come before the answer to a call.",
    outcome: "The call resolves within seconds; what is not listened to is not kept.",
    ids: ["V26-SEC-15"],
    script: whenCalled((scene) => [...flooded[scene.over], { message: answer(scene, "hello") }]),
  },
  {
    ...common,
    name: "deeply-nested-answer",
    sentence: "The result of a call has a member with twenty thousand arrays in each other.",
    outcome: "The call resolves or fails with a reason; nothing overflows.",
    ids: ["V26-SEC-16"],
    script: whenCalled((scene) => [
      {
        raw: wire[scene.over]([
          '{"jsonrpc":"2.0","id":',
          { json: { $from: "/id" } },
          ',"result":{"resultType":"complete","content":[{"type":"text","text":"hello"}],"deep":',
          { repeat: "[", times: 20_000 },
          { repeat: "]", times: 20_000 },
          "}}",
        ]),
      },
    ]),
  },
]
