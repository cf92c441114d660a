import { explain, HttpRejected, InvalidInput } from "@entente/protocol"
import { redactUrl, type Trace } from "@entente/trace"
import type { Timers } from "../timers.js"
import type { HttpRejection } from "../transport.js"
import { isExchangeFailure, type ExchangeFailure } from "./exchange-failure.js"
import type { HttpEngine, HttpRequest } from "./http-engine.js"
import { rejectionBody } from "./rejection-body.js"
import {
  judgeRedirect,
  redirectLocation,
  suggestedAddress,
  type RedirectPolicy,
} from "./redirect.js"
import type { HeaderRecord, RequestDecorator } from "./request-decorator.js"
import type { RequestHeaders } from "./request-headers.js"
import { unreachable } from "./unreachable.js"

/** What the exchanges of one channel share. */
export interface ExchangeContext {
  readonly target: string
  readonly engine: HttpEngine
  readonly headers: RequestHeaders
  readonly authorization: RequestDecorator | undefined
  readonly redirects: RedirectPolicy
  /** Milliseconds from the request to the head of the answer; undefined waits as long as it takes. */
  readonly firstByte: number | undefined
  readonly timers: Timers
  readonly trace: Trace
  /** Where requests go; a redirect that was followed changes it for later ones too (C094). */
  endpoint: URL
}

/** What is asked, apart from where and with which of the channel's headers. */
export interface ExchangeRequest {
  /** The number of the exchange in this channel. */
  readonly exchange: number
  readonly method: HttpRequest["method"]
  readonly body?: string
  /** Headers that the protocol wants. */
  readonly headers: HeaderRecord
  /** Headers of the caller for this message. */
  readonly extraHeaders?: HeaderRecord
}

/** Hears what became of an exchange: exactly one of these, except after `close`. */
export interface ExchangeOwner {
  /** A 2xx; what is returned reads the body. */
  readonly answered: (status: number, headers: HeaderRecord) => BodyReader
  readonly rejected: (rejection: HttpRejection) => void
  /** It did not get through, or its answer broke off in the middle. */
  readonly failed: (error: ExchangeFailure, mayHaveArrived: boolean) => void
}

export interface BodyReader {
  readonly chunk: (bytes: Uint8Array) => void
  readonly end: () => void
  /** The body broke off. Where this is absent, so did the exchange. */
  readonly broken?: () => void
}

/** How often one message is sent again because of a 401 or 403 (V26-HTTP-16). */
const maxRetries = 3

/** Milliseconds that the body of a refusal may take; the status alone says enough. */
const rejectionDeadline = 5_000

/**
 * One message on its way over HTTP, with everything that may happen before its answer: headers that
 * must be waited for, redirects, and authorization that is renewed.
 */
export class Exchange {
  readonly #context: ExchangeContext
  readonly #request: ExchangeRequest
  readonly #owner: ExchangeOwner
  #cancel: (() => void) | undefined
  #deadline: ReturnType<typeof setTimeout> | undefined
  #hops = 0
  #retries = 0
  #over = false

  constructor(context: ExchangeContext, request: ExchangeRequest, owner: ExchangeOwner) {
    this.#context = context
    this.#request = request
    this.#owner = owner
  }

  /** Sends the request. The owner hears nothing before this returns. */
  start(): void {
    const { headers, extraHeaders, method } = this.#request
    const url = this.#context.endpoint
    const dispatch = (complete: HeaderRecord): void => {
      if (!this.#over) this.#dispatch(url, complete)
    }
    try {
      const ready = this.#context.headers.of({ method, url }, headers, extraHeaders)
      if (!(ready instanceof Promise)) return dispatch(ready)
      ready.then(dispatch).catch((cause: unknown) => this.#fail(this.#failureOf(cause), false))
    } catch (cause) {
      this.#fail(this.#failureOf(cause), false)
    }
  }

  /** Ends the exchange; the owner hears nothing from now on. */
  close(): void {
    this.#over = true
    this.#settleDown()
  }

  #settleDown(): void {
    clearTimeout(this.#deadline)
    this.#cancel?.()
    this.#cancel = undefined
  }

  #dispatch(url: URL, headers: HeaderRecord): void {
    const { engine, firstByte } = this.#context
    const { method, body } = this.#request
    this.#tell(url, headers)
    let reader: BodyReader | undefined
    if (firstByte !== undefined) this.#deadline = setTimeout(() => this.#timeOut(url), firstByte)
    const request = { method, url, headers, ...(body === undefined ? {} : { body }) }
    this.#cancel = engine.start(request, {
      head: (status, answered) => {
        if (this.#over) return
        clearTimeout(this.#deadline)
        this.#tell(url, answered, status)
        reader = this.#readerOf(url, status, answered)
      },
      chunk: (bytes) => this.#over || reader?.chunk(bytes),
      end: () => {
        if (this.#over) return
        this.#cancel = undefined
        reader?.end()
      },
      failed: (cause, mayHaveArrived) => {
        this.#cancel = undefined
        if (reader?.broken !== undefined) return reader.broken()
        this.#fail(unreachable(this.#context.target, url, cause), mayHaveArrived)
      },
    })
  }

  #readerOf(url: URL, status: number, headers: HeaderRecord): BodyReader | undefined {
    if (status >= 200 && status < 300) return this.#owner.answered(status, headers)
    const location = redirectLocation(status, headers)
    if (location !== undefined) {
      this.#redirect(url, status, location)
      return undefined
    }
    const reader = rejectionBody(status, headers, (rejection) => {
      this.#settleDown()
      void this.#rejected(url, rejection)
    })
    this.#deadline = setTimeout(reader.end, rejectionDeadline)
    return reader
  }

  #redirect(from: URL, status: number, location: string): void {
    this.#settleDown()
    const context = this.#context
    const redirect = { method: this.#request.method, from, status, location, hops: this.#hops }
    const verdict = judgeRedirect(redirect, context.redirects)
    if (verdict.kind === "Follow") {
      this.#hops += 1
      context.endpoint = verdict.url
      return this.start()
    }
    const place = redactUrl(verdict.to?.href ?? location)
    const what = `The redirect (${status}) to ${place} was refused, because ${verdict.reason}.`
    const better = verdict.to && redactUrl(suggestedAddress(from, verdict.to).href)
    const hint = better && `If you trust that address, use it directly: ${better}`
    const fields = explain("redirect-refused", "request", context.target, what, hint)
    this.#fail(new HttpRejected({ ...fields, status, body: "" }), true)
  }

  async #rejected(url: URL, rejection: HttpRejection): Promise<void> {
    const { authorization } = this.#context
    const refused = rejection.status === 401 || rejection.status === 403
    if (!refused || authorization === undefined || this.#retries === maxRetries) {
      return this.#finish(() => this.#owner.rejected(rejection))
    }
    try {
      const { method } = this.#request
      const advice = await authorization.refused(rejection, { method, url })
      if (this.#over) return
      if (advice === "give-up") return this.#finish(() => this.#owner.rejected(rejection))
      this.#retries += 1
      this.start()
    } catch (cause) {
      this.#fail(this.#failureOf(cause), true)
    }
  }

  #timeOut(url: URL): void {
    this.#settleDown()
    const within = new Error(`no answer within ${this.#context.firstByte} ms`)
    this.#fail(unreachable(this.#context.target, url, within), true)
  }

  #fail(error: ExchangeFailure, mayHaveArrived: boolean): void {
    clearTimeout(this.#deadline)
    // Some failures are known at once; the owner hears of all of them in a later turn.
    queueMicrotask(() => this.#finish(() => this.#owner.failed(error, mayHaveArrived)))
  }

  #finish(tell: () => void): void {
    if (this.#over) return
    this.#over = true
    tell()
  }

  /** Nobody's answer: a supplier, a decorator or an engine threw. It may already say what is wrong. */
  #failureOf(cause: unknown): ExchangeFailure {
    if (isExchangeFailure(cause)) return cause
    const what = "A request could not be made ready or sent; the cause is in this error."
    return new InvalidInput({
      ...explain("invalid-input", "request", this.#context.target, what),
      cause,
    })
  }

  #tell(url: URL, headers: HeaderRecord, status?: number): void {
    const { trace } = this.#context
    if (!trace.active) return
    const { exchange, method } = this.#request
    const event = { type: "http", exchange, method, url: url.href, headers } as const
    trace.emit(status === undefined ? event : { ...event, status })
  }
}
