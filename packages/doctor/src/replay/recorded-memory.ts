import { isJsonObject, isModernRevision, metaKey } from "@entente/protocol"
import type { ModernVerdict } from "@entente/session"
import type { RecordedRun } from "./recorded-run.js"

/**
 * A modern client need not discover anything; ours does unless it remembers what the server offers. So it is given
 * such a memory: that the server offers what it was asked for.
 */
export const assumedMemory = ({ events, sends }: RecordedRun): ModernVerdict | undefined => {
  const [first] = sends
  if (first === undefined || first.method === "server/discover" || first.method === "initialize") {
    return undefined
  }
  const meta = first.params?.["_meta"]
  const revision = isJsonObject(meta) ? meta[metaKey.protocolVersion] : undefined
  if (!isModernRevision(revision)) return undefined
  const areas = sends.flatMap(({ method }) => capabilityOf(method) ?? [])
  return {
    era: "modern",
    revision,
    evidence: "the recording begins without server/discover",
    at: new Date(events[0]?.at ?? 0).toISOString(),
    quirks: [],
    discover: {
      resultType: "complete",
      supportedVersions: [revision],
      capabilities: Object.fromEntries(areas.map((area) => [area, {}])),
      ttlMs: 86_400_000,
      cacheScope: "public",
    },
  }
}

const capabilityOf = (method: string | undefined): string | undefined => {
  const [area] = method?.split("/") ?? []
  if (area === "completion") return "completions"
  return area !== undefined && ["tools", "prompts", "resources", "logging"].includes(area)
    ? area
    : undefined
}
