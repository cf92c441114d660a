import { dualServer, legacyServer, modernServer, refusal, tool, withRules } from "@entente/testkit"
import type { Rule, Script, Step } from "@entente/testkit"
import { bothWays } from "./both-ways.js"
import type { ClumsyClient } from "./clumsy-client.js"
import { confirmation, initialize, modernMeta, versionHeader, versionKey } from "./clumsy-words.js"
import type { Variant } from "./variant.js"

const tools = [tool("echo"), tool("add")]

const overHttp = { family: 4, over: "http" } as const

const opening = { kind: "request", method: "initialize" } as const
const discover = { kind: "request", method: "server/discover" } as const
const list = { kind: "request", method: "tools/list" } as const
/** Whatever says its version itself. */
const modern = { kind: "request", params: { _meta: { [versionKey]: { $present: true } } } } as const

const answered = (method: Rule["when"], ...reply: ReadonlyArray<Step>): Script =>
  withRules(legacyServer({ tools }), { when: method, reply })

const modernAnswered = (method: Rule["when"], ...reply: ReadonlyArray<Step>): Script =>
  withRules(modernServer({ tools }), { when: method, reply })

const capabilities = { tools: {} }

const unsupported = (supported: ReadonlyArray<string> | undefined): Rule["reply"] =>
  refusal(
    400,
    -32022,
    "Unsupported protocol version",
    supported && { supported, requested: "2026-07-28" },
  )

const listModern = (client: ClumsyClient, headers: Readonly<Record<string, string>>) =>
  client.say({ id: 1, method: "tools/list", params: { _meta: modernMeta } }, headers)

/** Family 4: versions in headers, refused versions, and eras that do not meet. */
export const eraVariants: ReadonlyArray<Variant> = [
  {
    ...overHttp,
    name: "version-header-missing",
    era: "legacy",
    expects: "version-header-missing",
    verdict: "failed",
    script: () => legacyServer({ tools }),
    client: async (client) => {
      await initialize(client)
      await client.say({ method: "notifications/initialized" })
      await client.say({ id: 2, method: "tools/list" })
    },
  },
  {
    ...overHttp,
    name: "version-header-missing",
    era: "modern",
    expects: "version-header-missing",
    verdict: "failed",
    script: () => modernServer({ tools }),
    client: (client) => listModern(client, { "mcp-method": "tools/list" }),
  },
  {
    ...overHttp,
    name: "method-header-missing",
    era: "modern",
    expects: "version-header-missing",
    verdict: "failed",
    script: () => modernServer({ tools }),
    client: (client) => listModern(client, versionHeader("2026-07-28")),
  },
  {
    ...overHttp,
    name: "version-header-differs",
    era: "legacy",
    expects: "version-header-differs",
    verdict: "failed",
    script: () => legacyServer({ tools }),
    client: async (client) => {
      await initialize(client)
      await client.say({ ...confirmation }, versionHeader("2025-03-26"))
      await client.say({ id: 2, method: "tools/list" }, versionHeader("2025-03-26"))
    },
  },
  {
    ...overHttp,
    name: "version-header-differs",
    era: "modern",
    expects: "version-header-differs",
    verdict: "failed",
    script: () => modernServer({ tools }),
    client: (client) => listModern(client, { ...versionHeader(), "mcp-method": "tools/list" }),
  },
  {
    ...overHttp,
    name: "method-header-differs",
    era: "modern",
    expects: "version-header-differs",
    verdict: "failed",
    script: () => modernServer({ tools }),
    client: (client) =>
      listModern(client, { ...versionHeader("2026-07-28"), "mcp-method": "tools/call" }),
  },
  {
    ...overHttp,
    name: "version-header-not-forwarded",
    era: "legacy",
    expects: "version-header-not-forwarded",
    verdict: "failed",
    script: () =>
      withRules(legacyServer({ tools }), {
        when: { headers: { "mcp-protocol-version": "2025-11-25" } },
        reply: refusal(400, -32600, "The header MCP-Protocol-Version is missing"),
      }),
  },
  {
    ...overHttp,
    name: "version-header-not-forwarded",
    era: "modern",
    expects: "version-header-not-forwarded",
    verdict: "failed",
    script: () =>
      modernAnswered(modern, {
        status: 400,
        error: { code: -32020, message: "Header mismatch: Mcp-Method is missing" },
      }),
  },
  ...bothWays(() => ({
    name: "refused-with-a-list-of-strange-versions",
    era: "modern",
    expects: "no-common-version",
    verdict: "failed",
    script: () =>
      withRules(modernServer({ tools }), { when: modern, reply: unsupported(["1999-01-01"]) }),
  })),
  ...bothWays(() => ({
    name: "refused-though-named",
    era: "modern",
    expects: "version-refused-though-named",
    verdict: "failed",
    script: () =>
      withRules(modernServer({ tools }), {
        when: modern,
        reply: unsupported(["2026-07-28", "2027-01-01"]),
      }),
  })),
  ...bothWays(() => ({
    name: "refused-without-a-list",
    era: "modern",
    expects: "version-refused-without-list",
    verdict: "failed",
    script: () =>
      withRules(modernServer({ tools }), { when: modern, reply: unsupported(undefined) }),
  })),
  ...bothWays(() => ({
    name: "wants-a-capability-for-the-list",
    era: "modern",
    expects: "client-capability-missing",
    verdict: "failed",
    script: () =>
      modernAnswered(list, {
        status: 400,
        error: {
          code: -32021,
          message: "Missing required client capability",
          data: { requiredCapabilities: { elicitation: {} } },
        },
      }),
  })),
  ...bothWays(() => ({
    name: "modern-server-and-legacy-client",
    era: "modern",
    expects: "server-is-modern-only",
    verdict: "failed",
    script: () => modernServer({ tools }),
    options: { mode: "legacy" },
  })),
  ...bothWays(() => ({
    name: "modern-server-and-legacy-client-overheard",
    era: "modern",
    expects: "server-is-modern-only",
    verdict: "failed",
    script: () =>
      withRules(modernServer({ tools }), { when: opening, reply: unsupported(["2026-07-28"]) }),
    client: (client) => initialize(client),
  })),
  ...bothWays(() => ({
    name: "legacy-server-and-modern-client",
    era: "legacy",
    expects: "server-is-legacy-only",
    verdict: "failed",
    script: () => legacyServer({ tools }),
    options: { mode: "modern" },
  })),
  ...bothWays(() => ({
    name: "legacy-server-and-modern-client-overheard",
    era: "legacy",
    expects: "server-is-legacy-only",
    verdict: "failed",
    script: () => answered(discover, { error: { code: -32601, message: "Method not found" } }),
    client: (client) =>
      client.say(
        { id: 1, method: "server/discover", params: { _meta: modernMeta } },
        { ...versionHeader("2026-07-28"), "mcp-method": "server/discover" },
      ),
  })),
  {
    ...overHttp,
    name: "probe-answered-with-500",
    era: "legacy",
    expects: "probe-misanswered",
    verdict: "failed",
    script: () => answered(discover, { http: { status: 500, text: "Internal Server Error" } }),
  },
  {
    ...overHttp,
    name: "probe-never-answered",
    era: "legacy",
    expects: "probe-misanswered",
    verdict: "failed",
    script: () => answered(discover, { silence: true }),
    options: { timeoutMs: 300 },
  },
  ...bothWays(() => ({
    name: "discover-result-malformed",
    era: "modern",
    expects: "discover-result-malformed",
    verdict: "failed",
    script: () =>
      modernAnswered(discover, {
        result: { resultType: "complete", supported_versions: ["2026-07-28"], capabilities },
      }),
  })),
  {
    ...overHttp,
    name: "modern-half-of-a-dual-server-refuses",
    era: "modern",
    expects: "version-refused-though-named",
    verdict: "failed",
    script: () =>
      withRules(dualServer({ tools }), {
        when: modern,
        reply: unsupported(["2026-07-28", "2025-11-25"]),
      }),
  },
]
