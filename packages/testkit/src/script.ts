/**
 * A server as data. The same script is played over memory, stdio, HTTP, HTTP+SSE and WebSocket; everything
 * in it survives `JSON.stringify`, so scripts can be kept in files and sent to other processes.
 *
 * @example
 * const script: Script = {
 *   rules: [{ when: { method: "tools/list" }, reply: [{ result: { tools: [] } }] }],
 * }
 */
export interface Script {
  /** Asked in order for every arrival; the first that matches and is not spent is played. */
  readonly rules: ReadonlyArray<Rule>
  /** The reply to a request that no rule matches. Default: the error -32601. */
  readonly unmatched?: ReadonlyArray<Step>
  /**
   * HTTP: how a reply that is one message travels. A reply that says more than one thing, or that is
   * held open, is an event stream in any case. Default: `json`.
   */
  readonly answers?: "json" | "sse"
  /**
   * The path of the MCP endpoint; others are 404 unless a rule names them. Default: `/mcp`, over HTTP+SSE
   * `/sse`.
   */
  readonly endpoint?: string
  /** HTTP+SSE: the path that takes messages. Default: `/messages`. */
  readonly messages?: string
  /**
   * WebSocket: the subprotocol that is chosen, whatever the client offers; `null` chooses none. Default:
   * `mcp` where it is offered (V25-CUST-03).
   */
  readonly subprotocol?: string | null
}

export interface Rule {
  readonly when: Match
  /** How often the rule may be used before it is spent. Default: without end. */
  readonly times?: number
  /** Played in order. Nothing in it means: no answer, and over HTTP 202 without a body. */
  readonly reply: ReadonlyArray<Step>
}

/** What a client can do that a peer notices. */
export type ArrivalKind =
  | "request"
  | "notification"
  /** A result or an error: the client answers something the peer asked. */
  | "response"
  | "batch"
  /** Text that is no JSON, or JSON that is no JSON-RPC message. */
  | "invalid"
  /** HTTP: a request without a body, such as GET and DELETE; HTTP+SSE: any that is no message. */
  | "bodiless"
  /**
   * A memory channel was opened, a process was started. HTTP+SSE: a GET asks for the stream; WebSocket: one
   * asks for the upgrade.
   */
  | "open"
  /** stdio: the client closed stdin. */
  | "end"
  /** stdio: SIGTERM or SIGINT came. */
  | "signal"
  /** The client went away: it closed the channel, left an HTTP exchange, or the process is gone. */
  | "disconnect"

/**
 * Which arrivals a rule is for: all conditions given must hold. Without `kind` it speaks of what the
 * client says (messages, HTTP requests), not of `open`, `end` and `signal`; so `{}` matches everything
 * said. Nothing matches a `disconnect`: there is nobody left to answer.
 */
export interface Match {
  readonly kind?: ArrivalKind
  /** The JSON-RPC method. */
  readonly method?: string
  /** A pattern for the params; members it does not name are free. */
  readonly params?: Pattern
  /**
   * GET, POST, DELETE, … Conditions about HTTP never hold over memory and stdio, nor for the messages of
   * HTTP+SSE and WebSocket, which are said on a channel.
   */
  readonly httpMethod?: string
  /** The path, with or without its query. Default: the script's endpoint. */
  readonly path?: string
  /** By name in any case: a value, `null` for absent, `true` for present, or an operator. */
  readonly headers?: Readonly<Record<string, string | true | null | Operator>>
  /** Whether the headers of 2026-07-28 repeat what the body says (V26-HDR-01 … V26-HDR-05). */
  readonly mirrored?: boolean
  /**
   * HTTP only: headers, each with a JSON pointer into the message; holds where one of them does not repeat
   * what its pointer leads to (V26-XHDR-12).
   */
  readonly unrepeated?: Readonly<Record<string, string>>
  /** `SIGTERM` or `SIGINT`; with `kind: "signal"`. */
  readonly signal?: string
  /** Only the n-th arrival, from 1, for which the other conditions hold. */
  readonly nth?: number
}

/** JSON to be found: objects in part, everything else exactly; an `Operator` anywhere. */
export type Pattern = { readonly [member: string]: unknown }

/** A condition on a value where equality does not suffice. */
export type Operator =
  | { readonly $present: boolean }
  | { readonly $oneOf: ReadonlyArray<unknown> }
  /** Present, and none of these. */
  | { readonly $noneOf: ReadonlyArray<unknown> }
  /** Absent, or a text without this in it. */
  | { readonly $lacks: string }

/**
 * A value taken from the message that is answered, by JSON pointer: as it is, or as text; or a header of the
 * HTTP request, read as JSON where it is JSON. Allowed anywhere in a step.
 *
 * @example
 * const late: Step = { result: {}, id: { $text: "/id" } } // the id comes back as a string (C053)
 */
export type Placeholder =
  | { readonly $from: string }
  | { readonly $text: string }
  | { readonly $header: string }

/** The HTTP side of a message; without meaning elsewhere. */
export interface OverHttp {
  /** Default: 200. */
  readonly status?: number
  /** `null` leaves a header out that would be there by default. */
  readonly headers?: HeaderValues
}

export type HeaderValues = Readonly<Record<string, string | ReadonlyArray<string> | null>>

/** Answers the request: `id` is its own unless given here. */
interface Answering extends OverHttp {
  readonly id?: unknown
}

/** One event of an event stream; `message` is `data` in JSON. */
export interface ServerSentEvent {
  readonly id?: string | Placeholder
  readonly event?: string
  /** Milliseconds. */
  readonly retry?: number
  readonly data?: string
  readonly message?: unknown
}

/** A JSON-RPC message, word for word. */
export type MessageStep = { readonly message: unknown } & OverHttp
/** Bytes: a text in UTF-8, or what else one may write on a wire. */
export type RawBytes =
  | string
  | { readonly base64: string }
  | { readonly json: unknown; readonly indent?: number }
  /** A text over and over. */
  | { readonly repeat: string; readonly times: number }
  /** With `Content-Length` before it, as language servers do. */
  | { readonly framed: RawBytes }
  /** One after the other. */
  | ReadonlyArray<RawBytes>
/** Bytes on stdout, or in the body of an HTTP response or event stream; over WebSocket a text frame. */
export type RawStep = { readonly raw: RawBytes }
/**
 * HTTP: status and headers, and the beginning of the body; steps that follow add to the body. HTTP+SSE: the
 * response to the POST instead of 202. WebSocket: refuses the upgrade, as the reply to `open`.
 */
export type HttpStep = {
  readonly http: OverHttp & { readonly json?: unknown; readonly text?: string }
}
/** HTTP, HTTP+SSE: an event; opens the event stream if nothing was sent before. */
export type EventStep = { readonly event: ServerSentEvent }
/** HTTP, HTTP+SSE: a comment line in the event stream. */
export type CommentStep = { readonly comment: string }
/** stdio: text on stderr. */
export type StderrStep = { readonly stderr: string }
/** stdio: the process ends, with a code or by a signal. */
export type ExitStep = { readonly exit: number | string }
/** WebSocket: a binary frame. */
export type BinaryStep = { readonly binary: RawBytes }
/** WebSocket: one text message in several frames, cut wherever you like. */
export type FragmentsStep = { readonly fragments: ReadonlyArray<RawBytes> }
/** WebSocket: a close frame with this code; HTTP+SSE: the stream ends. `destroy` cuts without one (1006). */
export type CloseStep = { readonly close: number; readonly reason?: string }
/** stdio, WebSocket: nothing more is read, pings included; what is written goes on. */
export type FreezeStep = { readonly freeze: true }

/** Steps that put something out; the rest of `Step` is about time and endings. */
export type Output =
  | MessageStep
  | RawStep
  | HttpStep
  | EventStep
  | CommentStep
  | StderrStep
  | ExitStep
  | BinaryStep
  | FragmentsStep
  | CloseStep
  | FreezeStep

export type Step =
  | ({ readonly result: unknown } & Answering)
  | ({ readonly error: unknown } & Answering)
  | Output
  /** Milliseconds, on Effect's clock. */
  | { readonly delay: number }
  /** The reply is over without an end: an HTTP exchange stays open, as it is. */
  | { readonly silence: true }
  /** Cuts the connection: the socket, the memory channel, the process (SIGKILL). */
  | { readonly destroy: true }

/** The member that says what a step is. */
export const stepKinds = [
  "result",
  "error",
  "message",
  "raw",
  "http",
  "event",
  "comment",
  "stderr",
  "exit",
  "binary",
  "fragments",
  "close",
  "freeze",
  "delay",
  "silence",
  "destroy",
] as const

export type StepKind = (typeof stepKinds)[number]
