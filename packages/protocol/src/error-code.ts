/**
 * Numbers that peers put into `error.code`. Only codes with a fixed meaning are here; nothing may be
 * concluded from -32000 … -32019 (V26-ERR-01), except -32002, which legacy servers use for a missing
 * resource (V26-RES-01).
 */
export const rpcCode = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  resourceNotFound: -32002,
  headerMismatch: -32020,
  missingClientCapability: -32021,
  unsupportedVersion: -32022,
  urlElicitationRequired: -32042,
  /** A person said no to sampling: outside the reserved range on purpose (V25-SAMP-03). */
  userRefused: -1,
} as const

/** Whether an error proves that the peer speaks the modern era; no other code does (V26-ERA-09). */
export const provesModern = (code: number): boolean =>
  code === rpcCode.headerMismatch ||
  code === rpcCode.missingClientCapability ||
  code === rpcCode.unsupportedVersion

/** One row per failure a user can meet: a stable name, its heading in the docs, and what to do. */
interface ErrorCodeRow {
  readonly title: string
  readonly hint: string
}

/**
 * Every code an Entente error can carry. `docs/errors.md` has one heading per row, and a test keeps
 * the two the same.
 */
export const errorCodes = {
  unreachable: {
    title: "The server cannot be reached",
    hint: "Check the address, and that the server is running.",
  },
  "deadline-passed": {
    title: "A deadline of an HTTP exchange passed",
    hint: "Raise the deadline that is named in this error, or find out why the server is slow.",
  },
  "proxy-failed": {
    title: "The proxy did not let the request through",
    hint: "Check the address of the proxy, or leave it out for this server (NO_PROXY, proxy: false).",
  },
  outage: {
    title: "The server answers, but is out of order",
    hint: "Try again later, or ask whoever runs the server.",
  },
  "command-not-found": {
    title: "The command does not exist",
    hint: "Install it, or give its full path; the PATH that was searched is in this error.",
  },
  "spawn-failed": {
    title: "The command could not be started",
    hint: "Check that the file may be executed and that the working directory exists.",
  },
  "process-exited": {
    title: "The server process ended",
    hint: "Its last lines on stderr are in this error and usually say why.",
  },
  "redirect-refused": {
    title: "A redirect to another place was refused",
    hint: "Use the final address directly; credentials never follow a redirect to another origin.",
  },
  "endpoint-refused": {
    title: "The address for messages that a stream named was refused",
    hint: "If you trust that address, give it yourself, as messageUrl.",
  },
  "http-status": {
    title: "The server answered with an unexpected HTTP status",
    hint: "Check that the URL is the MCP endpoint and not the site around it.",
  },
  "unexpected-content": {
    title: "The answer is not MCP",
    hint: "Check that the URL is the MCP endpoint; a web page or a proxy answered.",
  },
  "message-too-large": {
    title: "A message is larger than the limit",
    hint: "Raise maxMessageBytes if the server really needs it.",
  },
  "invalid-message": {
    title: "The server sent something that is not JSON-RPC",
    hint: "This is a fault of the server; the reason is in this error.",
  },
  "invalid-result": {
    title: "A result does not have the shape its method demands",
    hint: "This is a fault of the server; the pointer in this error says where.",
  },
  "authorization-required": {
    title: "The server wants authorization",
    hint: "Give a token, for example with --header 'Authorization: Bearer …'.",
  },
  forbidden: {
    title: "The server refuses these credentials",
    hint: "The token is known but may not do this, or the Origin is not allowed.",
  },
  "no-common-version": {
    title: "No protocol version in common",
    hint: "Update the older side; both lists of versions are in this error.",
  },
  "handshake-refused": {
    title: "The server refused the handshake",
    hint: "The attempts in this error are in order; the first is the one to look at.",
  },
  "handshake-timeout": {
    title: "The server never answered the handshake",
    hint: "Check that the process speaks MCP on stdout, or that the URL is the MCP endpoint.",
  },
  "peer-error": {
    title: "The server answered with an error",
    hint: "The code and message are the server's own.",
  },
  "resource-not-found": {
    title: "The server does not have this resource",
    hint: "Look it up in the list of resources; it may have been removed since that was read.",
  },
  "no-longer-offered": {
    title: "What was called is not offered any more",
    hint: "Choose from the list as it is now, and show that to whoever had the old one, such as a model.",
  },
  "client-capability-missing": {
    title: "The server needs a client capability for this request",
    hint: "What it needs is in this error: declare it for this call, or for the connection, if you have it.",
  },
  timeout: {
    title: "No answer within the time allowed",
    hint: "Raise the timeout for this call if the server may take longer.",
  },
  aborted: {
    title: "The caller cancelled the request",
    hint: "Nothing to do: this side asked for it.",
  },
  lost: {
    title: "The answer was lost with its stream",
    hint: "Whether the server did the work is unknown; repeat the call only if that is harmless.",
  },
  "session-lost": {
    title: "The session ended before the request was answered",
    hint: "The connection has a new session; repeat the call if that is harmless.",
  },
  closed: {
    title: "The connection is closed",
    hint: "Connect again.",
  },
  "capability-missing": {
    title: "The server does not offer this",
    hint: "The server did not declare the capability, so nothing was sent.",
  },
  "not-subscribed": {
    title: "The server did not agree to tell of a resource",
    hint: "Read the resource again when you need it; nothing is heard of its changes.",
  },
  "list-incomplete": {
    title: "A list ended before its end",
    hint: "What came has been delivered, and is in this error unless it is long; the reason says what stopped it.",
  },
  "not-tolerated": {
    title: "A deviation that strict mode refuses",
    hint: "Leave strict off, or switch this one tolerance on.",
  },
  "structured-content-invalid": {
    title: "Structured content that does not conform to its tool's output schema",
    hint: "A fault of the server; result has all it answered. To let such content pass, with a note, switch the tolerance structured-content-invalid on.",
  },
  "replay-diverged": {
    title: "A replay and its client went different ways",
    hint: "Connect as it was recorded (mode, capabilities, headers) and call the same, or record anew.",
  },
  "question-refused": {
    title: "A question of the server was not answered",
    hint: "The kind in this error says why; handlers are given to connect.",
  },
  "input-required": {
    title: "The server wants to know more before it answers",
    hint: "Give connect a handler for it, or answer the pause in this error with resume.",
  },
  "too-many-rounds": {
    title: "The server asked again and again",
    hint: "Raise rounds.max or rounds.deadlineMs if the server really needs them.",
  },
  "task-gone": {
    title: "The server does not know the task",
    hint: "Call the tool again if that is harmless; servers keep tasks for the time they name as ttl.",
  },
  "task-cancelled": {
    title: "The task was cancelled",
    hint: "Nothing to do, if this side asked for it; otherwise the server has stopped the task.",
  },
  "unknown-tool": {
    title: "The catalog has no such tool",
    hint: "Use one of the ids in this error, or look it up in the catalog; it may have been removed.",
  },
  "server-unavailable": {
    title: "The server of a tool is not there",
    hint: "Its status in the catalog says why, and when it is tried again.",
  },
  "middleware-failed": {
    title: "Middleware of this program failed",
    hint: "The cause in this error is what it threw; it is given to connect as middleware.",
  },
  "invalid-input": {
    title: "The input of this call is not valid",
    hint: "See the message: it names the option and what it takes.",
  },
} as const satisfies Record<string, ErrorCodeRow>

/** The stable name of a failure. */
export type ErrorCode = keyof typeof errorCodes

/** Where a code is explained. */
export const docsAddress = (code: ErrorCode): string => `docs/errors.md#${code}`
