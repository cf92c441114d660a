import { modernRevisions, rpcCode, type JsonObject } from "@entente/protocol"
import { annotationRules } from "./annotated-parameters.js"
import { capabilitiesOf, defaultServerInfo, offerRules, type ServerOptions } from "./offers.js"
import { mediaTypeRules, refusal } from "./rules.js"
import type { Rule, Script } from "./script.js"

export interface ModernServerOptions extends ServerOptions {
  /** Default: every modern revision. */
  readonly supportedVersions?: ReadonlyArray<string>
  /** How long lists stay fresh, in milliseconds. Default: 0. */
  readonly ttlMs?: number
  /** Default: `private`. */
  readonly cacheScope?: "private" | "public"
}

/** The names under which a modern request says what it is (V26-META-01, V26-META-02). */
export const metaKey = {
  protocolVersion: "io.modelcontextprotocol/protocolVersion",
  clientCapabilities: "io.modelcontextprotocol/clientCapabilities",
  serverInfo: "io.modelcontextprotocol/serverInfo",
  subscriptionId: "io.modelcontextprotocol/subscriptionId",
} as const

const ifMeta = (key: string, condition: unknown): Rule["when"] => ({
  kind: "request",
  params: { _meta: { [key]: condition } },
})

/** What every modern request has to be, whatever it asks for. */
const admissionRules = (supported: ReadonlyArray<string>): ReadonlyArray<Rule> => [
  {
    when: { kind: "request", mirrored: false }, // V26-HDR-09
    reply: refusal(400, rpcCode.headerMismatch, "The headers do not repeat the body"),
  },
  ...[metaKey.protocolVersion, metaKey.clientCapabilities].map((key): Rule => ({
    when: ifMeta(key, { $present: false }), // V26-META-04
    reply: refusal(400, rpcCode.invalidParams, `_meta lacks ${key}`),
  })),
  {
    when: ifMeta(metaKey.protocolVersion, { $noneOf: supported }), // V26-VER-02
    reply: refusal(400, rpcCode.unsupportedVersion, "Unsupported protocol version", {
      supported,
      requested: { $from: `/params/_meta/${metaKey.protocolVersion.replace("/", "~1")}` },
    }),
  },
]

/** Acknowledges what was asked for and stays open (V26-SUB-03, V26-SUB-05). */
const subscriptionRule: Rule = {
  when: { kind: "request", method: "subscriptions/listen" },
  reply: [
    {
      message: {
        jsonrpc: "2.0",
        method: "notifications/subscriptions/acknowledged",
        params: {
          notifications: { $from: "/params/notifications" },
          _meta: { [metaKey.subscriptionId]: { $from: "/id" } },
        },
      },
    },
    { silence: true },
  ],
}

/**
 * An honest server of the modern era: discovery, its lists, tool calls and subscriptions. It refuses
 * requests without version or capabilities, unsupported versions, and over HTTP headers that differ
 * from the body, those of annotated arguments included.
 *
 * @example
 * const script = modernServer({ tools: [tool("echo")], ttlMs: 60_000 })
 */
export const modernServer = (options: ModernServerOptions = {}): Script => {
  const { supportedVersions = modernRevisions, ttlMs = 0, cacheScope = "private" } = options
  const complete: JsonObject = {
    resultType: "complete",
    _meta: { [metaKey.serverInfo]: options.serverInfo ?? defaultServerInfo },
  }
  const cacheable = { ttlMs, cacheScope }
  const discovered = {
    ...complete,
    ...cacheable,
    supportedVersions,
    capabilities: options.capabilities ?? capabilitiesOf(options),
    ...(options.instructions !== undefined && { instructions: options.instructions }),
  }
  return {
    ...(options.answers && { answers: options.answers }),
    rules: [
      ...mediaTypeRules,
      ...admissionRules(supportedVersions),
      {
        when: { kind: "request", method: "server/discover" },
        reply: [{ result: discovered }],
      },
      ...annotationRules(options.tools ?? []),
      ...offerRules(options, complete, cacheable),
      subscriptionRule,
    ],
    unmatched: refusal(404, rpcCode.methodNotFound, "Method not found"),
  }
}
