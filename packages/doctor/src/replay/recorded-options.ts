import { memoryVerdicts, type ConnectOptions } from "@entente/client"
import { recordedAnswers } from "./recorded-answers.js"
import { recordedIdentity } from "./recorded-identity.js"
import { recordedLimits } from "./recorded-limits.js"
import { assumedMemory } from "./recorded-memory.js"
import { recordedMode } from "./recorded-mode.js"
import type { RecordedRun } from "./recorded-run.js"

/** Whether the recorded client opened a lost channel again, or was about to. */
const reconnected = ({ events }: RecordedRun): boolean =>
  events.some(
    (event) =>
      (event.type === "channel" && event.channel > 1 && event.event !== "released") ||
      (event.type === "transition" &&
        event.chart === "connection" &&
        event.to === "recovering.backingOff"),
  )

/** Whether the recorded client listened to what the server says by itself. */
const listened = ({ events, sends }: RecordedRun): boolean =>
  events.some(({ type }) => type === "stream") ||
  sends.some(({ method }) => method === "subscriptions/listen")

/** How the client is set up that runs in place of the recorded one, so that it does the same. */
export const recordedOptions = (
  run: RecordedRun,
): { readonly options: ConnectOptions; readonly assumed: boolean } => {
  const memory = assumedMemory(run)
  return {
    assumed: memory !== undefined,
    options: {
      mode: recordedMode(run),
      ...recordedLimits(run),
      ...recordedIdentity(run),
      middleware: recordedAnswers(run),
      verdicts:
        memory === undefined
          ? memoryVerdicts()
          : { get: () => memory, set: () => {}, delete: () => {} },
      ...(reconnected(run) ? {} : { reconnect: "never" as const }),
      ...(listened(run) ? {} : { listen: false as const }),
    },
  }
}
