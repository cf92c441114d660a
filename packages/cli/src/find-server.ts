import {
  isSameServer,
  loadConfig,
  readConfig,
  readConfigFile,
  type ConfigFinding,
  type ExpandedServer,
  type Surroundings,
} from "@entente/catalog/config"
import { answerFrom, configFiles, inputVariable, type ConfigFile } from "./config-files.js"
import { differentServers } from "./different-servers.js"
import type { Io } from "./io.js"
import { nearest } from "./nearest.js"
import { shortPath, surroundingsOf } from "./surroundings.js"
import type { ServerTarget } from "./target.js"
import { UsageError } from "./usage-error.js"

/** A server that was named, and what its file has to be told of. */
export interface FoundServer {
  readonly server: ExpandedServer
  /** The project's folder, where its program starts. */
  readonly cwd: string
  readonly faults: ReadonlyArray<ConfigFinding>
}

/** What a file names, as far as it can be read. */
interface Named extends ConfigFile {
  readonly ids: ReadonlyArray<string>
}

const namesIn = (file: ConfigFile, around: Surroundings, isNamed: boolean): Named => {
  const read = readConfigFile(file.path, file.client)
  // A file that was only found, and cannot be read, is not in the way of the others.
  if ("fault" in read && !isNamed) return { ...file, ids: [] }
  if ("fault" in read) {
    throw new UsageError(`${shortPath(file.path, around)}: ${read.fault.message}`)
  }
  const { servers, faults } = readConfig(read.text, { ...file, cwd: around.cwd })
  const broken = faults.flatMap(({ server, severity }) =>
    server !== undefined && severity === "error" ? [server] : [],
  )
  return { ...file, ids: [...new Set([...servers.map(({ id }) => id), ...broken])] }
}

const nothingNamed = (
  { name, config, from }: ServerTarget,
  files: ReadonlyArray<Named>,
  around: Surroundings,
): UsageError => {
  const ids = [...new Set(files.flatMap((file) => file.ids))]
  const meant = nearest(name, ids)
  const suggestion = meant === undefined ? "" : ` Did you mean ${meant}?`
  const known = ids.length === 0 ? "They name no servers." : `They name ${ids.join(", ")}.`
  if (config !== undefined) {
    const hint = known.replace("They name", "It names")
    return new UsageError(`${config} names no server ${name}.${suggestion}`, hint)
  }
  const where = files.map(({ path }) => shortPath(path, around)).join(", ")
  const whose = from === undefined ? "no configuration file" : `no file of ${from}`
  return new UsageError(
    from === undefined
      ? `${name} is neither a URL nor a demo, and ${whose} names such a server.${suggestion}`
      : `${whose} names a server ${name}.${suggestion}`.replace(/^n/, "N"),
    files.length === 0
      ? "No configuration file was found here; entente config list says where they were looked for."
      : `Looked into ${where}. ${known}`,
  )
}

const load = async (
  { client, path }: ConfigFile,
  name: string,
  around: Surroundings,
): Promise<FoundServer> => {
  const input = answerFrom(around)
  const loaded = await loadConfig(path, { ...around, client, input, only: (id) => id === name })
  const [server] = loaded.servers
  const faults = loaded.faults.filter((fault) => fault.server === name)
  if (server !== undefined) return { server, cwd: loaded.cwd, faults }
  const why = faults.find(({ severity, code }) => severity === "error" || code === "variable-unset")
  const missing = /the input (.+)\.$/.exec(why?.code === "input-missing" ? why.message : "")?.[1]
  throw new UsageError(
    `${name} of ${shortPath(path, around)} cannot be used: ${why?.message ?? "it cannot be read."}`,
    missing === undefined
      ? `entente config check ${shortPath(path, around)} says more.`
      : `Give it as the variable ${inputVariable(missing)}.`,
  )
}

/**
 * Finds the server that a target names. Where a client has it in the project and for the user, the project's
 * counts, as it does for the client; where two clients mean different servers, nothing is guessed.
 */
export const findServer = async (target: ServerTarget, io: Io): Promise<FoundServer> => {
  const around = surroundingsOf(io)
  const files = configFiles(target, around).map((file) =>
    namesIn(file, around, target.config !== undefined),
  )
  const naming = files.filter(({ ids }) => ids.includes(target.name))
  // Files of the project come first, so the first of each client is the one that counts.
  const perClient = naming.filter(
    (file, index) => naming.findIndex(({ client }) => client === file.client) === index,
  )
  const [first] = perClient
  if (first === undefined) throw nothingNamed(target, files, around)
  if (perClient.length === 1) return await load(first, target.name, around)
  const found = await Promise.all(perClient.map((file) => load(file, target.name, around)))
  const [chosen] = found
  if (chosen !== undefined && found.every(({ server }) => isSameServer(server, chosen.server))) {
    return chosen
  }
  throw differentServers(
    target.name,
    found.map(({ server }) => server),
    around,
  )
}
