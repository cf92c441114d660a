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

/**
 * Hides every secret in an event, whatever its type. The same event comes back where there was none.
 * Control characters and other people's text stay as they are: to show them is the renderer's business.
 */
export const redactEvent = (event: TraceEvent, policy: RedactionPolicy = {}): TraceEvent => {
  const text = (value: string): string => redactText(value, policy)
  switch (event.type) {
    case "frame":
      return revised(event, { message: redactMessage(event.message, policy) })
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
  }
}
