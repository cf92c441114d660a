import { explain, HttpRejected, InvalidInput, type ExpiredDeadline } from "@entente/protocol"
import { redactUrl, type Trace } from "@entente/trace"
import type { Timer, Timers } from "../timers.js"
import type { HttpRejection } from "../transport.js"
import { deadlinePassed, defaultIdle, isLimit, type Deadlines } from "./deadline.js"
import { isExchangeFailure, type ExchangeFailure } from "./exchange-failure.js"
import { failureBelowHttp } from "./failure-below-http.js"
import type { CancelExchange, HttpEngine, HttpRequest } from "./engine/http-engine.js"
import { rejectionBody } from "./rejection-body.js"
import {
  judgeRedirect,
  redirectLocation,
  suggestedAddress,
  type RedirectPolicy,
} from "./redirect.js"
import type { HeaderRecord, RequestDecorator } from "./request-decorator.js"
import type { RequestHeaders } from "./request-headers.js"

/** What the exchanges of one channel share. */
export interface ExchangeContext {
  readonly target: string
  readonly engine: HttpEngine
  readonly headers: RequestHeaders
  readonly authorization: RequestDecorator | undefined
  readonly redirects: RedirectPolicy
  readonly deadlines: Deadlines
  /** The largest message accepted, in bytes. */
  readonly maxMessageBytes: number
  /** Time of whoever opened the channel. */
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
  /** Where this exchange differs from the others of its channel. */
  readonly deadlines?: Partial<Deadlines>
  /**
   * The server may do without this request, so that 401 or 403 without a challenge is its way to say no, and
   * nothing about credentials (C049).
   */
  readonly optional?: boolean
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
  readonly broken?: (error: ExchangeFailure) => void
  /** Whether nothing may come for a long time: so it is with streams (V26-HTTP-13). */
  readonly mayRest?: boolean
}

/** How often one message is sent again because of a 401 or 403 (V26-HTTP-16). */
const maxRetries = 3

/**
 * Milliseconds after which a server has read what was written to it, also on a connection that it had yet to
 * accept, while a message on another connection was there at once.
 */
const overtakingMs = 250

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
  readonly #deadlines: Deadlines
  #cancel: CancelExchange | undefined
  /** Runs from the start to the end. */
  #total: Timer
  /** Runs for one step of it: the head of an answer, a silence in its body, the body of a refusal. */
  #step: Timer
  #reader: BodyReader | undefined
  /** When the last byte of a body came. */
  #heardAt = 0
  /** Whether the server may have seen something of the request as it was sent last. */
  #mayHaveArrived = false
  /** When it went out as it was sent last, where the engine tells. */
  #writtenAt: number | undefined
  /** Whether the head of an answer has come to what was sent last. */
  #heard = false
  /** Whether what comes now is the answer, and no redirect or refusal. */
  #answering = false
  #hops = 0
  #retries = 0
  #over = false

  constructor(context: ExchangeContext, request: ExchangeRequest, owner: ExchangeOwner) {
    this.#context = context
    this.#request = request
    this.#owner = owner
    const { deadlines } = request
    this.#deadlines =
      deadlines === undefined ? context.deadlines : { ...context.deadlines, ...deadlines }
  }

  /** Sends the request. The owner hears nothing before this returns. */
  start(): void {
    const { total } = this.#deadlines
    if (isLimit(total)) {
      this.#total = this.#context.timers.set(() => this.#expire("total", total), total)
    }
    this.#send()
  }

  /** Ends the exchange; the owner hears nothing from now on. */
  close(): void {
    this.#over = true
    this.#context.timers.clear(this.#total)
    this.#settleDown()
  }

  /** See `Sent.overtakable`. */
  get overtakable(): number {
    if (this.#heard) return 0
    if (this.#writtenAt !== undefined) {
      return Math.max(0, this.#writtenAt + overtakingMs - this.#context.timers.now())
    }
    return this.#over && this.#mayHaveArrived ? overtakingMs : Infinity
  }

  #send(): void {
    const { headers, extraHeaders, method } = this.#request
    const url = this.#context.endpoint
    this.#mayHaveArrived = false
    this.#writtenAt = undefined
    this.#heard = false
    const dispatch = (complete: HeaderRecord): void => {
      if (!this.#over) this.#dispatch(url, complete)
    }
    try {
      const ready = this.#context.headers.of({ method, url }, headers, extraHeaders)
      if (!(ready instanceof Promise)) return dispatch(ready)
      ready.then(dispatch).catch((cause: unknown) => this.#fail(this.#failureOf(cause)))
    } catch (cause) {
      this.#fail(this.#failureOf(cause))
    }
  }

  /** Nothing is under way after this. */
  #settleDown(): void {
    this.#context.timers.clear(this.#step)
    if (this.#cancel?.() === true) this.#mayHaveArrived = true
    this.#cancel = undefined
  }

  #dispatch(url: URL, headers: HeaderRecord): void {
    const { engine, timers } = this.#context
    const { method, body } = this.#request
    const { firstByte } = this.#deadlines
    this.#tell(url, headers)
    this.#reader = undefined
    if (isLimit(firstByte)) {
      this.#step = timers.set(() => this.#expire("firstByte", firstByte), firstByte)
    }
    const request = { method, url, headers, ...(body === undefined ? {} : { body }) }
    this.#cancel = engine.start(request, {
      written: () => {
        this.#writtenAt = timers.now()
      },
      head: (status, answered) => {
        if (this.#over) return
        this.#mayHaveArrived = true
        this.#heard = true
        timers.clear(this.#step)
        this.#tell(url, answered, status)
        this.#reader = this.#readerOf(url, status, answered)
      },
      chunk: (bytes) => {
        if (this.#over) return
        this.#heardAt = timers.now()
        this.#reader?.chunk(bytes)
      },
      end: () => {
        if (this.#over) return
        this.#cancel = undefined
        timers.clear(this.#step)
        this.#conclude(this.#reader?.end)
      },
      failed: (cause, mayHaveArrived) => {
        if (this.#over) return
        this.#cancel = undefined
        if (mayHaveArrived) this.#mayHaveArrived = true
        this.#breakOff(failureBelowHttp(this.#context.target, url, cause))
      },
    })
  }

  #readerOf(url: URL, status: number, headers: HeaderRecord): BodyReader | undefined {
    if (status >= 200 && status < 300) return this.#answered(status, headers)
    const location = redirectLocation(status, headers)
    if (location !== undefined) {
      this.#redirect(url, status, location)
      return undefined
    }
    const read = (rejection: HttpRejection): void => {
      this.#settleDown()
      void this.#rejected(url, rejection)
    }
    const reader = rejectionBody(status, headers, read, this.#context.maxMessageBytes)
    this.#step = this.#context.timers.set(reader.end, rejectionDeadline)
    return reader
  }

  #answered(status: number, headers: HeaderRecord): BodyReader {
    this.#answering = true
    const reader = this.#owner.answered(status, headers)
    if (this.#over) return reader
    this.#reader = reader
    this.#heardAt = this.#context.timers.now()
    this.#watch(this.#idle)
    return reader
  }

  /** Milliseconds that the body may be silent; what a body is may show only after its first bytes. */
  get #idle(): number {
    return this.#deadlines.idle ?? (this.#reader?.mayRest === true ? Infinity : defaultIdle)
  }

  #watch(ms: number): void {
    if (isLimit(ms)) this.#step = this.#context.timers.set(() => this.#judgeSilence(), ms)
  }

  /** One timer per silence rather than one per piece: a body can come in a million of them. */
  #judgeSilence(): void {
    const idle = this.#idle
    const left = this.#heardAt + idle - this.#context.timers.now()
    if (left <= 0) this.#expire("idle", idle)
    else this.#watch(Math.min(left, idle))
  }

  #redirect(from: URL, status: number, location: string): void {
    this.#settleDown()
    const context = this.#context
    const redirect = { method: this.#request.method, from, status, location, hops: this.#hops }
    const verdict = judgeRedirect(redirect, context.redirects)
    if (verdict.kind === "Follow") {
      this.#hops += 1
      context.endpoint = verdict.url
      return this.#send()
    }
    const place = redactUrl(verdict.to?.href ?? location)
    const what = `The redirect (${status}) to ${place} was refused, because ${verdict.reason}.`
    const better = verdict.to && redactUrl(suggestedAddress(from, verdict.to).href)
    const hint = better && `If you trust that address, use it directly: ${better}`
    const fields = explain("redirect-refused", "request", context.target, what, hint)
    this.#fail(new HttpRejected({ ...fields, status, body: "" }))
  }

  async #rejected(url: URL, rejection: HttpRejection): Promise<void> {
    const { authorization } = this.#context
    const { status, headers } = rejection
    const counts = this.#request.optional !== true || "www-authenticate" in headers
    const refused = counts && (status === 401 || status === 403)
    if (!refused || authorization === undefined || this.#retries === maxRetries) {
      return this.#finish(() => this.#owner.rejected(rejection))
    }
    try {
      const { method } = this.#request
      const advice = await authorization.refused(rejection, { method, url })
      if (this.#over) return
      if (advice === "give-up") return this.#finish(() => this.#owner.rejected(rejection))
      this.#retries += 1
      this.#send()
    } catch (cause) {
      this.#fail(this.#failureOf(cause))
    }
  }

  #expire(name: ExpiredDeadline["name"], ms: number): void {
    this.#settleDown()
    const { target, endpoint } = this.#context
    this.#breakOff(deadlinePassed(target, redactUrl(endpoint.origin), { name, ms }))
  }

  /** The answer broke off: some readers have seen enough of it by then. */
  #breakOff(error: ExchangeFailure): void {
    const broken = this.#reader?.broken
    if (broken === undefined) return this.#fail(error)
    this.#context.timers.clear(this.#step)
    this.#conclude(() => broken(error))
  }

  /** An answer is the end; a refusal may yet be sent again. */
  #conclude(tell: () => void = () => {}): void {
    if (this.#answering) this.#finish(tell)
    else tell()
  }

  #fail(error: ExchangeFailure): void {
    this.#context.timers.clear(this.#step)
    // Some failures are known at once; the owner hears of all of them in a later turn.
    queueMicrotask(() => this.#finish(() => this.#owner.failed(error, this.#mayHaveArrived)))
  }

  #finish(tell: () => void): void {
    if (this.#over) return
    this.#over = true
    this.#context.timers.clear(this.#total)
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
