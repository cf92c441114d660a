import { homedir } from "node:os"
import { resolve } from "node:path"
import type { Surroundings } from "@entente/catalog/config"
import type { Io } from "./io.js"

/** What the places of configuration files, and references in them, depend on. */
export const surroundingsOf = ({ env, cwd = process.cwd() }: Io): Surroundings => ({
  platform: process.platform,
  home: env["HOME"] ?? env["USERPROFILE"] ?? homedir(),
  cwd: resolve(cwd),
  env,
})

/** A path as people recognise it: relative to where they are, or to their home. */
export const shortPath = (path: string, { cwd, home }: Surroundings): string => {
  const separator = process.platform === "win32" ? "\\" : "/"
  if (path.startsWith(cwd + separator)) return path.slice(cwd.length + 1)
  return path.startsWith(home + separator) ? `~${path.slice(home.length)}` : path
}
