import type { Rule, Script, Step } from "../script.js"
import { answer, honest, initialized, spoilt, whenAsked, whenCalled } from "./honest.js"
import type { Misbehaviour, Scene } from "./misbehaviour.js"

const common = {
  over: ["ws"],
  eras: ["legacy"],
  try: "call-echo",
  settles: "by-itself",
} as const

const upgrading = (...reply: ReadonlyArray<Step>) => {
  const rule: Rule = { when: { kind: "open" }, reply }
  return spoilt(rule)
}

const choosing =
  (subprotocol: string | null) =>
  (scene: Scene): Script => ({ ...honest(scene), subprotocol })

export const webSockets: ReadonlyArray<Misbehaviour> = [
  {
    ...common,
    name: "ws-binary-frame",
    sentence: "Before the answer to a call comes a binary frame.",
    outcome: "Ignores the frame, with a note; the call resolves. A strict client closes with 1003.",
    ids: ["C119", "V25-CUST-03"],
    script: whenCalled((scene) => [
      { binary: { base64: "AAECAwT/" } },
      { message: answer(scene, "hello") },
    ]),
  },
  {
    ...common,
    name: "ws-split-character",
    sentence: "The answer comes in text fragments that split a character.",
    outcome: "The call resolves with the character intact.",
    ids: ["C119", "V25-RPC-08"],
    script: whenCalled((scene) => {
      const [before, after] = JSON.stringify(answer(scene, "—")["result"]).split("—")
      return [
        {
          fragments: [
            ['{"jsonrpc":"2.0","id":', { json: { $from: "/id" } }, `,"result":${before}`],
            { base64: "4g==" },
            { base64: "gJQ=" },
            `${after}}`,
          ],
        },
      ]
    }),
  },
  {
    ...common,
    name: "ws-text-is-no-json",
    sentence: "Before the answer to a call comes a text frame that is no JSON.",
    outcome: "Notes the frame and goes on; the call resolves.",
    ids: ["V25-RPC-10"],
    script: whenCalled((scene) => [{ raw: "hello?" }, { message: answer(scene, "hello") }]),
  },
  {
    ...common,
    name: "ws-1006-mid-call",
    sentence: "The connection breaks off without a close frame while a call waits.",
    outcome:
      "The call fails as lost at once; a new socket begins with initialize and does not repeat the call.",
    ids: ["C119", "V25-LIFE-19"],
    script: whenCalled(() => [{ destroy: true }]),
  },
  {
    ...common,
    name: "ws-1011-mid-call",
    sentence: "The server closes with 1011 and a reason while a call waits.",
    outcome: "The call fails as lost at once, with code and reason.",
    ids: ["C119", "V25-CUST-03"],
    script: whenCalled(() => [{ close: 1011, reason: "shard is restarting" }]),
  },
  {
    ...common,
    name: "ws-1008-instead-of-ready",
    sentence: "The server closes with 1008 when it is asked to initialize.",
    outcome: "Refuses the connection with code and reason.",
    try: "connect",
    ids: ["V25-CUST-03"],
    script: whenAsked("initialize", { close: 1008, reason: "token expired" }),
  },
  {
    ...common,
    name: "ws-no-subprotocol",
    sentence: "The server accepts the upgrade, but chooses no subprotocol.",
    outcome:
      "Refuses the connection and names the subprotocol that was offered, or is connected with a note.",
    try: "connect",
    ids: ["C119", "V25-CUST-03"],
    script: choosing(null),
  },
  {
    ...common,
    name: "ws-other-subprotocol",
    sentence: "The server accepts the upgrade and chooses a subprotocol that was not offered.",
    outcome: "Refuses the connection and names both subprotocols.",
    try: "connect",
    ids: ["C119", "V25-CUST-03"],
    script: choosing("graphql-ws"),
  },
  {
    ...common,
    name: "ws-upgrade-401",
    sentence: "The upgrade is refused with 401.",
    outcome: "Refuses the connection and asks for authorization.",
    try: "connect",
    ids: ["V25-CUST-02"],
    script: upgrading({ http: { status: 401, text: "Unauthorized" } }),
  },
  {
    ...common,
    name: "ws-upgrade-answered-with-page",
    sentence: "The upgrade is answered with 200 and a web page.",
    outcome: "Refuses the connection and says that no WebSocket is there.",
    try: "connect",
    ids: ["V25-CUST-03"],
    script: upgrading({
      http: { headers: { "content-type": "text/html" }, text: "<!doctype html><p>Hello" },
    }),
  },
  {
    ...common,
    name: "ws-upgrade-hangs",
    sentence: "The upgrade is never answered.",
    outcome: "Fails at the time limit for connecting and says so.",
    try: "connect",
    settles: "at-time-limit",
    ids: ["V25-LIFE-14"],
    script: upgrading({ silence: true }),
  },
  {
    ...common,
    name: "ws-speaks-first",
    sentence: "The first frame of the server is an announcement that tools have changed.",
    outcome: "Ignores it and is connected.",
    try: "connect",
    ids: ["C058", "V25-LIFE-11"],
    script: upgrading({
      message: { jsonrpc: "2.0", method: "notifications/tools/list_changed" },
    }),
  },
  {
    ...common,
    name: "ws-freezes",
    sentence: "After initialize was answered the server reads nothing any more, pings included.",
    outcome: "Fails at the time limit, or as soon as pings remain unanswered; never later.",
    try: "list-tools",
    settles: "at-time-limit",
    ids: ["V25-PING-03"],
    script: whenAsked("initialize", { result: initialized }, { freeze: true }),
  },
]
