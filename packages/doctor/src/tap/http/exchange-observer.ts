import { isJsonObject, type Unreachable } from "@entente/protocol"
import { GrowingBytes, sampleOf, unreachable } from "@entente/transport/tapping"
import { noCopy, type Copy } from "../relay.js"
import { bodyCopy } from "./body-copy.js"
import { withoutUnknown } from "./known-headers.js"
import { MessageExchange } from "./message-exchange.js"
import { plainExchange, type ObservedExchange } from "./observed-exchange.js"
import { StreamExchange } from "./stream-exchange.js"
import { sessionIdOf, type ObservedRequest, type Watch } from "./watch.js"

type Headers = Readonly<Record<string, string>>

const utf8 = new TextDecoder()

/** Makes events of one exchange that passes the tap. */
export class ExchangeObserver {
  /** Looks at the body of the request. */
  readonly requestBody: Copy
  readonly #watch: Watch
  readonly #request: ObservedRequest
  #exchange: ObservedExchange = plainExchange
  /** The head of the answer has come, or nothing will. */
  #begun = false
  #over = false

  constructor(watch: Watch, request: ObservedRequest) {
    this.#watch = watch
    this.#request = request
    this.#tell(withoutUnknown(request.headers))
    const { method, headers } = request
    const accepts = (headers["accept"] ?? "").toLowerCase()
    if (method === "GET" && accepts.includes("text/event-stream")) {
      this.#exchange = new StreamExchange(watch, request)
    }
    if (method === "DELETE" && sessionIdOf(headers) !== undefined) {
      this.#exchange = this.#sessionEnd()
    }
    this.requestBody = method === "POST" ? this.#messageBody() : noCopy
  }

  /** The head of the answer; what is returned looks at its body. */
  answered(status: number, headers: Headers): Copy {
    this.#begun = true
    const { wayPast, maxMessageBytes, target } = this.#watch
    this.#tell(headers, status)
    wayPast.challenge(headers["www-authenticate"])
    const exchange = this.#exchange
    return bodyCopy({
      encoding: headers["content-encoding"],
      reader: exchange.answered(status, headers),
      maxWaiting: maxMessageBytes,
      cutOff: () => {
        const cause = Object.assign(new Error("cut off"), { code: "ECONNRESET" })
        exchange.failed(unreachable(target, this.#request.url, cause))
      },
      unreadable: (what) => exchange.unreadable(what),
    })
  }

  /** There is no answer. */
  failed(error: Unreachable): void {
    if (this.#over) return
    this.#over = this.#begun = true
    const { code, stage, message } = error
    this.#watch.trace.emit({ type: "error", code, stage, message })
    this.#exchange.failed(error)
  }

  /** The client has let go of it before its end. */
  aborted(): void {
    if (this.#over) return
    this.#over = this.#begun = true
    this.#exchange.aborted()
  }

  #tell(headers: Headers, status?: number): void {
    const { trace, handles } = this.#watch
    const { exchange, method, url } = this.#request
    trace.emit({
      type: "http",
      exchange,
      method,
      url: url.href,
      ...(status === undefined ? {} : { status }),
      headers: handles.inHeaders(headers),
    })
  }

  #messageBody(): Copy {
    const body = new GrowingBytes()
    const { maxMessageBytes, trace } = this.#watch
    let tooLarge = false
    return {
      chunk: (bytes) => {
        tooLarge ||= body.length + bytes.length > maxMessageBytes
        if (!tooLarge) body.append(bytes)
      },
      end: (how) => {
        if (how !== "ended" || this.#begun) return
        if (!tooLarge) return this.#read(utf8.decode(body.take()))
        const detail = `A message of the client is longer than ${maxMessageBytes} bytes.`
        trace.emit({ type: "note", code: "client-message-too-large", detail })
      },
    }
  }

  #read(text: string): void {
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      value = undefined
    }
    if (this.#isMessage(value)) {
      this.#exchange = new MessageExchange(this.#watch, this.#request, value)
      return
    }
    if (!this.#isAtEndpoint) return
    const detail = `A body that is no message was posted: ${JSON.stringify(sampleOf(text))}`
    this.#watch.trace.emit({ type: "note", code: "client-invalid-message", detail })
  }

  /** Clients post other JSON to other places: to register themselves, for example. */
  #isMessage(value: unknown): boolean {
    if (typeof value !== "object" || value === null) return false
    return this.#isAtEndpoint || (isJsonObject(value) && "jsonrpc" in value)
  }

  get #isAtEndpoint(): boolean {
    const { url } = this.#request
    const { endpoint, conversations } = this.#watch
    return url.pathname === endpoint.pathname || conversations.ofAddress(url.href) !== undefined
  }

  /** DELETE ends a legacy session (V25-HTTP-34). */
  #sessionEnd(): ObservedExchange {
    const { headers } = this.#request
    const { log } = this.#watch.conversations.ofStream(sessionIdOf(headers))
    return {
      ...plainExchange,
      answered: (status, answer) => {
        log.asked("endSession", { value: status })
        return plainExchange.answered(status, answer)
      },
      failed: (error) => log.asked("endSession", { error }),
    }
  }
}
