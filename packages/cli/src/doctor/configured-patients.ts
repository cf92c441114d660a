import type { ConfigFinding } from "@entente/catalog/config"
import { chosenServers } from "../catalog-servers.js"
import { configuredWay } from "../configured-way.js"
import type { Io } from "../io.js"
import type { ConfigSource } from "../target.js"
import type { PatientFile } from "./patient.js"
import { serverOnCommandLine } from "./on-command-line.js"

/** The servers of configuration files. */
export interface ConfiguredPatients {
  readonly patients: ReadonlyArray<PatientFile>
  /** What is wrong with the files, and which servers are not examined because they are switched off. */
  readonly faults: ReadonlyArray<ConfigFinding>
  readonly switchedOff: ReadonlyArray<string>
}

/** The servers of a source that are not switched off there. */
export const configuredPatients = async (
  source: ConfigSource,
  io: Io,
): Promise<ConfiguredPatients> => {
  const { chosen, faults } = await chosenServers(source, io)
  return {
    patients: chosen
      .filter(({ server }) => !server.disabled)
      .map(({ server, cwd }) => ({
        name: server.id,
        way: configuredWay(server, cwd),
        context: { target: serverOnCommandLine(server.id, source) },
      })),
    faults,
    switchedOff: chosen.flatMap(({ server }) => (server.disabled ? [server.id] : [])),
  }
}
