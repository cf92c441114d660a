import { notification, request, withRules } from "../rules.js"
import type { Rule, Step } from "../script.js"
import { asked, everywhere, honest, initialized, spoilt, whenAsked } from "./honest.js"
import type { Misbehaviour } from "./misbehaviour.js"

const common = {
  over: everywhere,
  eras: ["legacy"],
  try: "connect",
  settles: "by-itself",
} as const

const overHttp = ["http"] as const

const initializing = (...reply: ReadonlyArray<Step>) => whenAsked("initialize", ...reply)

const refusingVersion: Rule["reply"] = [
  { http: { status: 400, text: "protocol version not accepted" } },
]

export const handshake: ReadonlyArray<Misbehaviour> = [
  {
    ...common,
    name: "insists-on-2024-11-05",
    sentence: "The server answers every initialize with the revision 2024-11-05.",
    outcome: "Is connected in 2024-11-05, or refuses with both sides' versions.",
    ids: ["V25-LIFE-06"],
    script: (scene) => honest(scene, { revision: "2024-11-05" }),
  },
  {
    ...common,
    name: "fictional-version",
    sentence: "The server answers initialize with the revision 2099-12-31.",
    outcome:
      "Refuses the connection, names both sides' versions, and sends no notifications/initialized.",
    ids: ["V25-LIFE-05", "V25-LIFE-07"],
    script: initializing({ result: { ...initialized, protocolVersion: "2099-12-31" } }),
  },
  {
    ...common,
    name: "version-is-a-number",
    sentence: "The protocolVersion in the answer to initialize is the number 20251125.",
    outcome: "Refuses the connection and says what came.",
    ids: ["V25-LIFE-07"],
    script: initializing({ result: { ...initialized, protocolVersion: 20_251_125 } }),
  },
  {
    ...common,
    name: "bare-initialize-result",
    sentence: "The answer to initialize has a protocolVersion and nothing else.",
    outcome: "Refuses the connection and says what is missing, or is connected with a note.",
    ids: ["V25-LIFE-01"],
    script: initializing({ result: { protocolVersion: "2025-11-25" } }),
  },
  {
    ...common,
    name: "initialize-fails",
    sentence: "The server answers initialize with an internal error.",
    outcome: "Refuses the connection with the server's code and message.",
    ids: ["V25-LIFE-08"],
    script: initializing({ error: { code: -32603, message: "The database is down" } }),
  },
  {
    ...common,
    name: "initialize-names-versions",
    sentence: "The server refuses initialize with -32602 and the versions it supports in data.",
    outcome: "Tries once more with the best version of both, or refuses with both lists.",
    ids: ["C026", "V25-LIFE-08"],
    script: (scene) =>
      withRules(honest(scene, { revision: "2025-06-18" }), {
        when: asked("initialize", { params: { protocolVersion: { $noneOf: ["2025-06-18"] } } }),
        reply: [
          {
            error: {
              code: -32602,
              message: "Unsupported protocol version",
              data: {
                supported: ["2025-06-18"],
                requested: { $from: "/params/protocolVersion" },
              },
            },
          },
        ],
      }),
  },
  {
    ...common,
    name: "version-gate",
    sentence: "A newer initialize is refused with 400 and a text that names older versions.",
    outcome: "Tries once more with 2025-06-18 and is connected, with a note; no GET comes between.",
    over: overHttp,
    ids: ["C026"],
    script: (scene) =>
      withRules(honest(scene, { revision: "2025-06-18" }), {
        when: asked("initialize", { params: { protocolVersion: { $noneOf: ["2025-06-18"] } } }),
        reply: [
          {
            http: {
              status: 400,
              text: "version refused; supported versions ( 2025-06-18, 2025-03-26, 2024-11-05)",
            },
          },
        ],
      }),
  },
  {
    ...common,
    name: "wants-version-header",
    sentence: "An initialize without the header MCP-Protocol-Version is refused with 400.",
    outcome: "Tries once more with the header and is connected, with a note.",
    over: overHttp,
    ids: ["C027"],
    script: spoilt({
      when: asked("initialize", { headers: { "mcp-protocol-version": null } }),
      reply: [{ http: { status: 400, text: "Bad Request" } }],
    }),
  },
  {
    ...common,
    name: "refuses-version-header",
    sentence: "An initialize with the header MCP-Protocol-Version is refused with 400.",
    outcome: "Is connected at once, because initialize has no such header.",
    over: overHttp,
    ids: ["C025", "V25-HTTP-38"],
    script: spoilt({
      when: asked("initialize", { headers: { "mcp-protocol-version": true } }),
      reply: refusingVersion,
    }),
  },
  {
    ...common,
    name: "initialize-always-400",
    sentence: "Every initialize is refused with 400 and a text, and GET with 405.",
    outcome:
      "Fails with every attempt in order; the first 400 with its text is the cause, not the 405.",
    over: overHttp,
    ids: ["C025"],
    script: initializing(...refusingVersion),
  },
  {
    ...common,
    name: "pings-before-ready",
    sentence: "The server pings before it answers initialize.",
    outcome: "Answers the ping at once with the same id, and is connected.",
    ids: ["C110", "V25-PING-01", "V25-LIFE-11"],
    script: initializing({ message: request("srv-1", "ping") }, { result: initialized }),
  },
  {
    ...common,
    name: "logs-before-ready",
    sentence: "Before the answer to initialize comes a window/logMessage of another protocol.",
    outcome: "Ignores it and is connected.",
    ids: ["C058"],
    script: initializing(
      { message: notification("window/logMessage", { type: 3, message: "hi" }) },
      { result: initialized },
    ),
  },
  {
    ...common,
    name: "acknowledges-with-200-null",
    sentence: "The POST of notifications/initialized is acknowledged with 200 and the JSON null.",
    outcome: "Ignores the body and is connected, with a note.",
    over: overHttp,
    ids: ["C052", "V25-HTTP-05"],
    script: spoilt({ when: { kind: "notification" }, reply: [{ http: { json: null } }] }),
  },
  {
    ...common,
    name: "initialized-refused",
    sentence: "The POST of notifications/initialized is refused with 400.",
    outcome: "Refuses the connection and says which message was refused.",
    over: ["http", "sse"],
    ids: ["C056", "V25-LIFE-10"],
    script: spoilt({
      when: { kind: "notification", method: "notifications/initialized" },
      reply: [{ http: { status: 400, text: "Not yet" } }],
    }),
  },
  {
    ...common,
    name: "initialized-never-accepted",
    sentence: "The POST of notifications/initialized is never answered.",
    outcome: "Fails at the time limit of the handshake and says which message waits.",
    over: ["http", "sse"],
    settles: "at-time-limit",
    ids: ["C056", "V25-LIFE-10"],
    script: spoilt({
      when: { kind: "notification", method: "notifications/initialized" },
      reply: [{ silence: true }],
    }),
  },
  {
    ...common,
    name: "never-answers",
    sentence: "The server takes everything and says nothing.",
    outcome: "Fails at the time limit of the handshake, says so, and leaves nothing behind.",
    settles: "at-time-limit",
    ids: ["V25-LIFE-14", "V25-LIFE-13"],
    script: () => ({ rules: [{ when: {}, reply: [{ silence: true }] }] }),
  },
]
