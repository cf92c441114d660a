import type { JsonObject } from "@entente/protocol"
import type { TraceEvent, Unstamped } from "@entente/trace"

interface Where {
  /** Milliseconds since the first event; one more than the event before, unless it is said. */
  readonly at?: number
  /** An HTTP exchange, which a message that goes out begins. */
  readonly exchange?: number
  readonly url?: string
  /** The number of the message among those that were sent, for its outcome. */
  readonly send?: number
}

/** The head of an HTTP answer. */
interface Head extends Where {
  readonly exchange: number
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
}

/** A message with its direction, the head of an answer, or any other event. */
export type Made =
  | readonly ["in" | "out", JsonObject, Where?]
  | Head
  | { readonly event: Unstamped; readonly at?: number }

const isMessage = (made: Made): made is Extract<Made, ReadonlyArray<unknown>> => Array.isArray(made)

const eventsOf = (made: Made): ReadonlyArray<Unstamped> => {
  if (isMessage(made)) {
    const [direction, message, where] = made
    const { exchange, url, send }: Where = where ?? {}
    const frame: Unstamped = {
      type: "frame",
      direction,
      message: { jsonrpc: "2.0", ...message },
      ...(exchange !== undefined && { exchange }),
      ...(send !== undefined && { send, channel: 1 }),
    }
    return direction === "out" && exchange !== undefined && url !== undefined
      ? [{ type: "http", exchange, method: "POST", url, headers: {} }, frame]
      : [frame]
  }
  if ("event" in made) return [made.event]
  const { exchange, status, headers = {}, url = "" } = made
  return [{ type: "http", exchange, method: "POST", url, status, headers }]
}

/** A trace of what no server of the testkit can be made to do, at times that a test chooses. */
export const handMade = (story: ReadonlyArray<Made>): ReadonlyArray<TraceEvent> => {
  let now = 0
  const events: Array<TraceEvent> = []
  for (const made of story) {
    const at = isMessage(made) ? made[2]?.at : made.at
    now = at ?? now + 1
    for (const event of eventsOf(made))
      events.push({ ...event, seq: events.length, at: now } as TraceEvent) // the stamp completes it
  }
  return events
}
