import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { CancelExchange, HttpEngine } from "../../http/engine/http-engine.js"
import { currentTimers } from "../../timers.js"
import { faultyBytes, type FaultyBytesOptions } from "./faulty-bytes.js"

/**
 * An HTTP engine on a bad day: the bodies of its answers are cut anew, late, ended early, broken off or
 * gone silent, each exchange by itself. Heads come through as they are. It lasts as long as the scope, on
 * the clock of whoever makes it, and closes nothing but itself.
 *
 * @example
 * const engine = yield* faultyEngine(fetchEngine(fetch), { seed: 7, maxPiece: 5, disconnect: 0.1 })
 * const client = yield* Client.connect(http(url, { engine }))
 */
export const faultyEngine = (
  engine: HttpEngine,
  options: FaultyBytesOptions,
): Effect.Effect<HttpEngine, never, Scope.Scope> =>
  Effect.map(currentTimers, (timers) => {
    let exchanges = 0
    return {
      start: (request, answer) => {
        let cancel: CancelExchange = () => true
        const sink = {
          chunk: answer.chunk,
          end: () => {
            answer.end()
            cancel()
          },
          failed: (cause: Error) => {
            answer.failed(cause, true)
            cancel()
          },
        }
        const body = faultyBytes(options, sink, timers, ++exchanges)
        cancel = engine.start(request, {
          ...(answer.written && { written: answer.written }),
          head: answer.head,
          chunk: body.chunk,
          end: body.end,
          failed: (cause, mayHaveArrived) => {
            body.close()
            answer.failed(cause, mayHaveArrived)
          },
        })
        return () => {
          body.close()
          return cancel()
        }
      },
      close: () => engine.close(),
    }
  })
