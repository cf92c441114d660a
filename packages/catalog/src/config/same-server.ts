import * as Redacted from "effect/Redacted"
import type { Expanded, ExpandedServer } from "./server-config.js"

const reveal = (text: Expanded | undefined): string | undefined =>
  Redacted.isRedacted(text) ? Redacted.value(text) : text

const revealAll = (values: Readonly<Record<string, Redacted.Redacted<string>>>) =>
  Object.entries(values)
    .map(([name, value]) => [name, Redacted.value(value)] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))

const essence = (server: ExpandedServer): string =>
  JSON.stringify(
    server.kind === "local"
      ? [server.command, ...server.args, server.cwd]
          .map(reveal)
          .concat(JSON.stringify(revealAll(server.env)))
      : [server.transport === "sse", reveal(server.url), revealAll(server.headers)],
  )

/** Whether two entries lead to the same server in the same way, whatever files and names they have. */
export const isSameServer = (one: ExpandedServer, other: ExpandedServer): boolean =>
  one.kind === other.kind && essence(one) === essence(other)
