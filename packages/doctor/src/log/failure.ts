import type { Unstamped } from "@entente/trace"

/** How much of a client's words is looked at. */
const looked = 2_000

/** What a client's words of a failure mean, in the words of our own errors. The first that fits counts. */
const meanings: ReadonlyArray<readonly [pattern: RegExp, code: string, stage: string]> = [
  [
    /\bENOENT\b|not recogni[sz]ed as an internal|command not found|executable .{0,40}not found|not found in PATH/i,
    "command-not-found",
    "open",
  ],
  [/\bEACCES\b|\bEPERM\b|failed to spawn|spawn \w+ error/i, "spawn-failed", "open"],
  [
    /\b401\b|unauthori[sz]ed|needs.auth|requires? (?:oauth )?authentication|authentication required/i,
    "authorization-required",
    "request",
  ],
  [/\b403\b|\bforbidden\b/i, "forbidden", "request"],
  [/timed? ?out|timeout|-32001/i, "timeout", "negotiate"],
  [
    /ECONNREFUSED|ENOTFOUND|ECONNRESET|EAI_AGAIN|EHOSTUNREACH|fetch failed|connection refused|certificate|self.signed|net::ERR_/i,
    "unreachable",
    "open",
  ],
  [
    /\b[45]\d\d status|status code:? \(?[45]\d\d|HTTP[ (]{1,2}[45]\d\d|\(HTTP [45]\d\d\)|Non-200/i,
    "http-status",
    "request",
  ],
  [
    /process exited|exited before|process exiting early|exit code|code \d+ \(?exit/i,
    "process-exited",
    "request",
  ],
  [
    /unexpected (?:token|end|non-whitespace)|not valid JSON|in JSON at position|unterminated string in JSON/i,
    "invalid-message",
    "request",
  ],
  [
    /ZodError|invalid_(?:type|value|literal|union)|unrecognized.key|invalid (?:input|literal|tools response)|expected object/i,
    "invalid-result",
    "request",
  ],
  [/MCP error -?\d+(?!\d)|MPC -?\d+|JSON-RPC error/i, "peer-error", "request"],
  [
    /connection closed|client closed|transport closed|disconnected|not connected/i,
    "closed",
    "request",
  ],
]

/** A server's connection closed is a connection closed, though it has the form of an error of its own. */
const closedAsError = /-32000\b.{0,5}connection closed/i

/** A failure that a client reports, with our code for it; `client-error` where nothing is known of it. */
export const failure = (message: string): Unstamped => {
  const words = message.slice(0, looked)
  const [, code, stage] = closedAsError.test(words)
    ? [closedAsError, "closed", "request"]
    : (meanings.find(([pattern]) => pattern.test(words)) ?? [undefined, "client-error", "request"])
  return { type: "error", code, stage, message: message.trim() }
}

/** How a JSON parser complains, with the beginning of what it got. */
const complaint =
  /^(?:Failed to parse message:\s*|.{0,60}?)(?:Unexpected (?:token|number|identifier|string|non-whitespace)|Expected .{1,40} in JSON|"(?=.*"$)|.{0,80} is not valid JSON|Unexpected end of JSON|Unterminated string in JSON)/

const beginning = /"((?:[^"\\]|\\.){1,400})"(?:\.{3})?(?: is not valid JSON)?/

/**
 * What a client could not read from its server: a message that broke off, or something on stdout that never
 * was one. Nothing where the words say something else.
 */
export const unreadable = (whole: string): Unstamped | undefined => {
  const text = whole.slice(0, looked)
  if (!complaint.test(text)) return undefined
  const shown = beginning.exec(text)?.[1] ?? text
  const isBroken =
    /unexpected end of JSON|unterminated/i.test(text) ||
    /^\\?\{\\?"?(?:jsonrpc|id|result)/.test(shown)
  if (!isBroken) return { type: "process", event: "noise", detail: shown }
  const error = {
    _tag: "ProtocolViolation",
    code: "invalid-message",
    stage: "request",
    message: text,
  }
  return { type: "unreadable", channel: 1, exchange: 0, error }
}
