import { rpcCode, type LegacyRevision } from "@entente/protocol"
import { capabilitiesOf, defaultServerInfo, offerRules, type ServerOptions } from "./offers.js"
import { listeningRules, mediaTypeRules, refusal } from "./rules.js"
import type { Match, Rule, Script } from "./script.js"

export interface LegacyServerOptions extends ServerOptions {
  /** The one revision it speaks, and so its answer to every `initialize`. Default: 2025-11-25. */
  readonly revision?: LegacyRevision
  /**
   * HTTP: the session ids it gives out, one per `initialize`, the last one again and again. With them it
   * insists on one from then on: 400 without, 404 with another. Default: no sessions.
   */
  readonly sessionIds?: ReadonlyArray<string>
  /** HTTP: whether a GET opens a stream for what the server says by itself. Default: no (405). */
  readonly listens?: boolean
}

/** Revisions under which every later HTTP request names the version (V25-HTTP-38). */
const namesVersion: ReadonlySet<LegacyRevision> = new Set(["2025-06-18", "2025-11-25"])

const invalid = (status: number, message: string): Rule["reply"] =>
  refusal(status, rpcCode.invalidRequest, message)

/** V25-HTTP-27 … V25-HTTP-34, as far as it can be said without remembering anything. */
const sessionRules = (sessionIds: ReadonlyArray<string>): ReadonlyArray<Rule> =>
  sessionIds.length === 0
    ? []
    : [
        {
          when: { headers: { "mcp-session-id": null } },
          reply: invalid(400, "Mcp-Session-Id is missing"),
        },
        {
          when: { headers: { "mcp-session-id": { $noneOf: sessionIds } } },
          reply: invalid(404, "Unknown session"),
        },
        { when: { httpMethod: "DELETE" }, reply: [{ http: { status: 200 } }] },
      ]

/**
 * An honest server of the legacy era: the handshake, ping, its lists and tool calls. Over HTTP it
 * insists on media types, version and session as a strict server would.
 *
 * @example
 * const script = legacyServer({ tools: [tool("echo")], sessionIds: ["S1"] })
 */
export const legacyServer = (options: LegacyServerOptions = {}): Script => {
  const { revision = "2025-11-25", sessionIds = [], answers } = options
  const result = {
    protocolVersion: revision,
    capabilities: options.capabilities ?? capabilitiesOf(options),
    serverInfo: options.serverInfo ?? defaultServerInfo,
    ...(options.instructions !== undefined && { instructions: options.instructions }),
  }
  const initialize: Match = { kind: "request", method: "initialize" }
  const opening = sessionIds.map((id, index): Rule => ({
    when: index === sessionIds.length - 1 ? initialize : { ...initialize, nth: index + 1 },
    reply: [{ result, headers: { "mcp-session-id": id } }],
  }))
  const version = namesVersion.has(revision)
    ? [{ $noneOf: [revision] }, null]
    : [{ $noneOf: [revision] }]

  return {
    ...(answers && { answers }),
    rules: [
      ...mediaTypeRules,
      {
        when: { ...initialize, headers: { "mcp-session-id": true } },
        reply: invalid(400, "initialize has no session"), // V25-HTTP-30
      },
      ...opening,
      { when: initialize, reply: [{ result }] },
      ...version.map((value): Rule => ({
        when: { headers: { "mcp-protocol-version": value } },
        reply: invalid(400, `MCP-Protocol-Version must be ${revision}`), // V25-HTTP-39
      })),
      ...sessionRules(sessionIds),
      ...(options.listens === true ? listeningRules : []),
      { when: { kind: "request", method: "ping" }, reply: [{ result: {} }] },
      ...offerRules(options),
    ],
  }
}
