import { redacted } from "@entente/trace"

/** Headers of a request that say nothing but what they are for. */
const known = new Set([
  "accept",
  "accept-charset",
  "accept-encoding",
  "accept-language",
  "access-control-request-headers",
  "access-control-request-method",
  "authorization",
  "cache-control",
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "expect",
  "host",
  "keep-alive",
  "last-event-id",
  "mcp-method",
  "mcp-name",
  "mcp-protocol-version",
  "mcp-session-id",
  "origin",
  "pragma",
  "priority",
  "te",
  "traceparent",
  "transfer-encoding",
  "user-agent",
])

const knownBeginnings = ["mcp-param-", "sec-fetch-", "sec-ch-ua"]

/**
 * The headers of a client that is not ours, without the values of those nobody here knows: people put keys
 * under names of their own, and no name says that it holds none.
 */
export const withoutUnknown = (
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      known.has(name) || knownBeginnings.some((begin) => name.startsWith(begin)) || value === ""
        ? value
        : redacted,
    ]),
  )
