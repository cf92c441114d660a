import type { EntenteError, JsonObject, JsonRpcErrorObject } from "@entente/protocol"
import type { HttpRejection, Origin } from "@entente/transport"

/** What a request came to, before anybody has decided what that means. */
export type Reply =
  | { readonly _tag: "Result"; readonly result: JsonObject; readonly origin: Origin }
  | {
      readonly _tag: "Failure"
      readonly error: JsonRpcErrorObject
      /** The HTTP status, where it was not 2xx. */
      readonly status?: number
      /** The HTTP headers, where the status was not 2xx. */
      readonly headers?: Readonly<Record<string, string>>
      /** True where the exchange, not an id, said whose error it is. */
      readonly idLess?: boolean
    }
  /** An HTTP status without JSON-RPC in its body. */
  | { readonly _tag: "Rejected"; readonly rejection: HttpRejection }
  /** This side's own finding: a transport failure, a broken message, a refused deviation. */
  | { readonly _tag: "Failed"; readonly error: EntenteError; readonly mayHaveArrived: boolean }
  /** The stream or process that would have carried the answer is gone. */
  | {
      readonly _tag: "Lost"
      readonly cause: EntenteError | undefined
      /** What came instead of the answer, where nothing went wrong but that. */
      readonly instead?: string
      /** The HTTP status that refused to go on with the answer's stream. */
      readonly status?: number
    }
  /** `ceiling`: progress may not put it off any longer. */
  | { readonly _tag: "TimedOut"; readonly afterMs: number; readonly ceiling?: boolean }
  | { readonly _tag: "Aborted" }
