/** One deviation from the protocol that is met in the field. */
interface ToleranceRow {
  /** What is accepted, as a sentence a note can show. */
  readonly accepts: string
  /** The field case or requirement that made it necessary. */
  readonly because: string
  /** Whether it is on when nobody says anything. */
  readonly byDefault: boolean
}

/**
 * The only place where leniency lives. Each row can be switched off by name, and `strict` switches
 * all of them off: then the deviation is a `NotTolerated` error instead of a note.
 */
export const tolerances = {
  "null-is-absent": {
    accepts: "null where a member is optional counts as absent",
    because: "peers that serialise empty members; V25-PAGE-05 for cursors",
    byDefault: true,
  },
  "id-echoed-as-string": {
    accepts: "an answer whose id is the decimal text of a pending integer id",
    because: "C053",
    byDefault: true,
  },
  "stdout-noise": {
    accepts: "lines on stdout or a byte stream that are not JSON",
    because: "V25-STDIO-04, V26-STDIO-03",
    byDefault: true,
  },
  "invalid-utf8": {
    accepts: "a message with bytes that are not UTF-8, each read as U+FFFD",
    because: "C044: a damaged line may still be valid JSON",
    byDefault: true,
  },
  "binary-frame": {
    accepts: "binary WebSocket frames, which no message travels in: they are ignored",
    because: "C119",
    byDefault: true,
  },
  "text-frame-noise": {
    accepts: "WebSocket text frames that are not JSON, such as a heartbeat in plain words",
    because: "V25-CUST-03",
    byDefault: true,
  },
  "subprotocol-missing": {
    accepts: "a WebSocket server that selects no subprotocol, although mcp was asked for",
    because: "V25-CUST-03",
    byDefault: true,
  },
  "ack-was-not-202": {
    accepts: "a notification acknowledged with another 2xx, or with a body",
    because: "V25-HTTP-05",
    byDefault: true,
  },
  "content-type-sniffed": {
    accepts: "an answer without a Content-Type, or called text/plain, read by its first bytes",
    because: "C122",
    byDefault: true,
  },
  "session-shaped-400": {
    accepts: "a 400 that speaks of the session, taken for the 404 that the protocol demands",
    because: "C020",
    byDefault: true,
  },
  "version-gate": {
    accepts: "a refused initialize whose text names older versions, retried once with the best",
    because: "C026",
    byDefault: true,
  },
  "version-header-at-initialize": {
    accepts: "a server that wants MCP-Protocol-Version before any version was negotiated",
    because: "C027",
    byDefault: true,
  },
  "endpoint-prefix-lost": {
    accepts: "an address for HTTP+SSE messages without the path prefix that a proxy has stripped",
    because: "C092",
    byDefault: true,
  },
  "item-quarantined": {
    accepts: "a list in which some items are broken: they are set aside, the others are kept",
    because: "one bad tool never loses the others",
    byDefault: true,
  },
  "empty-array-as-object": {
    accepts: "an empty array where an object belongs, read as an empty object",
    because: "C103: languages that cannot tell the two apart",
    byDefault: true,
  },
  "unknown-content": {
    accepts: "content blocks of a kind that is not known here: they are kept as they are",
    because: "V25-TOOL-04, C088",
    byDefault: true,
  },
  "malformed-content": {
    accepts: "content blocks that lack what their kind demands: they are kept, as of no known kind",
    because: "one bad block never loses the others; V25-PROMPT-05",
    byDefault: true,
  },
  "broken-base64": {
    accepts: "images, sounds and blobs whose Base64 cannot be decoded: they are kept as they are",
    because: "V25-PROMPT-05, V25-RES-09",
    byDefault: true,
  },
  "structured-content-missing": {
    accepts: "a tool with an output schema whose result has no structured content",
    because: "C086: such servers answer with text alone",
    byDefault: true,
  },
  "structured-content-invalid": {
    accepts: "structured content that does not conform to the output schema of its tool",
    because: "V25-TOOL-07, V26-TOOL-08: validated unless asked otherwise",
    byDefault: false,
  },
  "output-schema-unusable": {
    accepts: "an output schema that nothing can be checked against: the tool works without it",
    because: "C013, V26-SCHEMA-02, V26-SCHEMA-05, V26-SCHEMA-08",
    byDefault: true,
  },
  "structured-content-unchecked": {
    accepts:
      "structured content that cannot be checked within bounds, or by a schema that still holds",
    because: "V26-SCHEMA-06",
    byDefault: true,
  },
  "subscription-id-missing": {
    accepts: "a notice on the stream of a subscription over HTTP that does not name it",
    because:
      "T-32: the specification's own sample of a task notice lacks it; the stream says as much",
    byDefault: true,
  },
  "task-result-type": {
    accepts: "a task that calls itself resultType task where it is looked at, instead of complete",
    because: "T-32: samples of the extension do",
    byDefault: true,
  },
  "batch-outside-2025-03-26": {
    accepts: "a JSON array of messages where no batching was negotiated",
    because: "V25-RPC-15, V26-ENV-13: rejected unless asked for",
    byDefault: false,
  },
} as const satisfies Record<string, ToleranceRow>

/** The name of a leniency. */
export type ToleranceCode = keyof typeof tolerances

/** Whether the code of a note is that of a leniency. */
export const isTolerance = (code: Note["code"]): code is ToleranceCode =>
  Object.hasOwn(tolerances, code)

/** Which leniencies are on. A rule that is not named follows the table, or `strict`. */
export type TolerancePolicy = { readonly strict?: boolean } & {
  readonly [Code in ToleranceCode]?: boolean
}

/**
 * Whether a deviation is tolerated under a policy. Naming it beats `strict`, so that strict mode can
 * keep single rules.
 *
 * @example
 * tolerates({ strict: true, "stdout-noise": true }, "stdout-noise") // true
 */
export const tolerates = (policy: TolerancePolicy, code: ToleranceCode): boolean =>
  policy[code] ?? (policy.strict !== true && tolerances[code].byDefault)

/** Things worth knowing that are no deviation, or that end a list early. */
export const observations = {
  "advertised-but-unimplemented": "a declared capability whose method the server does not know",
  "cursor-loop": "a cursor came back that had been used already, with nothing new",
  "empty-cursor-repeated":
    'the cursor "" was followed and came back with nothing new: the list ends',
  "unstable-pagination": "pages of one walk overlap: the first of equal items was kept",
  "walk-restarted": "the list changed, or a cursor expired, while pages were read",
  "changed-while-listing": "the list kept changing while it was read; it may be out of date",
  "catalog-churn":
    "a list is called changed again and again, and is the same: it is read less and less often",
  "invalid-message": "something that is no JSON-RPC message, and belongs to no request",
  "late-reply": "an answer to a request that was already settled",
  "error-id-missing": "an error without an id, which its HTTP exchange says whose it is",
  "progress-ignored": "a progress notification of no request under way, or one that does not grow",
  "log-unasked": "a log message that nobody has asked for: it is dropped",
  "log-below-level": "a log message below the level that was asked for: it is dropped",
  "log-flood": "more log messages in a second than are handed on: the rest of them is dropped",
  "log-level-lost": "the level of log messages could not be set again after a recovery",
  "unknown-reply": "an answer to a request that was never made",
  "event-replayed": "a resumed stream brought an event again that had been read already",
  "reply-refused": "the server refused the answer to a request of its own",
  "listening-unsupported": "the server offers no stream for what it says by itself",
  "listening-unavailable": "the stream for what the server says by itself could not be kept open",
  "listening-narrowed": "the server agreed to tell less than it was asked for",
  "notice-dropped":
    "something that the server may say only on a subscription, or never there, came in another place",
  "invalid-notification":
    "a notification without what its method demands: listeners of that method are not told",
  "notifications-dropped": "a reader is too slow: the oldest of what waits for it are dropped",
  "subscription-lost":
    "a resource could not be subscribed to again after the connection was renewed",
  "late-discover": "the answer to server/discover came after initialize was sent",
  "server-request-refused": "the server asked for something this client does not offer",
  "server-request-in-modern": "the server sent a request, which the modern era does not allow",
  "ping-unsupported": "the server does not implement ping: keep-alive, if there is any, stops",
  "session-renewed": "the session expired and a new one was opened",
  reconnected: "the connection was lost and opened again",
  "verdict-renewed": "the remembered verdict on this server's era no longer held",
  "recording-damaged": "a line of a recording that is replayed could not be read",
  "replay-diverged": "the client sent something that the recording which is replayed does not have",
  "old-transport":
    "the server refused Streamable HTTP and is spoken to by the HTTP+SSE of 2024-11-05",
  "endpoint-repeated":
    "an HTTP+SSE stream named an address for messages again: followed on its origin only",
  "truncated-line": "the last line on stdout or a byte stream ended without a newline",
  "content-length-framing": "a Content-Length header on stdout, as language servers write it",
  "clear-text": "messages to and from another machine travel unencrypted",
  "question-refused": "the server asked something that was not answered",
  "context-not-shared": "the server wanted context of other conversations, which is not shared",
  "pattern-unchecked": "a pattern in a form could not be checked in bounded time",
  "secret-asked-by-form": "a form asks for something that looks like a secret",
  "suspicious-url": "the server wants a page opened whose address looks suspicious",
  "tool-left-out":
    "a tool that a 2026-07-28 client over HTTP may not offer: its x-mcp-header annotations break a rule",
  "headers-rebuilt":
    "the headers of a call did not repeat its arguments as the server wants: its tool was read again",
  "task-status-ignored": "a server said something of a task that is old, broken, or cannot be",
  "task-orphaned":
    "a call that had been given up became a task: it is cancelled where that is possible",
  "task-uncancelled": "a task that nobody wants could not be cancelled: it may go on",
  "middleware-failed":
    "middleware of this program failed on a message of the server, which went no further",
  "telemetry-failed":
    "a tracer, or an option of telemetry, threw: something was not told, and nothing else",
} as const satisfies Record<string, string>

export type ObservationCode = keyof typeof observations

/** Something harmless that was noticed, counted by code. */
export interface Note {
  readonly code: ToleranceCode | ObservationCode
  /** What exactly, redacted; the latest sample where a note was counted more than once. */
  readonly detail: string
}
