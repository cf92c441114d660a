import { posix, win32 } from "node:path"
import { lookUp, type Environment } from "./environment.js"

/** What stands at a path. */
export type FileState = "executable" | "not-executable" | "missing"

export interface CommandLookup {
  readonly command: string
  /** Absolute; what relative commands start from. */
  readonly cwd: string
  /** The environment of the process to be: its PATH counts, not the parent's. */
  readonly environment: Environment
  readonly platform: NodeJS.Platform
  readonly fileState: (path: string) => FileState
}

export type Resolution =
  | { readonly kind: "Found"; readonly path: string }
  | { readonly kind: "NotExecutable"; readonly path: string }
  /** `searched` is the PATH; undefined where the command names its place itself. */
  | { readonly kind: "NotFound"; readonly searched: string | undefined }

/** What the C library searches where no PATH is set. */
const defaultPath = "/usr/bin:/bin"
const defaultExtensions = ".COM;.EXE;.BAT;.CMD"

/**
 * Finds the file that a command names, the way the platform does. It is done here, and not left to
 * the spawn, so that a failure can say where it looked and so that Windows finds `npx.cmd` behind
 * `npx` (C059). Platform, environment and file system are inputs: every case is tested anywhere.
 */
export const resolveCommand = (lookup: CommandLookup): Resolution => {
  const windows = lookup.platform === "win32"
  const paths = windows ? win32 : posix
  const named = windows ? /[\\/:]/.test(lookup.command) : lookup.command.includes("/")
  const searched = named ? undefined : searchPath(lookup)
  const directories = searched === undefined ? [lookup.cwd] : entriesOf(searched, windows)
  const names = windows ? withExtensions(lookup) : [lookup.command]
  let refused: string | undefined
  for (const directory of directories) {
    for (const name of names) {
      const path = paths.resolve(lookup.cwd, directory, name)
      const state = lookup.fileState(path)
      if (state === "executable") return { kind: "Found", path }
      if (state === "not-executable") refused ??= path
    }
  }
  return refused === undefined
    ? { kind: "NotFound", searched }
    : { kind: "NotExecutable", path: refused }
}

const searchPath = ({ environment, platform }: CommandLookup): string => {
  const path = lookUp(environment, "PATH", platform)
  return path ?? (platform === "win32" ? "" : defaultPath)
}

/**
 * An empty entry is the working directory on POSIX. On Windows it is nothing, for a program must not be
 * taken from there by its bare name; and entries may be quoted.
 */
const entriesOf = (path: string, windows: boolean): ReadonlyArray<string> =>
  windows
    ? path
        .split(win32.delimiter)
        .map((entry) => entry.replace(/^"(.*)"$/, "$1"))
        .filter((entry) => entry !== "")
    : path.split(posix.delimiter)

/** A bare name is never a file by itself on Windows: `npx` beside `npx.cmd` is a script for a POSIX shell. */
const withExtensions = ({
  command,
  environment,
  platform,
}: CommandLookup): ReadonlyArray<string> => {
  const extensions = lookUp(environment, "PATHEXT", platform) ?? defaultExtensions
  const extended = extensions
    .split(";")
    .filter((extension) => extension !== "")
    .map((extension) => command + extension.toLowerCase())
  return win32.extname(command) === "" ? extended : [command, ...extended]
}
