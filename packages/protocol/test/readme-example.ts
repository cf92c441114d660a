import { existsIn, missingCapability, readPage, Tool, validate } from "@entente/protocol"

// One table knows every method of every revision.
export const modernPing = existsIn("ping", "2026-07-28") // false
export const missing = missingCapability("prompts/list", "2025-11-25", { tools: {} }) // "prompts"

// A value is checked and handed out as it is: nothing is copied, nothing is lost.
const sent = { name: "bake", inputSchema: { type: "object", $defs: {} }, "x-vendor": 7 }
export const checked = validate(Tool, sent) // { ok: true, value: sent }

// One broken item does not cost the others, and what was tolerated is noted.
export const page = readPage(
  "tools/list",
  { tools: [sent, { name: "broken", inputSchema: { anyOf: [] } }], nextCursor: null },
  { page: 0, target: "demo", policy: {} },
)
