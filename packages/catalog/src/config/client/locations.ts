/** Where a client looks for a file. */
export interface FileLocation {
  readonly scope: "project" | "user"
  /**
   * A path with `/`, in which `{home}`, `{cwd}`, `{config}` (XDG), `{appdata}` and `{support}` (macOS) stand
   * for folders, and `{$NAME}` for a variable: a location whose variable is not set is none.
   */
  readonly path: string
  /** The systems it is for; all of them if absent. */
  readonly on?: ReadonlyArray<NodeJS.Platform>
  /** A variable that makes this location count no more. */
  readonly unless?: string
}

/** What paths depend on. */
export interface Surroundings {
  readonly platform: NodeJS.Platform
  /** The user's folder. */
  readonly home: string
  /** The project's folder. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** A variable, found as the platform finds it. */
export const environmentVariable = (
  { env, platform }: Pick<Surroundings, "env" | "platform">,
  name: string,
): string | undefined => {
  if (Object.hasOwn(env, name)) return env[name]
  if (platform !== "win32") return undefined
  const found = Object.keys(env).find((one) => one.toUpperCase() === name.toUpperCase())
  return found === undefined ? undefined : env[found]
}

const isAbsolute = (path: string): boolean => /^(?:[/\\]|[A-Za-z]:[/\\])/.test(path)

const joined = (folder: string, rest: string): string => `${folder.replace(/[/\\]+$/, "")}/${rest}`

const folders: Readonly<Record<string, (around: Surroundings) => string>> = {
  home: ({ home }) => home,
  cwd: ({ cwd }) => cwd,
  config: (around) => {
    const given = environmentVariable(around, "XDG_CONFIG_HOME")
    return given !== undefined && isAbsolute(given) ? given : joined(around.home, ".config")
  },
  appdata: (around) =>
    environmentVariable(around, "APPDATA") ?? joined(around.home, "AppData/Roaming"),
  support: ({ home }) => joined(home, "Library/Application Support"),
}

/**
 * The path of a location, with the separators of the platform; undefined where there is none.
 *
 * @example
 * pathOf({ scope: "user", path: "{home}/.cursor/mcp.json" }, { platform: "linux", home: "/home/me", cwd: "/work", env: {} })
 */
export const pathOf = (location: FileLocation, around: Surroundings): string | undefined => {
  const { platform } = around
  if (location.on !== undefined && !location.on.includes(platform)) return undefined
  if (
    location.unless !== undefined &&
    (environmentVariable(around, location.unless) ?? "") !== ""
  ) {
    return undefined
  }
  const [, word = "", rest = ""] = /^\{([^}]+)\}\/?(.*)$/.exec(location.path) ?? []
  const folder = word.startsWith("$")
    ? environmentVariable(around, word.slice(1))
    : folders[word]?.(around)
  if (folder === undefined || folder === "") return undefined
  const path = rest === "" ? folder : joined(folder, rest)
  return platform === "win32" ? path.replaceAll("/", "\\") : path
}
