import * as Effect from "effect/Effect"
import type { EventStreamFinding } from "../transport.js"
import { EventStream } from "./event-stream.js"
import { Exchange, type BodyReader, type ExchangeContext } from "./exchange.js"
import { bodyKind, essence } from "./media-type.js"

/** Milliseconds that the server may take to send its first event. */
const deadline = 5_000

/** An endpoint is a path; what is longer is none. */
const maxEventBytes = 64 * 1024

/**
 * Asks with a GET whether this is the transport of 2024-11-05, whose stream begins with an `endpoint`
 * event (V25-DET-03). Nothing is done with that endpoint; the finding is for the list of attempts.
 */
export const detectEventStream = (
  context: ExchangeContext,
  nextExchange: () => number,
): Effect.Effect<EventStreamFinding> =>
  Effect.callback<EventStreamFinding>((resume) => {
    const exchange = new Exchange(
      context,
      {
        exchange: nextExchange(),
        method: "GET",
        headers: { accept: "text/event-stream" },
      },
      {
        answered: (status, headers) =>
          firstEvent(status, headers["content-type"], (found) => {
            exchange.close()
            resume(Effect.succeed(found))
          }),
        rejected: ({ status }) => resume(Effect.succeed(none(`${status}`))),
        failed: ({ message }) => resume(Effect.succeed(none(message))),
      },
    )
    exchange.start()
    return Effect.sync(() => exchange.close())
  }).pipe(
    Effect.timeoutOrElse({
      duration: deadline,
      orElse: () => Effect.succeed(none(`no event within ${deadline} ms`)),
    }),
  )

const none = (outcome: string): EventStreamFinding => ({ endpoint: false, outcome })

const firstEvent = (
  status: number,
  contentType: string | undefined,
  found: (finding: EventStreamFinding) => void,
): BodyReader => {
  if (bodyKind(contentType) !== "event-stream") {
    found(none(`${status} with ${essence(contentType) || "no Content-Type"}, no event stream`))
    return { chunk: () => {}, end: () => {}, broken: () => {} }
  }
  const events = new EventStream(maxEventBytes, {
    event: ({ type }) => {
      events.close()
      found(
        type === "endpoint"
          ? { endpoint: true, outcome: "an endpoint event, as in 2024-11-05" }
          : none("an event stream whose first event is no endpoint"),
      )
    },
    oversized: () => found(none("an event stream whose first event is too large")),
  })
  return {
    chunk: (bytes) => events.push(bytes),
    end: () => found(none("an event stream that ended without an event")),
  }
}
