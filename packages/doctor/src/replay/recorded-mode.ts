import type { ConnectOptions } from "@entente/client"
import { isJsonObject, isLegacyRevision, legacyRevisions } from "@entente/protocol"
import { isDiscoverResult } from "@entente/session"
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
