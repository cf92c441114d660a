import { parseSessionId, type LegacyAgreement, type ModernAgreement } from "../../src/index.js"
import { discoverResult, initializeResult } from "./answers.js"

const fields = { evidence: "seen", at: "2026-08-01T00:00:00.000Z", quirks: [] } as const

export const modernAgreement: ModernAgreement = {
  era: "modern",
  revision: "2026-07-28",
  discover: discoverResult("2026-07-28"),
  verdict: { era: "modern", revision: "2026-07-28", ...fields },
  notes: [],
}

export const legacyAgreement = (sessionId: string): LegacyAgreement => {
  const id = parseSessionId(sessionId)
  return {
    era: "legacy",
    revision: "2025-11-25",
    initialize: initializeResult("2025-11-25"),
    ...(id === undefined ? {} : { sessionId: id }),
    verdict: { era: "legacy", revision: "2025-11-25", ...fields },
    notes: [],
  }
}
