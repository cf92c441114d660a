// Only the pool: the index of undici also loads its fetch, caches and mocks, at four times the cost.
import Pool from "undici/lib/dispatcher/pool.js"
import type { Dispatcher } from "undici"
import { contentDecoder } from "./content-decoder.js"
import type { HttpAnswer, HttpEngine, HttpRequest, OpenHttpEngine } from "./http-engine.js"

/**
 * Speaks HTTP on Node through undici's pool, below its promises: one keep-alive connection per
 * exchange under way, reused afterwards.
 */
export const openHttpEngine: OpenHttpEngine = ({ connectTimeout }): HttpEngine => {
  const pools = new Map<string, Dispatcher>()
  const poolOf = ({ origin }: URL): Dispatcher => {
    const known = pools.get(origin)
    if (known !== undefined) return known
    // Silence is legal on a stream (V26-HTTP-13); how long to wait for an answer is not for us to say.
    const pool = new Pool(origin, {
      connect: { timeout: connectTimeout },
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    pools.set(origin, pool)
    return pool
  }
  return {
    start: (request, answer) => {
      const exchange = new UndiciExchange(answer)
      poolOf(request.url).dispatch(dispatchOptions(request), exchange)
      return () => exchange.cancel()
    },
    close: async () => {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()))
    },
  }
}

const dispatchOptions = ({ method, url, headers, body }: HttpRequest) => ({
  method,
  path: url.pathname + url.search,
  headers,
  body: body ?? null,
})

class UndiciExchange implements Dispatcher.DispatchHandler {
  readonly #answer: HttpAnswer
  #controller: Dispatcher.DispatchController | undefined
  #decoder: ReturnType<typeof contentDecoder>
  #cancelled = false

  constructor(answer: HttpAnswer) {
    this.#answer = answer
  }

  cancel(): void {
    this.#cancelled = true
    this.#decoder?.destroy()
    this.#controller?.abort(cancelled)
  }

  /** A connection is there, and the request is about to be written. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#cancelled) controller.abort(cancelled)
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (this.#cancelled || status < 200) return
    this.#decoder = contentDecoder(headers["content-encoding"], {
      chunk: (bytes) => this.#cancelled || this.#answer.chunk(bytes),
      end: () => this.#cancelled || this.#answer.end(),
      failed: (cause) => {
        if (this.#cancelled) return
        this.cancel()
        this.#answer.failed(cause, true)
      },
      pause: () => controller.pause(),
      resume: () => controller.resume(),
    })
    this.#answer.head(status, joined(headers))
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Uint8Array): void {
    if (this.#cancelled) return
    if (this.#decoder === undefined) this.#answer.chunk(chunk)
    else this.#decoder.write(chunk)
  }

  onResponseEnd(): void {
    if (this.#cancelled) return
    if (this.#decoder === undefined) this.#answer.end()
    else this.#decoder.end()
  }

  onResponseError(_: Dispatcher.DispatchController, cause: Error): void {
    if (this.#cancelled) return
    this.#decoder?.destroy()
    this.#answer.failed(cause, this.#controller !== undefined)
  }
}

const cancelled = new Error("The exchange was cancelled.")

const joined = (
  headers: Record<string, string | string[] | undefined>,
): Readonly<Record<string, string>> => {
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value !== "string") headers[name] = value?.join(", ") ?? ""
  }
  // Every value is one string now.
  return headers as Record<string, string>
}
