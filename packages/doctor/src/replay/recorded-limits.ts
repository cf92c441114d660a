import type { ConnectOptions } from "@entente/client"
import { isJsonObject } from "@entente/protocol"
import type { TraceEvent } from "@entente/trace"
import type { RecordedRun, Send } from "./recorded-run.js"
import { isClosing } from "./step.js"

/** A shorter wait is no time limit: the recording ends there, or the client never waited. */
const leastSilenceMs = 10

/** Whether an event ends the wait for an answer without being one. */
const isEnd = (event: TraceEvent): boolean => {
  if (event.type === "channel") return event.event === "closed"
  if (event.type !== "outcome" || !isJsonObject(event.outcome)) return false
  return event.outcome["_tag"] !== "Written" && event.outcome["_tag"] !== "Aborted"
}

/** The limit of a request, in our own words to the server when it was reached. */
const saidLimit = (sends: ReadonlyArray<Send>): number | undefined => {
  for (const { method, params } of sends) {
    if (method !== "notifications/cancelled") continue
    const reason = params?.["reason"]
    const found = typeof reason === "string" ? /^no answer within (\d{1,9}) ms$/.exec(reason) : null
    if (found !== null) return Number(found[1])
  }
  return undefined
}

/**
 * The time limits of the recorded client, as far as the recording shows them: what was answered must not time out,
 * and a first message that was not answered must time out when it did then.
 */
export const recordedLimits = (run: RecordedRun): ConnectOptions => {
  const { events, sends, answers, givenUp } = run
  const closing = events.some(isClosing)
  const at = (place: number): number => events[place]?.at ?? 0
  const answeredAfter = ({ index }: Send): number | undefined => {
    const place = answers.get(index)
    return place === undefined ? undefined : at(place) - at(index)
  }
  const waited = (send: Send, usual: number): number => {
    const next =
      sends.find(({ index, method }) => index > send.index && method !== undefined)?.index ??
      events.length - 1
    const abandoned = givenUp.get(send.index)
    if (abandoned !== undefined && !closing) return Math.max(1, at(abandoned) - at(send.index))
    const after = answeredAfter(send)
    // An answer that came after the client had gone on was too late.
    const inTime = (answers.get(send.index) ?? Infinity) <= next
    if (after !== undefined && inTime) return Math.max(usual, after + 1_000)
    const elapsed = at(next) - at(send.index)
    const isSilence = !events.slice(send.index, next).some(isEnd)
    return isSilence && elapsed >= leastSilenceMs ? elapsed : usual
  }
  const probe = sends[0]?.method === "server/discover" ? sends[0] : undefined
  const initialize = sends.find(({ method }) => method === "initialize")
  const isHttp = events.some(
    (event) => event.type === "channel" && event.exchanges === "per-request",
  )
  const slowest = sends.reduce((longest, send) => Math.max(longest, answeredAfter(send) ?? 0), 0)
  const confirmed = sends.find(({ method }) => method === "notifications/initialized")
  // Over HTTP one limit is for all three; the one that was reached shows it.
  const steps = isHttp ? [confirmed, initialize, probe] : [initialize]
  const handshake =
    steps.find((send) => send !== undefined && givenUp.has(send.index)) ??
    (isHttp ? (probe ?? initialize) : initialize)
  return {
    timeoutMs: saidLimit(sends) ?? Math.max(60_000, slowest + 1_000),
    ...(probe !== undefined && !isHttp && { probeMs: waited(probe, 1_500) }),
    ...(handshake !== undefined && {
      handshakeMs: waited(handshake, handshake === probe ? 10_000 : 60_000),
    }),
  }
}
