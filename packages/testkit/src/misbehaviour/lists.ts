import type { JsonObject } from "@entente/protocol"
import { notification, tool } from "../rules.js"
import {
  asked,
  complete,
  echo,
  everywhere,
  honest,
  spoilt,
  httpAndStdio,
  whenAsked,
} from "./honest.js"
import type { Misbehaviour, Scene } from "./misbehaviour.js"

const common = {
  over: everywhere,
  eras: ["legacy", "modern"],
  try: "list-tools",
  settles: "by-itself",
} as const

const listing =
  (...tools: ReadonlyArray<JsonObject>) =>
  (scene: Scene) =>
    whenAsked("tools/list", { result: complete(scene, { tools }) })(scene)

export const lists: ReadonlyArray<Misbehaviour> = [
  {
    ...common,
    name: "bad-input-schema",
    sentence: "The input schema of the second of three tools is a text.",
    outcome:
      "Delivers the two good tools and sets the bad one aside, with its name and the reason.",
    ids: ["C011", "V25-RPC-11"],
    script: listing(echo, tool("bad", { inputSchema: "object" }), tool("last")),
  },
  {
    ...common,
    name: "input-schema-without-type",
    sentence:
      "The input schema of the second of two tools has anyOf at its root instead of a type.",
    outcome: "Delivers the good tool and sets the other aside, with the pointer /inputSchema/type.",
    ids: ["C011"],
    script: listing(
      echo,
      tool("bad", { inputSchema: { anyOf: [{ type: "object" }, { type: "object" }] } }),
    ),
  },
  {
    ...common,
    name: "null-title",
    sentence: "A tool has a title, a description and annotations that are null.",
    outcome: "Takes null for absent and delivers the tool, with a note.",
    ids: ["V25-RPC-11"],
    script: listing(tool("echo", { title: null, description: null, annotations: null })),
  },
  {
    ...common,
    name: "empty-array-as-object",
    sentence: "The properties of an input schema are [] where an empty object belongs.",
    outcome: "Delivers both tools, with a note.",
    ids: ["C103"],
    script: listing(
      tool("echo", { inputSchema: { type: "object", properties: [] } }),
      tool("second"),
    ),
  },
  {
    ...common,
    name: "tool-without-name",
    sentence: "The first of two tools has no name.",
    outcome: "Delivers the second tool and sets the first aside, with its index.",
    ids: ["C011"],
    script: listing({ inputSchema: { type: "object" } }, echo),
  },
  {
    ...common,
    name: "duplicate-tool",
    sentence: "Two tools have the same name and different descriptions.",
    outcome: "Delivers one tool of that name, the first, and notes the other.",
    ids: ["V26-PAGE-08"],
    script: listing(
      tool("echo", { description: "the first" }),
      tool("echo", { description: "the second" }),
    ),
  },
  {
    ...common,
    name: "bad-output-schema",
    sentence: 'The output schema of a tool has the type "long", which JSON Schema does not know.',
    outcome: "Keeps the tool and can call it; the output is passed on unchecked, with a note.",
    ids: ["C013"],
    script: listing(
      tool("echo", {
        outputSchema: { type: "object", properties: { size: { type: "long" } } },
      }),
    ),
  },
  {
    ...common,
    name: "remote-schema-reference",
    sentence: "An input schema refers to another one by a URL.",
    outcome: "Delivers the tool and fetches nothing.",
    ids: ["V26-SEC-05"],
    script: listing(
      tool("echo", {
        inputSchema: {
          type: "object",
          properties: { text: { $ref: "http://localhost:9/schema.json" } },
        },
      }),
    ),
  },
  {
    ...common,
    name: "prototype-members",
    sentence: "A tool has members called __proto__ and constructor.",
    outcome: "Delivers the tool; no other object changes.",
    ids: ["V26-SEC-17"],
    script: listing(
      tool("echo", {
        ["__proto__"]: { polluted: true },
        _meta: {
          ["__proto__"]: { polluted: true },
          constructor: { prototype: { polluted: true } },
        },
      }),
    ),
  },
  {
    ...common,
    name: "terminal-escapes",
    sentence:
      "The title and description of a tool clear the screen, ring the bell and run backwards.",
    outcome:
      "Delivers the tool as it came, and shows it to people with the control characters written out.",
    ids: ["V26-SEC-03"],
    script: listing(
      tool("echo", {
        title: "\u001b[2J\u001b[31mTrust me\u0007",
        description: "\u202egnihton seod\u202c\r\n\u001b]0;owned\u0007",
      }),
    ),
  },
  {
    ...common,
    name: "tools-is-an-object",
    sentence: "The member tools of the list is an object, with the tools by name.",
    outcome: "Reports an invalid result and the pointer /tools; the connection stays.",
    ids: ["V25-RPC-01"],
    script: (scene) =>
      whenAsked("tools/list", { result: complete(scene, { tools: { echo } }) })(scene),
  },
  {
    ...common,
    name: "list-without-tools",
    sentence: "The answer to tools/list has no member tools.",
    outcome: "Reports an invalid result, never an empty list; the connection stays.",
    ids: ["V25-RPC-01"],
    script: (scene) => whenAsked("tools/list", { result: complete(scene, {}) })(scene),
  },
  {
    ...common,
    name: "unadvertised-tools",
    sentence: "The server declares no capabilities, but has a tool.",
    outcome: "Sends no tools/list and says that tools are unsupported.",
    ids: ["C007", "V25-LIFE-12", "V26-DISC-05"],
    script: (scene) => honest(scene, { capabilities: {} }),
  },
  {
    ...common,
    name: "advertised-but-unimplemented",
    sentence: "The server declares tools, but answers tools/list with -32601.",
    outcome: "Is connected; the list is unavailable, with the code and that it was advertised.",
    ids: ["C008", "V26-DISC-05"],
    script: whenAsked("tools/list", {
      error: { code: -32601, message: "Method not found" },
    }),
  },
  {
    ...common,
    name: "list-changes-while-read",
    sentence:
      "Each tools/list is answered with the same tool and an announcement that tools have changed.",
    outcome:
      "Reads the list a bounded number of times, ever more rarely, and says that it keeps changing.",
    eras: ["legacy"],
    try: "wait",
    ids: ["C016"],
    script: (scene) =>
      spoilt({
        when: asked("tools/list"),
        reply: [
          { message: notification("notifications/tools/list_changed") },
          { result: complete(scene, { tools: [echo] }) },
        ],
      })(scene),
  },
  {
    ...common,
    name: "bad-header-annotation",
    sentence: "A tool asks with x-mcp-header for a header inside an array, which is not allowed.",
    outcome: "Over HTTP leaves that tool out, with its name and the reason, and keeps the other.",
    over: httpAndStdio,
    eras: ["modern"],
    ids: ["C032", "V26-XHDR-04", "V26-XHDR-05"],
    script: listing(
      echo,
      tool("bad", {
        inputSchema: {
          type: "object",
          properties: {
            regions: {
              type: "array",
              items: { type: "object", properties: { r: { type: "string", "x-mcp-header": "R" } } },
            },
          },
        },
      }),
    ),
  },
]
