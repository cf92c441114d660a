import { dirname, isAbsolute, resolve } from "node:path"
import * as Redacted from "effect/Redacted"
import { inputsOf } from "../check/check-config.js"
import type { ClientKind } from "../client/client-kind.js"
import { guessClient } from "../client/guess-client.js"
import { clients } from "../client/clients.js"
import type { Surroundings } from "../client/locations.js"
import { expandServer, type ExpandOptions } from "../expand/expand-server.js"
import { findingCodes, type ConfigFinding } from "../finding.js"
import { readConfig, type ReadConfig } from "../read/read-config.js"
import type { ExpandedServer, InputDefinition } from "../server-config.js"
import { surroundingsOf } from "./find-configs.js"
import { readText, UnreadableFile } from "./read-text.js"

export interface LoadOptions extends Partial<Surroundings> {
  /** Whose file it is. Default: as its path looks. */
  readonly client?: ClientKind
  /**
   * Asked for each input that a server needs, once; undefined for no answer, which costs that server. Without
   * this function no input has an answer.
   */
  readonly input?: (
    input: InputDefinition,
  ) => string | Redacted.Redacted<string> | undefined | Promise<string | undefined>
  /** Only these servers, by name: nothing is asked for the others. Default: all. */
  readonly only?: (id: string) => boolean
}

/** A file with its references replaced. */
export interface LoadedConfig {
  readonly client: ClientKind
  readonly path: string
  /** The project's folder, where programs start. */
  readonly cwd: string
  /** Ready to be used, in the order of the file; a server that cannot be has a fault that says why. */
  readonly servers: ReadonlyArray<ExpandedServer>
  readonly faults: ReadonlyArray<ConfigFinding>
}

const asRedacted = (answer: string | Redacted.Redacted<string>): Redacted.Redacted<string> =>
  typeof answer === "string" ? Redacted.make(answer) : answer

const answersOf = async (
  { servers, inputs }: Pick<ReadConfig, "servers" | "inputs">,
  ask: LoadOptions["input"],
): Promise<ReadonlyMap<string, Redacted.Redacted<string>>> => {
  const answers = new Map<string, Redacted.Redacted<string>>()
  for (const id of new Set(servers.flatMap(inputsOf))) {
    const known = inputs.find((input) => input.id === id)
    const answer = await ask?.(known ?? { id, description: undefined, password: true })
    if (answer !== undefined) answers.set(id, asRedacted(answer))
  }
  return answers
}

/** Reads the files that a server names, relative to where its client starts it. */
const readerIn =
  (folder: string, home: string): NonNullable<ExpandOptions["readFile"]> =>
  (path) => {
    const named = path.replace(/^~(?=[/\\]|$)/, () => home)
    try {
      return readText(isAbsolute(named) ? named : resolve(folder, named))
    } catch (error) {
      if (error instanceof UnreadableFile) return undefined
      throw error
    }
  }

/** What references in a file at this path are replaced from. */
export const expandOptionsFor = (
  path: string,
  client: ClientKind,
  given: Partial<Surroundings>,
): ExpandOptions => {
  const around = surroundingsOf(given)
  const folder = clients[client].startsIn === "file" ? dirname(path) : around.cwd
  return { ...around, readFile: readerIn(folder, around.home) }
}

/** The text of a file, or the finding that says why there is none. */
export const readConfigFile = (
  path: string,
  client: ClientKind,
): { readonly text: string } | { readonly fault: ConfigFinding } => {
  try {
    return { text: readText(path) }
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    const code = "unreadable"
    const message = `The file cannot be read: ${error.message}.`
    const fault = {
      code,
      severity: findingCodes[code],
      client,
      path,
      pointer: "",
      message,
    } as const
    return { fault }
  }
}

/**
 * Reads a file from disk as its client would, with its references replaced. It rejects only if `input` does:
 * what is wrong is in `faults`, a file that is not there included.
 *
 * @example
 * const { servers } = await loadConfig(".cursor/mcp.json")
 */
export const loadConfig = async (
  path: string,
  options: LoadOptions = {},
): Promise<LoadedConfig> => {
  const { only = () => true, input, ...given } = options
  const around = surroundingsOf(given)
  const whole = resolve(around.cwd, path)
  const client = options.client ?? guessClient(whole)
  const file = readConfigFile(whole, client)
  if ("fault" in file)
    return { client, path: whole, cwd: around.cwd, servers: [], faults: [file.fault] }
  const read = readConfig(file.text, { client, path: whole, cwd: around.cwd })
  const servers = read.servers.filter(({ id }) => only(id))
  const inputs = await answersOf({ servers, inputs: read.inputs }, input)
  const expand = { ...expandOptionsFor(whole, client, around), inputs }
  const expanded = servers.map((server) => expandServer(server, expand))
  return {
    client,
    path: whole,
    cwd: around.cwd,
    servers: expanded.flatMap(({ server }) => (server === undefined ? [] : [server])),
    faults: [
      ...read.faults.filter(({ server }) => server === undefined || only(server)),
      ...expanded.flatMap(({ findings }) => findings),
    ],
  }
}
