import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import type { Listeners } from "./wire/listeners.js"

/** How many values a slow reader may be behind before the oldest are dropped. */
const bufferSize = 1_024

/** What listeners hear, as a stream: from now on, or with a first value that is known already. */
export const watch = <Value>(
  listeners: Listeners<Value>,
  first: () => ReadonlyArray<Value> = () => [],
  isLast: (value: Value) => boolean = () => false,
): Stream.Stream<Value> =>
  Stream.callback<Value>(
    (queue) =>
      Effect.acquireRelease(
        Effect.sync(() => {
          const take = (value: Value): void => {
            Queue.offerUnsafe(queue, value)
            if (isLast(value)) Queue.endUnsafe(queue)
          }
          first().forEach(take)
          return listeners.add(take)
        }),
        (stop) => Effect.sync(stop),
      ),
    { bufferSize, strategy: "sliding" },
  )
