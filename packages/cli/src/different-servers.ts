import { shownServer, type ExpandedServer, type Surroundings } from "@entente/catalog/config"
import { shortPath } from "./surroundings.js"
import { UsageError } from "./usage-error.js"

/** Several clients mean different servers by one name: which ones, and how to say which one counts. */
export const differentServers = (
  id: string,
  servers: ReadonlyArray<ExpandedServer>,
  around: Surroundings,
): UsageError => {
  const candidates = servers.map(
    (server) =>
      `  --from ${server.from.client}: ${shownServer(server)} (${shortPath(server.from.path ?? "", around)})`,
  )
  return new UsageError(
    `${id} is the name of different servers:\n${candidates.join("\n")}`,
    "Say which one with --from CLIENT or --config FILE.",
  )
}
