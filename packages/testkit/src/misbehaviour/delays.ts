import type { Step } from "../script.js"
import { answer, everywhere, whenCalled } from "./honest.js"
import type { Misbehaviour } from "./misbehaviour.js"

const common = {
  over: everywhere,
  eras: ["legacy", "modern"],
  try: "call-echo",
  settles: "by-itself",
} as const

export const delays: ReadonlyArray<Misbehaviour> = [
  {
    ...common,
    name: "call-never-answered",
    sentence: "Everything works, but calls are never answered.",
    outcome: "The call fails at its time limit and is cancelled; the connection stays.",
    settles: "at-time-limit",
    ids: ["C064", "V26-CANC-07"],
    script: whenCalled(({ over }) => [
      ...(over === "sse" ? [{ http: { status: 202 } }] : []),
      { silence: true },
    ]),
  },
  {
    ...common,
    name: "slow-first-byte",
    sentence: "The answer to a call begins after one second, headers included.",
    outcome: "The call resolves, unless the caller allows less.",
    over: ["http"],
    ids: ["V26-HTTP-12"],
    script: whenCalled((scene) => [{ delay: 1_000 }, { message: answer(scene, "hello") }]),
  },
  {
    ...common,
    name: "stalls-mid-body",
    sentence: "The JSON of an answer stops in the middle, and the connection stays open.",
    outcome:
      "The call fails at its time limit or at that for idle bodies, and says where it stopped.",
    over: ["http"],
    settles: "at-time-limit",
    ids: ["V26-HTTP-12"],
    script: whenCalled(() => [
      { http: { headers: { "content-type": "application/json" }, text: '{"jsonrpc":"2.0","id":' } },
      { silence: true },
    ]),
  },
  {
    ...common,
    name: "comments-for-ever",
    sentence: "The stream of a call brings a comment now and then, but never the answer.",
    outcome: "The call fails at its time limit: comments keep the stream alive, not the request.",
    over: ["http"],
    settles: "at-time-limit",
    ids: ["V26-HTTP-13"],
    script: whenCalled(() => [
      ...Array.from({ length: 600 }, (): ReadonlyArray<Step> => [
        { comment: "keepalive" },
        { delay: 100 },
      ]).flat(),
      { silence: true },
    ]),
  },
]
