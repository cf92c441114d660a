import type { TraceEvent } from "./event.js"
import { redactHeaders } from "./redact-headers.js"
import { redactMessage } from "./redact-message.js"
import { redactText, redactUrl } from "./redact-text.js"
import type { RedactionPolicy } from "./redaction-policy.js"

/** The event with some members replaced; the same event where they are what they were. */
const revised = <E extends TraceEvent>(event: E, safe: Partial<E>): E =>
  (Object.keys(safe) as Array<keyof E>).every((name) => safe[name] === event[name]) // `keys` loses the names
    ? event
    : { ...event, ...safe }

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isTexts = (value: unknown): value is Readonly<Record<string, string>> =>
  isRecord(value) && Object.values(value).every((member) => typeof member === "string")

/** An outcome is a message in which headers may stand, as those of a refusal; one level down, or two. */
const redactOutcome = (outcome: unknown, policy: RedactionPolicy): unknown => {
  const safe = redactMessage(outcome, policy)
  return isRecord(safe) ? withSafeHeaders(safe, policy, 2) : safe
}

const withSafeHeaders = (
  value: Readonly<Record<string, unknown>>,
  policy: RedactionPolicy,
  depth: number,
): Readonly<Record<string, unknown>> => {
  const safe = Object.entries(value).map(([name, member]) => {
    if (name === "headers" && isTexts(member)) return [name, redactHeaders(member, policy)] as const
    const deeper = depth > 0 && isRecord(member)
    return [name, deeper ? withSafeHeaders(member, policy, depth - 1) : member] as const
  })
  return safe.some(([name, member]) => member !== value[name]) ? Object.fromEntries(safe) : value
}

/**
 * Hides every secret in an event, whatever its type. The same event comes back where there was none.
 * Control characters and other people's text stay as they are: to show them is the renderer's business.
 */
export const redactEvent = (event: TraceEvent, policy: RedactionPolicy = {}): TraceEvent => {
  const text = (value: string): string => redactText(value, policy)
  switch (event.type) {
    case "frame":
      return revised(event, {
        message: redactMessage(event.message, policy),
        ...(event.headers === undefined ? {} : { headers: redactHeaders(event.headers, policy) }),
      })
    case "http":
      return revised(event, {
        method: text(event.method),
        url: redactUrl(event.url, policy),
        headers: redactHeaders(event.headers, policy),
      })
    case "process":
      return revised(event, { detail: text(event.detail) })
    case "transition":
      return revised(event, {
        chart: text(event.chart),
        event: text(event.event),
        from: text(event.from),
        to: text(event.to),
      })
    case "note":
      return revised(event, { code: text(event.code), detail: text(event.detail) })
    case "error":
      return revised(event, {
        code: text(event.code),
        stage: text(event.stage),
        message: text(event.message),
      })
    case "channel":
      return revised(event, {
        transport: text(event.transport),
        target: text(event.target),
        ...(event.error === undefined ? {} : { error: redactMessage(event.error, policy) }),
      })
    case "outcome":
    case "ask":
      return revised(event, { outcome: redactOutcome(event.outcome, policy) })
    case "stream":
      return event.end === undefined
        ? event
        : revised(event, { end: redactOutcome(event.end, policy) })
    case "unreadable":
      return revised(event, { error: redactMessage(event.error, policy) })
    case "experiment":
      return revised(event, { name: text(event.name) })
  }
}
