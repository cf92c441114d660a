import * as Data from "effect/Data"
import { docsAddress, errorCodes, type ErrorCode } from "./error-code.js"
import type { ErrorFields, Stage } from "./error-fields.js"
import type { JsonObject, RequestId } from "./json-rpc.js"
import type { InputRequired, QuestionRefused, TooManyRounds } from "./question-errors.js"
import type { CallToolResult } from "./schema/tool.js"

/** How far a process has come: it is `starting` until its first byte on stdout. */
export type ProcessPhase = "starting" | "running"

/** How a process stands, or how it ended, as far as it is known. */
export interface ProcessReport {
  readonly command: string
  readonly exitCode: number | undefined
  readonly signal: string | undefined
  /** The last lines on stderr, redacted; at most 4 KiB. */
  readonly stderr: string
  readonly phase?: ProcessPhase
  /** Milliseconds since it was started, or for which it ran. */
  readonly ageMs?: number
  /** Why no message has been read from it, where its stdout shows that: a sentence. */
  readonly finding?: string
}

/** One challenge of a `WWW-Authenticate` header. */
export interface Challenge {
  /** Lower case, for example `bearer`. */
  readonly scheme: string
  readonly parameters: Readonly<Record<string, string>>
}

/** A deadline of an HTTP exchange, as `timeouts` names it, and how long it was in milliseconds. */
export interface ExpiredDeadline {
  readonly name: "connect" | "firstByte" | "idle" | "total"
  readonly ms: number
}

/** Nothing could be reached: DNS, refused, reset, TLS, too late; or only an outage could. */
export class Unreachable extends Data.TaggedError("Unreachable")<
  ErrorFields<"unreachable" | "outage" | "deadline-passed" | "proxy-failed"> & {
    readonly status?: number
    readonly deadline?: ExpiredDeadline
  }
> {}

/** A process could not be started at all. */
export class SpawnFailed extends Data.TaggedError("SpawnFailed")<
  ErrorFields<"command-not-found" | "spawn-failed"> & { readonly searchedPath?: string }
> {}

/** The server process ended. */
export class ProcessExited extends Data.TaggedError("ProcessExited")<
  ErrorFields<"process-exited"> & { readonly process: ProcessReport }
> {}

/** An HTTP status that neither carries JSON-RPC nor has a meaning of its own here. */
export class HttpRejected extends Data.TaggedError("HttpRejected")<
  ErrorFields<"http-status" | "redirect-refused" | "proxy-failed"> & {
    readonly status: number
    readonly body: string
  }
> {}

/** The server wants authorization (401), or refuses the one it got (403). */
export class AuthorizationRequired extends Data.TaggedError("AuthorizationRequired")<
  ErrorFields<"authorization-required" | "forbidden"> & {
    readonly status: number
    readonly challenges: ReadonlyArray<Challenge>
  }
> {}

/** Something arrived that breaks the protocol. */
export class ProtocolViolation extends Data.TaggedError("ProtocolViolation")<
  ErrorFields<
    | "unexpected-content"
    | "endpoint-refused"
    | "message-too-large"
    | "invalid-message"
    | "invalid-result"
  > & {
    /** A JSON pointer to the offending place, where there is one. */
    readonly pointer?: string
  }
> {}

/** Both sides speak MCP, but no revision in common. */
export class VersionMismatch extends Data.TaggedError("VersionMismatch")<
  ErrorFields<"no-common-version"> & {
    readonly offered: ReadonlyArray<string>
    readonly supported: ReadonlyArray<string>
  }
> {}

/** The handshake came to no agreement. */
export class HandshakeFailed extends Data.TaggedError("HandshakeFailed")<
  ErrorFields<"handshake-refused" | "handshake-timeout"> & {
    readonly process?: ProcessReport
  }
> {}

/**
 * The server answered a request with a JSON-RPC error. Two of them have a meaning of their own and say so in
 * `code`: `resource-not-found`, and `client-capability-missing` where the request did not declare what the
 * server needs for it.
 */
export class PeerError extends Data.TaggedError("PeerError")<
  ErrorFields<"peer-error" | "resource-not-found" | "client-capability-missing"> & {
    readonly method: string
    /** `error.code` of the answer. */
    readonly rpcCode: number
    /** `error.message` of the answer: untrusted text. */
    readonly rpcMessage: string
    readonly data?: unknown
    /** The HTTP status it came with, where it was not 200. */
    readonly status?: number
    /** The HTTP headers it came with, where the status was not 200: redacted, with lower-case names. */
    readonly headers?: Readonly<Record<string, string>>
    /** With `resource-not-found`: the resource, where the server names it (V25-RES-05, V26-RES-01). */
    readonly uri?: string
    /** With `client-capability-missing`: the client capabilities that the server needs (V26-META-06). */
    readonly requiredCapabilities?: JsonObject
  }
> {}

/** No answer in time. The server was told to stop, except for `initialize` (V25-LIFE-13). */
export class RequestTimeout extends Data.TaggedError("RequestTimeout")<
  ErrorFields<"timeout"> & { readonly method: string; readonly timeoutMs: number }
> {}

/** The caller cancelled. */
export class RequestAborted extends Data.TaggedError("RequestAborted")<
  ErrorFields<"aborted"> & { readonly method: string }
> {}

/** The stream or process that would have carried the answer is gone; the outcome is unknown. */
export class RequestLost extends Data.TaggedError("RequestLost")<
  ErrorFields<"lost"> & { readonly method: string; readonly id: RequestId }
> {}

/**
 * The server does not know what a call names, and its list, which had it, does not have it any more. `cause` is
 * the server's error; a tool's own failure that said so is in `result`.
 */
export class NoLongerOffered extends Data.TaggedError("NoLongerOffered")<
  ErrorFields<"no-longer-offered"> & {
    readonly method: string
    readonly kind: "tool" | "prompt" | "resource"
    /** The name of the tool or prompt, or the URI of the resource, without credentials. */
    readonly name: string
    /** What the server answered, where that was a result with `isError`. */
    readonly result?: JsonObject
  }
> {}

/** The session the request belonged to ended; it was not sent again because that might do harm. */
export class SessionLost extends Data.TaggedError("SessionLost")<
  ErrorFields<"session-lost"> & { readonly method: string }
> {}

/** The connection was closed, or had failed, before the request was made. */
export class ConnectionClosed extends Data.TaggedError("ConnectionClosed")<ErrorFields<"closed">> {}

/** The capability that this method needs was not declared, so nothing was sent. */
export class CapabilityMissing extends Data.TaggedError("CapabilityMissing")<
  ErrorFields<"capability-missing"> & { readonly method: string; readonly capability: string }
> {}

/** The server did not agree to tell of a resource (V26-SUB-04). */
export class NotSubscribed extends Data.TaggedError("NotSubscribed")<
  ErrorFields<"not-subscribed"> & { readonly uri: string }
> {}

/** A list stopped before its end. Streams have delivered everything that came by then. */
export class ListIncomplete extends Data.TaggedError("ListIncomplete")<
  ErrorFields<"list-incomplete"> & {
    readonly method: string
    /** What came so far, where it was kept: see the option `retain` of streams. */
    readonly items: ReadonlyArray<unknown>
    /** How many items came, kept or not. */
    readonly itemCount: number
    readonly reason: { readonly code: string; readonly message: string }
  }
> {}

/** A deviation that would have been tolerated, had its rule not been switched off. */
export class NotTolerated extends Data.TaggedError("NotTolerated")<
  ErrorFields<"not-tolerated"> & { readonly tolerance: string }
> {}

/** Middleware of this program threw, failed or gave no result: `cause` has what it failed with. */
export class MiddlewareFailed extends Data.TaggedError("MiddlewareFailed")<
  ErrorFields<"middleware-failed"> & { readonly method: string }
> {}

/**
 * The structured content of a tool's result does not conform to the output schema that the tool was listed
 * with (V25-TOOL-07, V26-TOOL-08). The tool has run, and `result` is all that it answered.
 */
export class StructuredContentInvalid extends Data.TaggedError("StructuredContentInvalid")<
  ErrorFields<"structured-content-invalid"> & {
    /** The name of the tool. */
    readonly tool: string
    /** A JSON pointer to the offending place in the structured content; empty for all of it. */
    readonly pointer: string
    /** The result as the server sent it. */
    readonly result: CallToolResult
  }
> {}

/**
 * The server does not know the task: it never did, or has forgotten it. `why` is `expired` where only the
 * time for which it wanted to keep the task is over (V25-TASK-15, V26-TASK-20).
 */
export class TaskGone extends Data.TaggedError("TaskGone")<
  ErrorFields<"task-gone"> & { readonly why: "unknown" | "expired" }
> {}

/** A task was cancelled, so that it has no result. */
export class TaskCancelled extends Data.TaggedError("TaskCancelled")<
  ErrorFields<"task-cancelled"> & {
    /** False where only this side has stopped watching: then the task may go on. */
    readonly confirmed: boolean
  }
> {}

/** A catalog has no tool of that id or name, or more than one. */
export class UnknownTool extends Data.TaggedError("UnknownTool")<
  ErrorFields<"unknown-tool"> & {
    /** What was asked for. */
    readonly tool: string
    /** The ids that may have been meant, the likeliest first. */
    readonly nearest: ReadonlyArray<string>
  }
> {}

/** The server of a catalog that has the tool is not connected. */
export class ServerUnavailable extends Data.TaggedError("ServerUnavailable")<
  ErrorFields<"server-unavailable"> & {
    /** The id that the user gave the server. */
    readonly server: string
    /** How it stands, for example `waiting` or `failed`. */
    readonly state: string
    /** Since when, in milliseconds since 1970. */
    readonly since: number
  }
> {}

/** What the caller gave cannot be used. */
export class InvalidInput extends Data.TaggedError("InvalidInput")<ErrorFields<"invalid-input">> {}

/** A replay and its client went different ways: what was sent or opened is not in the recording. */
export class ReplayDiverged extends Data.TaggedError("ReplayDiverged")<
  ErrorFields<"replay-diverged"> & {
    /** The `seq` of the event in the recording at which they parted. */
    readonly position: number
    /** What the recording has next: a method, or the end of it. */
    readonly expected: string
    /** What came instead. */
    readonly came: string
  }
> {}

/** What opening and using a transport can end in. */
export type TransportError =
  | Unreachable
  | SpawnFailed
  | ProcessExited
  | HttpRejected
  | AuthorizationRequired
  | ProtocolViolation
  | ReplayDiverged

/** Everything that can fail, as one closed union. */
export type EntenteError =
  | TransportError
  | VersionMismatch
  | HandshakeFailed
  | PeerError
  | NoLongerOffered
  | RequestTimeout
  | RequestAborted
  | RequestLost
  | SessionLost
  | ConnectionClosed
  | CapabilityMissing
  | NotSubscribed
  | ListIncomplete
  | NotTolerated
  | StructuredContentInvalid
  | QuestionRefused
  | InputRequired
  | TooManyRounds
  | TaskGone
  | TaskCancelled
  | UnknownTool
  | ServerUnavailable
  | MiddlewareFailed
  | InvalidInput

/**
 * The fields that follow from a code: the message ends with the address that explains it, and the
 * hint is the table's unless a better one is known.
 *
 * @example
 * new ConnectionClosed({ ...explain("closed", "request", "demo", "The connection is closed.") })
 */
export const explain = <Code extends ErrorCode>(
  code: Code,
  stage: Stage,
  target: string,
  what: string,
  hint: string = errorCodes[code].hint,
) => ({ code, stage, target, hint, message: `${what} (${docsAddress(code)})` })

/** The message of an error without the address that explains it: for the middle of another message. */
export const bareMessage = ({ code, message }: Pick<EntenteError, "code" | "message">): string => {
  const address = ` (${docsAddress(code)})`
  return message.endsWith(address) ? message.slice(0, -address.length) : message
}
