import * as Exit from "effect/Exit"
import type * as Tracer from "effect/Tracer"
import {
  isLegacyRevision,
  type EntenteError,
  type JsonObject,
  type TraceContext,
} from "@entente/protocol"
import { replyError } from "../call/reply-error.js"
import type { Reply } from "../wire/reply.js"
import type { Attributes } from "./server-place.js"

/** What an observation needs of its connection. */
export interface ObservationContext {
  readonly target: string
  /** Nanoseconds. */
  readonly now: () => bigint
  /** What is the same for everything that is sent now. */
  readonly surroundings: () => Attributes
  /** What is told of a session, for spans only. */
  readonly sessionName: (id: string) => string | undefined
  /** Runs what others have written, which may throw: no request suffers for it. */
  readonly safely: <A>(run: () => A) => A | undefined
  /** Counts the duration of what was sent. */
  readonly count: (nanoseconds: bigint, attributes: Attributes) => void
}

/** What is told of one request on the wire. */
export class Observation {
  /** What the server is told of the span. */
  readonly trace: TraceContext | undefined
  #id = 0
  #sentAt: bigint | undefined
  #over = false
  #attributes: Attributes
  readonly #method: string
  readonly #span: Tracer.Span | undefined
  readonly #context: ObservationContext

  constructor(
    method: string,
    attributes: Attributes,
    span: Tracer.Span | undefined,
    trace: TraceContext | undefined,
    context: ObservationContext,
  ) {
    this.#method = method
    this.#attributes = attributes
    this.#span = span
    this.trace = trace
    this.#context = context
  }

  /** The request goes out now, under this id and with these headers. */
  sent(id: number, headers: Readonly<Record<string, string>>): void {
    const { now, surroundings, safely, sessionName } = this.#context
    this.#id = id
    this.#sentAt = now()
    this.#attributes = { ...this.#attributes, ...surroundings() }
    const span = this.#span
    if (span === undefined) return
    safely(() => {
      span.attribute("jsonrpc.request.id", String(id))
      const session = headers["MCP-Session-Id"]
      const name = session === undefined ? undefined : sessionName(session)
      if (name !== undefined) span.attribute("mcp.session.id", name)
    })
  }

  /** The request is settled. */
  replied(reply: Reply): void {
    if (this.#over) return
    if (reply._tag === "Result") return this.#answered(reply.result)
    const { target } = this.#context
    this.failed(replyError(reply, { method: this.#method, id: this.#id, target }))
  }

  /** The request ended, perhaps before it was sent. */
  failed(error: EntenteError): void {
    this.#end(errorAttributes(error), error)
  }

  #answered(result: JsonObject): void {
    if (this.#method === "tools/call" && result["isError"] === true) {
      // What it says is content, which is not told.
      const error = new Error("The tool reported an error.")
      return this.#end({ "error.type": "tool_error" }, error)
    }
    const revision = this.#method === "initialize" ? result["protocolVersion"] : undefined
    this.#end(isLegacyRevision(revision) ? { "mcp.protocol.version": revision } : {}, undefined)
  }

  #end(outcome: Attributes, error: Error | undefined): void {
    if (this.#over) return
    this.#over = true
    const { now, count, safely } = this.#context
    const endedAt = now()
    const attributes = { ...this.#attributes, ...outcome }
    if (this.#sentAt !== undefined) count(endedAt - this.#sentAt, attributes)
    const span = this.#span
    if (span === undefined) return
    safely(() => {
      for (const [key, value] of Object.entries(attributes)) span.attribute(key, value)
      span.end(endedAt, error === undefined ? Exit.void : Exit.fail(error))
    })
  }
}

/**
 * What class of error it is: the server's own code, where it gave one; else one of Entente's stable codes,
 * of which `docs/errors.md` has the list.
 */
export const errorAttributes = (error: EntenteError): Attributes =>
  error._tag === "PeerError"
    ? {
        "error.type": String(error.rpcCode),
        "rpc.response.status_code": String(error.rpcCode),
      }
    : { "error.type": error.code }
