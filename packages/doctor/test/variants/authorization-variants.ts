import type { Era } from "@entente/protocol"
import {
  legacyServer,
  modernServer,
  tool,
  withRules,
  type Rule,
  type Script,
  type Step,
} from "@entente/testkit"
import { inBothEras } from "./eras-and-ways.js"
import type { Variant } from "./variant.js"

const family = 6
const tools = [tool("echo"), tool("add")]
const credentials = { authorization: "Bearer a-token-of-nobody" }
const metadata = 'resource_metadata="https://example.com/.well-known/oauth-protected-resource"'
const quick = { waitMs: 20 } as const

const server = (era: Era, options: Parameters<typeof legacyServer>[0] = {}): Script =>
  era === "modern" ? modernServer({ tools, ...options }) : legacyServer({ tools, ...options })

const refuses = (status: number, challenge: string | undefined, text = "no"): Step => ({
  http: {
    status,
    text,
    ...(challenge === undefined ? {} : { headers: { "www-authenticate": challenge } }),
  },
})

const always = (status: number, challenge?: string, text?: string) => (): Script => ({
  rules: [{ when: {}, reply: [refuses(status, challenge, text)] }],
})

const onList = (status: number, challenge?: string): Rule => ({
  when: { kind: "request", method: "tools/list" },
  reply: [refuses(status, challenge)],
})

const emptyList = (era: Era, headers: Readonly<Record<string, string>> = {}): Step => ({
  result: {
    tools: [],
    ...(era === "modern" ? { resultType: "complete", ttlMs: 0, cacheScope: "private" } : {}),
  },
  headers,
})

const whenListed = (
  era: Era,
  headers: NonNullable<Rule["when"]["headers"]>,
  reply: Step = emptyList(era),
): Rule => ({
  when: { kind: "request", method: "tools/list", headers },
  reply: [reply],
})

type Row = readonly [
  name: string,
  expects: string,
  script: (era: Era) => Script,
  more?: Partial<Variant>,
]

const withCredentials = { credentials }

const rows: ReadonlyArray<Row> = [
  ["wants-login", "authorization-required", always(401, `Bearer ${metadata}`)],
  ["wants-login-and-says-nothing", "challenge-missing", always(401)],
  ["wants-login-and-not-where", "challenge-without-metadata", always(401, 'Bearer realm="tools"')],
  [
    "token-is-invalid",
    "credentials-refused",
    always(401, `Bearer error="invalid_token", ${metadata}`),
    withCredentials,
  ],
  [
    "token-has-expired",
    "credentials-refused",
    always(401, 'Bearer error="invalid_token", error_description="The token has expired"'),
    withCredentials,
  ],
  ["token-is-refused-without-a-word", "credentials-refused", always(401), withCredentials],
  [
    "header-is-taken-out",
    "credentials-not-arrived",
    always(401, "Bearer", "Missing Authorization header"),
    withCredentials,
  ],
  [
    "login-for-the-list-only",
    "unauthorized-on-list",
    (era) => withRules(server(era), onList(401, `Bearer ${metadata}`)),
  ],
  [
    "scopes-are-missing",
    "scope-insufficient",
    always(403, 'Bearer error="insufficient_scope", scope="tools:read tools:call"'),
    withCredentials,
  ],
  [
    "scopes-are-missing-for-the-list",
    "scope-insufficient",
    (era) =>
      withRules(server(era), onList(403, 'Bearer error="insufficient_scope", scope="tools:read"')),
    withCredentials,
  ],
  [
    "origin-is-refused",
    "origin-refused",
    () => ({
      rules: [
        {
          when: {},
          reply: [
            {
              http: {
                status: 403,
                json: { jsonrpc: "2.0", error: { code: -32600, message: "Origin not allowed" } },
              },
            },
          ],
        },
      ],
    }),
  ],
  ["access-is-refused", "forbidden", always(403), withCredentials],
  [
    "nothing-for-strangers",
    "empty-for-anonymous",
    (era) =>
      withRules(
        server(era),
        whenListed(era, {}, emptyList(era, { "www-authenticate": `Bearer ${metadata}` })),
      ),
    { verdict: "degraded" },
  ],
  [
    "nothing-for-strangers-by-its-instructions",
    "empty-for-anonymous",
    (era) =>
      server(era, {
        tools: [],
        capabilities: { tools: {} },
        instructions: "Log in to see the tools.",
      }),
    { verdict: "degraded" },
  ],
  [
    "nothing-for-this-account",
    "perhaps-filtered-by-permission",
    (era) =>
      withRules(
        server(era),
        whenListed(era, { authorization: null }, refuses(401, "Bearer")),
        whenListed(era, { authorization: true }),
      ),
    { ...withCredentials, verdict: "degraded" },
  ],
  [
    "nothing-for-this-account-or-anybody",
    "perhaps-filtered-by-permission",
    (era) => server(era, { tools: [], capabilities: { tools: {} } }),
    { ...withCredentials, verdict: "degraded" },
  ],
  [
    "less-for-this-account",
    "credentials-hide-tools",
    (era) => withRules(server(era), whenListed(era, { authorization: true })),
    withCredentials,
  ],
]

/** Family 6. */
export const authorizationVariants: ReadonlyArray<Variant> = [
  ...rows.flatMap(([name, expects, script, more]) =>
    inBothEras("http", (era) => ({
      name,
      family,
      expects,
      verdict: "failed",
      script: () => script(era),
      options: quick,
      ...more,
    })),
  ),
  {
    name: "token-with-the-handshake-only",
    family,
    era: "legacy",
    over: "http",
    expects: "credentials-not-on-every-request",
    verdict: "failed",
    script: () =>
      withRules(legacyServer({ tools }), {
        when: { kind: "request", headers: { authorization: null } },
        reply: [refuses(401, `Bearer ${metadata}`)],
      }),
    client: async (client) => {
      const params = {
        protocolVersion: "2025-11-25",
        capabilities: {},
        clientInfo: { name: "c", version: "1" },
      }
      await client.say({ id: 1, method: "initialize", params }, credentials)
      const version = { "mcp-protocol-version": "2025-11-25" }
      await client.say({ method: "notifications/initialized" }, { ...credentials, ...version })
      await client.say({ id: 2, method: "tools/list" }, version)
    },
  },
  {
    name: "upgrade-wants-login",
    family,
    era: "legacy",
    over: "ws",
    expects: "challenge-missing",
    verdict: "failed",
    script: () => ({
      rules: [{ when: { kind: "open" }, reply: [{ http: { status: 401, text: "Unauthorized" } }] }],
    }),
  },
]
