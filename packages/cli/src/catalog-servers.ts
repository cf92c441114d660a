import {
  isSameServer,
  loadConfig,
  serversOf,
  type ConfigFinding,
  type ExpandedServer,
  type Surroundings,
} from "@entente/catalog/config"
import type { ServerSpec } from "@entente/catalog"
import { answerFrom, configFiles } from "./config-files.js"
import { differentServers } from "./different-servers.js"
import type { Io } from "./io.js"
import { shortPath, surroundingsOf } from "./surroundings.js"
import type { ConfigSource } from "./target.js"
import { UsageError } from "./usage-error.js"

/** The servers of configuration files, and what stands in the way of others. */
export interface CatalogServers {
  readonly servers: Readonly<Record<string, ServerSpec>>
  readonly faults: ReadonlyArray<ConfigFinding>
}

/** A server of the files that count. */
export interface Chosen {
  readonly server: ExpandedServer
  readonly configured: ServerSpec
  /** The project's folder, where its program starts. */
  readonly cwd: string
}

/** All of them, in the order of the files. */
export interface ChosenServers {
  readonly chosen: ReadonlyArray<Chosen>
  readonly faults: ReadonlyArray<ConfigFinding>
}

/** No server of any file can be used: the first reason why. */
const unusable = (
  { path = "", message, line }: ConfigFinding,
  around: Surroundings,
): UsageError => {
  const at = line === undefined ? "" : ` (line ${line})`
  return new UsageError(
    `${shortPath(path, around)}: ${message}${at}`,
    "entente config check says more.",
  )
}

/**
 * Reads the servers of the files that count. A server that a client has in the project and for the user is the
 * project's, as it is for the client; where two clients mean different servers by one name, nothing is guessed.
 */
export const chosenServers = async (source: ConfigSource, io: Io): Promise<ChosenServers> => {
  const around = surroundingsOf(io)
  const files = configFiles(source, around)
  if (files.length === 0) {
    throw new UsageError(
      "No configuration file was found.",
      "Give one with --config FILE; entente config list says where they were looked for.",
    )
  }
  const chosen = new Map<string, Chosen>()
  const faults: Array<ConfigFinding> = []
  for (const { client, path } of files) {
    const loaded = await loadConfig(path, { ...around, client, input: answerFrom(around) })
    // A settings file without servers is what most settings files are, unless it was asked for.
    faults.push(
      ...loaded.faults.filter(
        ({ code }) =>
          source.config !== undefined || (code !== "other-root" && code !== "no-servers"),
      ),
    )
    const configured = serversOf(loaded)
    for (const server of loaded.servers) {
      const { id } = server
      const known = chosen.get(id)
      const own = configured[id]
      if (own === undefined) continue
      if (known === undefined) chosen.set(id, { server, configured: own, cwd: loaded.cwd })
      else if (known.server.from.client !== client && !isSameServer(known.server, server)) {
        throw differentServers(id, [known.server, server], around)
      }
    }
  }
  const [fault] = faults.filter(({ severity }) => severity === "error")
  if (chosen.size === 0 && fault !== undefined) throw unusable(fault, around)
  return { chosen: [...chosen.values()], faults }
}

/** The same as a catalog takes them. */
export const catalogServers = async (source: ConfigSource, io: Io): Promise<CatalogServers> => {
  const { chosen, faults } = await chosenServers(source, io)
  return {
    servers: Object.fromEntries(chosen.map(({ server, configured }) => [server.id, configured])),
    faults,
  }
}
