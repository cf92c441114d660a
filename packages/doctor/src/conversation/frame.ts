import type { JsonRpcErrorObject, JsonObject, RequestId } from "@entente/protocol"

/** A place in the trace. */
export interface Mark {
  /** The number of the event in the trace, from 0. */
  readonly index: number
  /** Milliseconds since the Unix epoch. */
  readonly at: number
}

/** A JSON-RPC message that was seen. */
export interface Frame extends Mark {
  readonly direction: "out" | "in"
  readonly message: unknown
  /** Absent on a shared channel. */
  readonly exchange: number | undefined
  readonly channel: number | undefined
  readonly headers: Headers | undefined
}

/** Header lines with lower-case names. */
export type Headers = Readonly<Record<string, string>>

/** One HTTP request and what came of it. */
export interface HttpExchange {
  readonly number: number
  readonly method: string
  readonly url: string
  readonly sent: (Mark & { readonly headers: Headers }) | undefined
  readonly answered: (Mark & { readonly status: number; readonly headers: Headers }) | undefined
  /** Messages of the server in it. */
  readonly messages: ReadonlyArray<Frame>
  readonly ended: Ending | undefined
}

/** What the transport says became of a message. */
export interface Ending extends Mark {
  /** `Written`, `Ended`, `Rejected`, `Failed` or `Aborted`. */
  readonly tag: string
  /** The outcome, as it was told. */
  readonly outcome: JsonObject
}

/** What came back for a request. */
export type Reply = Mark &
  (
    | { readonly kind: "result"; readonly result: JsonObject }
    | {
        readonly kind: "error"
        readonly error: JsonRpcErrorObject
        readonly status: number | undefined
      }
    /** An HTTP status without JSON-RPC. */
    | {
        readonly kind: "status"
        readonly status: number
        readonly headers: Headers
        readonly text: string
      }
    /** Something that is no message. */
    | { readonly kind: "unreadable"; readonly code: string; readonly text: string }
  )

/** A request or a notification of the client, with what became of it. */
export interface Saying extends Mark {
  readonly method: string
  /** Undefined where the message has none. */
  readonly params: JsonObject | undefined
  readonly channel: number | undefined
  readonly http: HttpExchange | undefined
  /** Of a notification only a refusal. */
  readonly reply: Reply | undefined
  /** Of its answer, where they were seen. */
  readonly headers: Headers | undefined
  readonly ended: Ending | undefined
}

/** A request of the client, with its answer where there is one. */
export interface Call extends Saying {
  readonly id: RequestId
}
