import {
  ProtocolViolation,
  classify,
  explain,
  hasEmptyResult,
  isJsonObject,
  withoutEmptyArray,
  type Era,
  type JsonObject,
  type JsonRpcFailure,
  type JsonRpcNotification,
  type JsonRpcRequest,
  type NotTolerated,
  type RequestId,
  type TransportError,
} from "@entente/protocol"
import { excerpt, type Channel, type Origin } from "@entente/transport"
import type { Trace } from "@entente/trace"
import type { NoteBook } from "./note-book.js"
import type { Reply } from "./reply.js"
import type { Pending, RequestTable } from "./request-table.js"

/** Where messages of the server go that answer nothing. */
export interface InboundOwner {
  readonly asked: (request: JsonRpcRequest) => void
  readonly notified: (notification: JsonRpcNotification, origin: Origin) => void
  /** A result for a request that nobody waits for any more. */
  readonly lateResult: (id: number, result: JsonObject) => void
}

export interface InboundContext {
  readonly target: string
  readonly trace: Trace
  readonly notes: NoteBook
}

/** How many requests of the server wait for the era to be decided; more than that is an attack. */
const maxHeld = 16

/**
 * The way in: sorts what arrives and settles the request it answers. Envelopes are judged strictly; what
 * is broken fails the request it belongs to, or is noted where it belongs to none.
 */
export class Inbound {
  /** Undecided until the handshake has come that far. */
  era: Era | undefined
  /** Whether a JSON array of messages is legal: only where 2025-03-26 was negotiated (V25-RPC-12). */
  batching = false
  #exchanges: Channel["exchanges"] = "shared"
  #held: Array<JsonRpcRequest> = []
  readonly #requests: RequestTable
  readonly #context: InboundContext
  readonly #owner: InboundOwner

  constructor(requests: RequestTable, context: InboundContext, owner: InboundOwner) {
    this.#requests = requests
    this.#context = context
    this.#owner = owner
  }

  /** Begins anew with another channel. */
  begin(exchanges: Channel["exchanges"]): void {
    this.#exchanges = exchanges
    this.#held = []
    this.era = undefined
  }

  /** Decides the era: requests of the server that had to wait for it are passed on now (C110). */
  decide(era: Era): void {
    this.era = era
    const held = this.#held
    this.#held = []
    for (const request of held) this.#owner.asked(request)
  }

  receive(value: unknown, origin: Origin): void {
    const { trace } = this.#context
    if (trace.active) {
      trace.emit({ type: "frame", direction: "in", message: value, exchange: origin.exchange })
    }
    this.#sort(value, origin)
  }

  #sort(value: unknown, origin: Origin): void {
    const classified = classify(value)
    switch (classified.kind) {
      case "result": {
        const { id, result } = classified.message
        return this.#resolve(id, origin, { _tag: "Result", result, origin })
      }
      case "failure":
        return this.#reject(classified.message, origin)
      case "notification":
        return this.#owner.notified(classified.message, origin)
      case "request":
        return this.#ask(classified.message)
      case "batch":
        return this.#receiveBatch(classified.messages, origin)
      case "invalid":
        return this.#receiveInvalid(value, classified.reason, origin)
    }
  }

  /** Bytes that are no message at all: the end of the request whose exchange carried them. */
  unreadable(error: TransportError, origin: Origin): void {
    const { answers } = origin
    const shown = answers === undefined ? undefined : this.#requests.get(answers)
    this.#fail(shown ?? this.#pendingOn(origin), error, error.message)
  }

  /** An answer of a kind that is not tolerated: its request fails, and the rest of it is not read. */
  refuse(error: NotTolerated, origin: Origin): void {
    const pending = this.#pendingOn(origin)
    this.#fail(pending, error, error.message)
    pending?.sent?.abort()
  }

  #resolve(id: RequestId, origin: Origin, reply: Reply): void {
    const pending = this.#match(id, origin)
    if (pending === undefined) return this.#unmatched(id, reply)
    const { notes } = this.#context
    const refused =
      typeof id === "string"
        ? notes.tolerate("id-echoed-as-string", "request", `id ${JSON.stringify(id)}`)
        : undefined
    this.#requests.settle(
      pending.id,
      refused === undefined ? reply : { _tag: "Failed", error: refused, mayHaveArrived: true },
    )
  }

  #unmatched(id: RequestId, reply: Reply): void {
    const late = typeof id === "number" && this.#requests.wasIssued(id)
    const code = late ? "late-reply" : "unknown-reply"
    this.#context.notes.add({ code, detail: `id ${JSON.stringify(id)}` })
    if (late && reply._tag === "Result") this.#owner.lateResult(id, reply.result)
  }

  /** Finds the request an answer belongs to. */
  #match(id: RequestId, origin: Origin): Pending | undefined {
    const number = typeof id === "number" ? id : decimal(id)
    const pending = number === undefined ? undefined : this.#requests.get(number)
    if (pending === undefined) return undefined
    // V26-HTTP-18: a modern response stream answers its own request and no other.
    const foreign = origin.exchange !== (pending.sent?.exchange ?? origin.exchange)
    return this.era === "modern" && foreign ? undefined : pending
  }

  #reject({ id, error }: JsonRpcFailure, origin: Origin): void {
    const reply: Reply = { _tag: "Failure", error }
    if (id !== undefined && id !== null) return this.#resolve(id, origin, reply)
    // V25-RPC-06: without an id only the exchange can say whose error it is; never a guess.
    const pending = this.#pendingOn(origin)
    if (pending !== undefined) {
      this.#context.notes.add({
        code: "error-id-missing",
        detail: `the answer to ${pending.method}`,
      })
      this.#requests.settle(pending.id, { ...reply, idLess: true })
    } else {
      const detail = `an error without id: ${error.code}`
      this.#context.notes.add({ code: "unknown-reply", detail })
    }
  }

  #pendingOn({ exchange }: Origin): Pending | undefined {
    return this.#exchanges === "shared" ? undefined : this.#requests.onExchange(exchange)
  }

  #ask(request: JsonRpcRequest): void {
    if (this.era !== undefined) return this.#owner.asked(request)
    if (this.#held.length < maxHeld) this.#held.push(request)
  }

  #receiveBatch(messages: ReadonlyArray<unknown>, origin: Origin): void {
    const detail = `a batch of ${messages.length}`
    const refused = this.batching
      ? undefined
      : this.#context.notes.tolerate("batch-outside-2025-03-26", "request", detail)
    if (refused !== undefined) return this.#refuseBatch(messages, refused, detail, origin)
    for (const message of messages) {
      // One level only: an array inside a batch is no message.
      if (Array.isArray(message)) this.#receiveInvalid(message, "a batch inside a batch", origin)
      else this.receive(message, origin)
    }
  }

  /** Whoever is answered in it must not wait for ever; on a shared channel only its ids say who that is. */
  #refuseBatch(
    messages: ReadonlyArray<unknown>,
    refused: NotTolerated,
    detail: string,
    origin: Origin,
  ): void {
    const shared = this.#exchanges === "shared"
    const named = shared ? messages.flatMap((message) => this.#named(message) ?? []) : []
    if (named.length === 0) return this.#fail(this.#pendingOn(origin), refused, detail)
    for (const pending of named) this.#fail(pending, refused, detail)
  }

  /** The request that a message claims to answer, by its id alone. */
  #named(value: unknown): Pending | undefined {
    const id = isJsonObject(value) && !("method" in value) ? value["id"] : undefined
    return typeof id === "number" ? this.#requests.get(id) : undefined
  }

  /** V26-ENV-08: a broken answer fails the request it names; anything else is only noted. */
  #receiveInvalid(value: unknown, reason: string, origin: Origin): void {
    const pending = this.#named(value) ?? this.#pendingOn(origin)
    const meant = this.#meantBy(value, pending)
    if (meant !== undefined) {
      const { member, message } = meant
      const detail = `/${member} of ${pending?.method ?? "a message"}`
      const refused = this.#context.notes.tolerate("empty-array-as-object", "request", detail)
      return refused === undefined
        ? this.#sort(message, origin)
        : this.#fail(pending, refused, detail)
    }
    // A broken error is still what the server wanted to say.
    const said =
      isJsonObject(value) && "error" in value ? JSON.stringify(value["error"]) : undefined
    const shown = said === undefined ? "" : `: ${excerpt(said)}`
    const what = `The answer to ${pending?.method ?? "nothing"} is broken: ${reason}${shown}.`
    const fields = explain("invalid-message", "request", this.#context.target, what)
    this.#fail(pending, new ProtocolViolation(fields), reason)
  }

  /** C103, C086: `[]` for `{}`, where nothing more than that is needed to make sense of it. */
  #meantBy(value: unknown, pending: Pending | undefined): ReturnType<typeof withoutEmptyArray> {
    const meant = withoutEmptyArray(value)
    if (meant === undefined || classify(meant.message).kind === "invalid") return undefined
    const makesSense =
      meant.member === "params" ||
      (pending !== undefined && this.era !== undefined && hasEmptyResult(pending.method, this.era))
    return makesSense ? meant : undefined
  }

  #fail(
    pending: Pending | undefined,
    error: Extract<Reply, { readonly _tag: "Failed" }>["error"],
    detail: string,
  ): void {
    if (pending === undefined) return this.#context.notes.add({ code: "invalid-message", detail })
    this.#requests.settle(pending.id, { _tag: "Failed", error, mayHaveArrived: true })
  }
}

/** The integer that a string spells in canonical decimal form, if it does (C053). */
const decimal = (text: string): number | undefined =>
  /^(?:0|[1-9]\d{0,15})$/.test(text) ? Number(text) : undefined
