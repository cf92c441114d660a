import type { Asked } from "../question/asked.js"
import type { Telemetry } from "./telemetry.js"

/** Observes what answers a legacy server; a modern one may not ask (V26-ENV-06). */
export const observeQuestions = (
  telemetry: Telemetry | undefined,
  isModern: () => boolean,
  asked: Asked,
): Asked => {
  if (telemetry === undefined) return asked
  return (request, respond) => {
    const served = isModern() ? undefined : telemetry.served(request)
    if (served === undefined) return asked(request, respond)
    const stop = asked(
      request,
      (answer) => {
        served.answered(answer)
        respond(answer)
      },
      (work) => telemetry.inside(work, served.span),
    )
    return (why) => {
      served.takenBack()
      stop?.(why)
    }
  }
}
