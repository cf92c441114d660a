import { statSync } from "node:fs"
import { homedir } from "node:os"
import { clientKinds, type ClientKind } from "../client/client-kind.js"
import { clients } from "../client/clients.js"
import { pathOf, type FileLocation, type Surroundings } from "../client/locations.js"

export interface FindOptions extends Partial<Surroundings> {
  /** Only the files of this client. */
  readonly from?: ClientKind
}

/** A file that exists where a client looks for it. */
export interface FoundConfig {
  readonly client: ClientKind
  readonly scope: FileLocation["scope"]
  readonly path: string
}

/** What is not given is that of this process. */
export const surroundingsOf = (given: Partial<Surroundings>): Surroundings => ({
  platform: given.platform ?? process.platform,
  home: given.home ?? homedir(),
  cwd: given.cwd ?? process.cwd(),
  env: given.env ?? process.env,
})

export const isFile = (path: string): boolean => {
  try {
    return statSync(path).isFile()
  } catch {
    return false // missing, or not to be looked at: it is no file that can be read
  }
}

/**
 * Every place where clients look for their files, in the order of the table, those of the project first.
 *
 * @example
 * configLocations({ from: "cursor", platform: "linux", home: "/home/me", cwd: "/work", env: {} })
 */
export const configLocations = (options: FindOptions = {}): ReadonlyArray<FoundConfig> => {
  const around = surroundingsOf(options)
  const kinds = options.from === undefined ? clientKinds : [options.from]
  const all = kinds.flatMap((client) =>
    clients[client].files.flatMap((location) => {
      const path = pathOf(location, around)
      return path === undefined ? [] : [{ client, scope: location.scope, path }]
    }),
  )
  return [
    ...all.filter(({ scope }) => scope === "project"),
    ...all.filter(({ scope }) => scope === "user"),
  ]
}

/**
 * The files that are there. The project is the working directory; folders above it are not searched.
 *
 * @example
 * findConfigs({ from: "cursor" })
 */
export const findConfigs = (options: FindOptions = {}): ReadonlyArray<FoundConfig> =>
  configLocations(options).filter(({ path }) => isFile(path))
