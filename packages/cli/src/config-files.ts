import {
  findConfigs,
  guessClient,
  type ClientKind,
  type InputDefinition,
  type Surroundings,
} from "@entente/catalog/config"
import { resolve } from "node:path"
import { readClient } from "./client-flag.js"
import type { ConfigSource } from "./target.js"

/** A configuration file, and whose it is. */
export interface ConfigFile {
  readonly client: ClientKind
  readonly path: string
}

/** The files that `--config` and `--from` mean, those of the project first; without either, all that are found. */
export const configFiles = (
  { config, from }: ConfigSource,
  around: Surroundings,
): ReadonlyArray<ConfigFile> => {
  const client = from === undefined ? undefined : readClient(from, "from")
  if (config === undefined) {
    return findConfigs({ ...around, ...(client === undefined ? {} : { from: client }) })
  }
  const path = resolve(around.cwd, config)
  return [{ client: client ?? guessClient(path), path }]
}

/** Inputs are answered by variables: nobody may be there to be asked. */
export const inputVariable = (id: string): string =>
  `ENTENTE_INPUT_${id.toUpperCase().replaceAll(/[^A-Z0-9]+/g, "_")}`

/** What answers the inputs of a file. */
export const answerFrom =
  ({ env }: Surroundings) =>
  ({ id }: InputDefinition): string | undefined =>
    env[inputVariable(id)]
