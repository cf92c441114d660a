import {
  legacyServer,
  modernServer,
  refusal,
  tool,
  withRules,
  type LegacyServerOptions,
  type Rule,
  type Script,
  type Step,
} from "@entente/testkit"
import type { ClumsyClient } from "./clumsy-client.js"
import {
  confirmation,
  initialize,
  modernMeta,
  sessionHeaders,
  versionHeader,
} from "./clumsy-words.js"
import type { Variant } from "./variant.js"

const tools = [tool("echo"), tool("add")]

const common = { family: 3, era: "legacy", over: "http" } as const

/** An honest server with sessions, after rules that go before its own. */
const sessions = (options: LegacyServerOptions, ...rules: ReadonlyArray<Rule>): Script =>
  withRules(legacyServer({ tools, sessionIds: ["S1", "S2", "S3"], ...options }), ...rules)

const initialized = (headers: Readonly<Record<string, string>>): Step => ({
  result: {
    protocolVersion: "2025-11-25",
    capabilities: { tools: {} },
    serverInfo: { name: "scripted-peer", version: "1.0.0" },
  },
  headers,
})

const opening = { kind: "request", method: "initialize" } as const
const list = { kind: "request", method: "tools/list" } as const
const ping = { kind: "request", method: "ping" } as const

const unknown = refusal(404, -32001, "Session not found")
const missing = refusal(400, -32000, "Bad Request: Mcp-Session-Id header is missing")

/** Opens a session; gives its id. */
const open = async (client: ClumsyClient): Promise<string> =>
  (await initialize(client)).headers["mcp-session-id"] ?? ""

/** Answers to pages on any origin, with one header less than they need. */
const cors = { "access-control-allow-origin": "*" }

/** Requests with a session reach two replicas in turns, and only one of them knows it. */
const everySecond = (from: number, count: number, when: Rule["when"]): ReadonlyArray<Rule> =>
  Array.from({ length: count }, (_, index) => ({
    when: { ...when, nth: from + 2 * index },
    reply: unknown,
  }))

/** Family 3. */
export const sessionVariants: ReadonlyArray<Variant> = [
  {
    ...common,
    name: "assigned-and-not-sent",
    expects: "session-id-not-sent",
    verdict: "failed",
    script: () => sessions({}),
    client: async (client) => {
      await open(client)
      await client.say(confirmation, versionHeader())
      await client.say({ id: 2, method: "tools/list" }, versionHeader())
    },
  },
  {
    ...common,
    name: "sent-and-stripped-by-a-proxy",
    expects: "session-id-stripped",
    verdict: "failed",
    script: () => sessions({}, { when: list, reply: missing }),
  },
  {
    ...common,
    name: "stripped-from-everything",
    expects: "session-id-stripped",
    verdict: "failed",
    script: () => sessions({}, { when: { headers: { "mcp-session-id": true } }, reply: missing }),
  },
  {
    ...common,
    name: "demanded-and-never-given",
    expects: "session-demanded-never-given",
    verdict: "failed",
    script: () => sessions({}, { when: opening, reply: [initialized({})] }),
  },
  {
    ...common,
    name: "not-exposed-by-cors",
    expects: "session-header-not-exposed",
    verdict: "degraded",
    context: { browser: true },
    script: () =>
      sessions(
        {},
        {
          when: opening,
          reply: [initialized({ "mcp-session-id": "S1", ...cors })],
        },
      ),
  },
  {
    ...common,
    name: "not-exposed-to-a-page-that-was-overheard",
    expects: "session-header-not-exposed",
    verdict: "failed",
    context: { browser: true },
    script: () =>
      sessions(
        {},
        {
          when: opening,
          reply: [initialized({ "mcp-session-id": "S1", ...cors })],
        },
      ),
    client: async (client) => {
      await open(client)
      await client.say(confirmation, versionHeader())
    },
  },
  {
    ...common,
    name: "pages-not-let-in",
    expects: "browser-not-let-in",
    verdict: "degraded",
    context: { browser: true },
    script: () => sessions({}),
  },
  {
    ...common,
    name: "expired-early",
    expects: "session-expired-early",
    verdict: "degraded",
    script: () =>
      sessions({}, { when: { ...list, headers: { "mcp-session-id": "S1" } }, reply: unknown }),
  },
  {
    ...common,
    name: "expired-early-with-400",
    expects: "session-expired-early",
    verdict: "degraded",
    script: () =>
      sessions(
        {},
        {
          when: { ...list, headers: { "mcp-session-id": "S1" } },
          reply: [
            {
              http: {
                status: 400,
                json: {
                  jsonrpc: "2.0",
                  id: null,
                  error: { code: -32000, message: "Bad Request: the session id is not valid" },
                },
              },
            },
          ],
        },
      ),
  },
  {
    ...common,
    name: "expired-and-not-renewed",
    expects: "session-not-renewed",
    verdict: "failed",
    script: () => sessions({}, { when: list, reply: unknown }),
    client: async (client) => {
      const id = await open(client)
      await client.say(confirmation, sessionHeaders(id))
      await client.say({ id: 2, method: "tools/list" }, sessionHeaders(id))
      await client.say({ id: 3, method: "tools/list" }, sessionHeaders(id))
    },
  },
  {
    ...common,
    name: "replicas-without-affinity",
    expects: "replicas-without-affinity",
    verdict: "failed",
    script: () =>
      sessions(
        {},
        ...everySecond(1, 2, { ...list, headers: { "mcp-session-id": "S1" } }),
        ...everySecond(1, 2, { ...list, headers: { "mcp-session-id": "S2" } }),
        ...everySecond(1, 4, { ...list, headers: { "mcp-session-id": "S3" } }),
      ),
  },
  {
    ...common,
    name: "replicas-by-connection",
    expects: "replicas-without-affinity",
    verdict: "degraded",
    script: () => sessions({}, ...everySecond(1, 2, ping)),
  },
  {
    ...common,
    name: "session-of-one-connection",
    expects: "session-bound-to-connection",
    verdict: "degraded",
    script: () => sessions({}, { when: ping, reply: unknown }),
  },
  {
    ...common,
    name: "illegal-session-id",
    expects: "session-id-illegal",
    verdict: "failed",
    script: () =>
      sessions({}, { when: opening, reply: [initialized({ "mcp-session-id": "S 1" })] }),
  },
  {
    ...common,
    era: "modern",
    name: "session-id-sent-to-a-modern-server",
    expects: "session-id-to-modern-server",
    verdict: "failed",
    script: () =>
      withRules(modernServer({ tools }), {
        when: { headers: { "mcp-session-id": true } },
        reply: refusal(400, -32600, "Mcp-Session-Id has no meaning in this revision"),
      }),
    client: (client) =>
      client.say(
        { id: 1, method: "tools/list", params: { _meta: modernMeta } },
        {
          "mcp-protocol-version": "2026-07-28",
          "mcp-method": "tools/list",
          "mcp-session-id": "S1",
        },
      ),
  },
]
