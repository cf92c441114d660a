import * as Cause from "effect/Cause"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import type { EntenteError } from "@entente/protocol"
import type { Fork } from "@entente/session"
import { settle } from "../question/ask-handler.js"
import type { Around, MiddlewareContext, Next } from "./middleware.js"

/** What is behind a layer: the next one, or in the end the wire. */
export type Send<Request, Answer> = (request: Request) => Effect.Effect<Answer, EntenteError>

/** What the layers of one kind have in common. */
export interface LayerKind<Request, Answer> {
  readonly target: string
  /** Runs what a layer wants as a promise; it ends with the connection at the latest. */
  readonly fork: Fork
  /** What goes on in place of `from`, with whatever of that no layer may lose. */
  readonly replace: (from: Request, to: Request) => Request
  /** Whether what a layer gave is an answer at all. */
  readonly isAnswer: (given: unknown) => boolean
  /** What comes of a layer that failed with `reason`. */
  readonly failed: (request: Request, reason: unknown) => Effect.Effect<Answer, EntenteError>
  /** What a layer gets that goes on when nobody waits for it any more. */
  readonly late: (request: Request) => EntenteError
}

/** Puts layers around what sends; the first is the outermost. */
export const around = <Request, Answer>(
  layers: ReadonlyArray<Around<Request, Answer>>,
  innermost: Send<Request, Answer>,
  kind: LayerKind<Request, Answer>,
): Send<Request, Answer> =>
  layers.reduceRight<Send<Request, Answer>>(
    (inner, layer) => (request) => pass(layer, request, inner, kind),
    innermost,
  )

/** One request through one layer. */
const pass = <Request, Answer>(
  layer: Around<Request, Answer>,
  request: Request,
  inner: Send<Request, Answer>,
  kind: LayerKind<Request, Answer>,
): Effect.Effect<Answer, EntenteError> =>
  Effect.contextWith((context: Context.Context<never>) => {
    const passage = new Passage(request, inner, kind, context)
    return Effect.suspend(() => settle(layer(request, passage.next, passage.context))).pipe(
      Effect.flatMap((answer) =>
        kind.isAnswer(answer) ? Effect.succeed(answer) : Effect.fail(new TypeError(noAnswer)),
      ),
      Effect.catchCause((cause) => kind.failed(request, reasonOf(cause))),
      Effect.onInterrupt(() => Effect.sync(() => passage.abort())),
      Effect.ensuring(Effect.sync(() => passage.end())),
    )
  })

const noAnswer = "What the middleware gave is no answer."

/** What something failed with, or threw. */
const reasonOf = (cause: Cause.Cause<unknown>): unknown => {
  const failure = Cause.findError(cause)
  return Result.isSuccess(failure) ? failure.success : Cause.squash(cause)
}

/** What a layer has under way for one request. */
class Passage<Request, Answer> {
  readonly next: Next<Request, Answer>
  readonly context: MiddlewareContext
  /** What was asked for as promises, which nothing else would interrupt. */
  readonly #running = new Map<Fiber.Fiber<Answer, EntenteError>, Promise<Answer>>()
  #controller: AbortController | undefined
  #ended = false
  readonly #request: Request
  readonly #inner: Send<Request, Answer>
  readonly #kind: LayerKind<Request, Answer>
  /** What the layer runs in, spans included: what it asks for as a promise runs in the same. */
  readonly #around: Context.Context<never>

  constructor(
    request: Request,
    inner: Send<Request, Answer>,
    kind: LayerKind<Request, Answer>,
    around: Context.Context<never>,
  ) {
    this.#request = request
    this.#inner = inner
    this.#kind = kind
    this.#around = around
    this.next = Object.assign((changed?: Request) => this.#promise(changed), {
      effect: (changed?: Request) => this.#effect(changed),
    })
    const signal = (): AbortSignal => this.#signal
    this.context = {
      target: kind.target,
      get signal() {
        return signal()
      },
    }
  }

  abort(): void {
    this.#controller?.abort()
  }

  /** Nobody waits for the layer any more: what it has under way is cancelled. */
  end(): void {
    this.#ended = true
    for (const [fiber, promise] of this.#running) {
      // Whoever still holds the promise hears of it; nobody has to.
      promise.catch(() => {})
      fiber.interruptUnsafe()
    }
  }

  /** Made for a layer that looks at it; most do not. */
  get #signal(): AbortSignal {
    this.#controller ??= new AbortController()
    return this.#controller.signal
  }

  #effect(changed = this.#request): Effect.Effect<Answer, EntenteError> {
    return Effect.suspend(() => {
      if (this.#ended) return Effect.fail(this.#kind.late(this.#request))
      const same = changed === this.#request
      return this.#inner(same ? changed : this.#kind.replace(this.#request, changed))
    })
  }

  #promise(changed: Request | undefined): Promise<Answer> {
    const asked = Effect.provideContext(this.#effect(changed), this.#around)
    const fiber = this.#kind.fork(asked)
    const promise = new Promise<Answer>((resolve, reject) => {
      fiber.addObserver((exit) => {
        this.#running.delete(fiber)
        if (Exit.isSuccess(exit)) return resolve(exit.value)
        const called = Cause.hasInterruptsOnly(exit.cause) // off, by `end` or with the connection
        reject(called ? this.#kind.late(this.#request) : reasonOf(exit.cause))
      })
    })
    if (fiber.pollUnsafe() === undefined) this.#running.set(fiber, promise)
    return promise
  }
}
