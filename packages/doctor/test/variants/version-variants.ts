import { legacyServer, refusal, tool, withRules } from "@entente/testkit"
import type { Rule, Script, Step } from "@entente/testkit"
import { bothWays } from "./both-ways.js"
import { initialize, versionHeader } from "./clumsy-words.js"
import type { Variant } from "./variant.js"

const tools = [tool("echo"), tool("add")]

const overHttp = { family: 4, over: "http" } as const

const opening = { kind: "request", method: "initialize" } as const
const list = { kind: "request", method: "tools/list" } as const

const answered = (method: Rule["when"], ...reply: ReadonlyArray<Step>): Script =>
  withRules(legacyServer({ tools }), { when: method, reply })

const serverInfo = { name: "scripted-peer", version: "1.0.0" }
const capabilities = { tools: {} }

/** What a server says that has implemented 2025-03-26 and never looked at what it was asked for. */
const echoing: ReadonlyArray<Rule> = [
  {
    when: opening,
    reply: [
      {
        result: {
          protocolVersion: { $from: "/params/protocolVersion" },
          capabilities,
          serverInfo,
        },
      },
    ],
  },
  {
    when: { headers: { "mcp-protocol-version": { $noneOf: ["2025-03-26"] } } },
    reply: refusal(400, -32000, "Bad Request: Unsupported protocol version"),
  },
]

/** Family 4: what a server answers to the handshake of the legacy era. */
export const versionVariants: ReadonlyArray<Variant> = [
  {
    ...overHttp,
    name: "echoes-any-version",
    era: "legacy",
    expects: "version-echoed",
    verdict: "failed",
    script: () => withRules(legacyServer({ tools, revision: "2025-03-26" }), ...echoing),
  },
  {
    ...overHttp,
    name: "agreed-version-refused",
    era: "legacy",
    expects: "agreed-version-refused",
    verdict: "failed",
    script: () =>
      withRules(legacyServer({ tools }), {
        when: { ...list },
        reply: refusal(400, -32000, "Bad Request: Unsupported protocol version 2025-11-25"),
      }),
  },
  ...bothWays(() => ({
    name: "fictional-version",
    era: "legacy",
    expects: "version-unknown",
    verdict: "failed",
    script: () =>
      answered(opening, {
        result: { protocolVersion: "2099-12-31", capabilities, serverInfo },
      }),
  })),
  ...bothWays(() => ({
    name: "modern-version-in-a-handshake",
    era: "legacy",
    expects: "version-unknown",
    verdict: "failed",
    script: () =>
      answered(opening, {
        result: { protocolVersion: "2026-07-28", capabilities, serverInfo },
      }),
  })),
  ...bothWays(() => ({
    name: "version-is-a-number",
    era: "legacy",
    expects: "initialize-result-malformed",
    verdict: "failed",
    script: () =>
      answered(opening, {
        result: { protocolVersion: 20_251_125, capabilities, serverInfo },
      }),
  })),
  ...bothWays(() => ({
    name: "snake-case-handshake",
    era: "legacy",
    expects: "initialize-result-malformed",
    verdict: "failed",
    script: () =>
      answered(opening, {
        result: { protocol_version: "2024-11-05", server_info: { name: "s" } },
      }),
  })),
  ...bothWays(() => ({
    name: "no-capabilities",
    era: "legacy",
    expects: "initialize-result-malformed",
    verdict: "failed",
    script: () => answered(opening, { result: { protocolVersion: "2025-11-25", serverInfo } }),
  })),
  ...bothWays(() => ({
    name: "handshake-refused",
    era: "legacy",
    expects: "handshake-refused",
    verdict: "failed",
    script: () =>
      answered(opening, { status: 400, error: { code: -32603, message: "Not configured" } }),
  })),
  ...bothWays(() => ({
    name: "refused-naming-strange-versions",
    era: "legacy",
    expects: "no-common-version",
    verdict: "failed",
    script: () =>
      answered(opening, {
        error: {
          code: -32602,
          message: "Unsupported protocol version",
          data: { supported: ["1.0", "2.0"], requested: { $from: "/params/protocolVersion" } },
        },
      }),
  })),
  {
    ...overHttp,
    name: "version-gate",
    era: "legacy",
    expects: "version-gate",
    verdict: "failed",
    script: () =>
      answered(opening, {
        http: {
          status: 400,
          text: "version refused; supported versions (2025-06-18, 2025-03-26, 2024-11-05)",
        },
      }),
    client: (client) => initialize(client),
  },
  ...bothWays(() => ({
    name: "version-gate-in-json",
    era: "legacy",
    expects: "version-gate",
    verdict: "failed",
    script: () =>
      answered(opening, {
        error: {
          code: -32602,
          message: "Unsupported protocol version",
          data: { supported: ["2025-03-26"], requested: "2025-11-25" },
        },
      }),
    client: (client) => initialize(client),
  })),
  {
    ...overHttp,
    name: "initialized-refused",
    era: "legacy",
    expects: "initialized-refused",
    verdict: "failed",
    script: () =>
      answered(
        { kind: "notification", method: "notifications/initialized" },
        { http: { status: 400, text: "Not yet" } },
      ),
  },
  {
    ...overHttp,
    name: "initialized-never-acknowledged",
    era: "legacy",
    expects: "initialized-not-acknowledged",
    verdict: "failed",
    script: () =>
      answered({ kind: "notification", method: "notifications/initialized" }, { silence: true }),
    options: { timeoutMs: 300 },
  },
  ...bothWays((over) => ({
    name: "initialized-never-sent",
    era: "legacy",
    expects: "initialized-never-sent",
    verdict: "failed",
    script: () =>
      answered(list, {
        error: { code: -32002, message: "Received request before initialization was complete" },
      }),
    client: async (client) => {
      await initialize(client)
      await client.say({ id: 2, method: "tools/list" }, over === "http" ? versionHeader() : {})
    },
  })),
]
