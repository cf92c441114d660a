import type { ClientKind } from "./client/client-kind.js"
import { findingCodes, type ConfigFinding, type FindingCode } from "./finding.js"
import type { ServerFacts } from "./server-config.js"

/** What is found of one server, where it stands in its file; `client` is who reads it so. */
export const findingAbout = (
  { id, from }: Pick<ServerFacts, "id" | "from">,
  client: ClientKind,
  code: FindingCode,
  message: string,
): ConfigFinding => ({
  code,
  severity: findingCodes[code],
  client,
  ...(from.path === undefined ? {} : { path: from.path }),
  server: id,
  pointer: from.pointer,
  ...(from.line === undefined ? {} : { line: from.line }),
  message,
})
