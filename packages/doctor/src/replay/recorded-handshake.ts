import type { ConnectOptions } from "@entente/client"
import { isJsonObject, isLegacyRevision, legacyRevisions } from "@entente/protocol"
import { isDiscoverResult } from "@entente/session"
import type { TraceEvent } from "@entente/trace"
import { partsOf } from "./recorded-message.js"
import type { RecordedRun, Send } from "./recorded-run.js"

const resultOf = ({ events, answers }: RecordedRun, { index }: Send): unknown => {
  const event = events[answers.get(index) ?? -1]
  return event?.type === "frame" ? partsOf(event.message).result : undefined
}

/** How the recorded client found out what to speak: which first messages it sent decides. */
export const recordedMode = (run: RecordedRun): NonNullable<ConnectOptions["mode"]> => {
  const { sends } = run
  const [first] = sends
  if (first?.method === "initialize") {
    const asked = first.params?.["protocolVersion"]
    const result = resultOf(run, first)
    const agreed = isJsonObject(result) ? result["protocolVersion"] : undefined
    if (!isLegacyRevision(asked) || asked === legacyRevisions[0]) return "legacy"
    // Whoever insists on a revision refuses another one in the answer; the recorded client may not have.
    return agreed === undefined || agreed === asked ? asked : "legacy"
  }
  if (first?.method !== "server/discover") return "modern"
  const result = resultOf(run, first)
  const isModern = isJsonObject(result) && isDiscoverResult(result)
  const initialized = sends.some(({ method }) => method === "initialize")
  return initialized || isModern || sends.length === 1 ? "auto" : "modern"
}

/** A shorter wait is no time limit: the recording ends there, or the client never waited. */
const leastSilenceMs = 10

/** Whether an event ends the wait for an answer without being one. */
const isEnd = (event: TraceEvent): boolean => {
  if (event.type === "channel") return event.event === "closed"
  if (event.type !== "outcome" || !isJsonObject(event.outcome)) return false
  return event.outcome["_tag"] !== "Written" && event.outcome["_tag"] !== "Aborted"
}

/**
 * The time limits of the recorded client, as far as the recording shows them: what was answered must not time out,
 * and a first message that was not answered must time out when it did then.
 */
export const recordedLimits = (run: RecordedRun): ConnectOptions => {
  const { events, sends, answers } = run
  const at = (place: number): number => events[place]?.at ?? 0
  const answeredAfter = ({ index }: Send): number | undefined => {
    const place = answers.get(index)
    return place === undefined ? undefined : at(place) - at(index)
  }
  const waited = (send: Send, usual: number): number => {
    const next =
      sends.find(({ index, method }) => index > send.index && method !== undefined)?.index ??
      events.length - 1
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
  const handshake = isHttp ? (probe ?? initialize) : initialize
  return {
    timeoutMs: Math.max(60_000, slowest + 1_000),
    ...(probe !== undefined && !isHttp && { probeMs: waited(probe, 1_500) }),
    ...(handshake !== undefined && {
      handshakeMs: waited(handshake, handshake === probe ? 10_000 : 60_000),
    }),
  }
}
