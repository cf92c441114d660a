import type { FrameEvent, OutcomeEvent, TraceEvent } from "@entente/trace"
import { partsOf } from "./recorded-message.js"

type Sent = FrameEvent & { readonly channel: number; readonly send: number }

const outcomeOf = (
  { seq, at, channel, send }: Sent,
  when: { readonly at: number } | undefined,
  outcome: unknown,
): OutcomeEvent => ({ seq, at: when?.at ?? at, type: "outcome", channel, send, outcome })

const ended = (status: number, messages: number) => ({
  _tag: "Ended",
  status,
  messages,
  streamed: false,
})

/**
 * Adds what became of the messages of a channel where the recording says it of none: it comes from a log, or from
 * between a client and its server. What was sent has arrived, and an answer ends its exchange.
 */
export const withOutcomes = (events: ReadonlyArray<TraceEvent>): ReadonlyArray<TraceEvent> => {
  const told = new Set<number>()
  const perRequest = new Set<number>()
  for (const event of events) {
    if (event.type === "outcome") told.add(event.channel)
    if (event.type === "channel" && event.exchanges === "per-request") perRequest.add(event.channel)
  }
  const waiting = new Map<string, Sent>()
  return events.flatMap((event): ReadonlyArray<TraceEvent> => {
    if (event.type !== "frame" || event.channel === undefined || told.has(event.channel)) {
      return [event]
    }
    const { id, method } = partsOf(event.message)
    const key = `${event.channel} ${id}`
    if (event.direction === "in") {
      const sent = method === undefined ? waiting.get(key) : undefined
      waiting.delete(key)
      return sent === undefined ? [event] : [event, outcomeOf(sent, event, ended(200, 1))]
    }
    if (event.send === undefined) return [event]
    const sent = { ...event, channel: event.channel, send: event.send }
    if (!perRequest.has(event.channel))
      return [event, outcomeOf(sent, undefined, { _tag: "Written" })]
    if (id === undefined || method === undefined)
      return [event, outcomeOf(sent, undefined, ended(202, 0))]
    waiting.set(key, sent)
    return [event]
  })
}
