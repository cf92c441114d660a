import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const home = fileURLToPath(new URL("../node_modules/", import.meta.url))

/** A program and its arguments. */
export interface Command {
  readonly command: string
  readonly args: ReadonlyArray<string>
}

/** How to start a published server that is a dependency of this package. */
export const installed = (name: string, ...args: ReadonlyArray<string>): Command => {
  const folder = join(home, name)
  const manifest: unknown = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  const bin = binOf(manifest)
  if (bin === undefined) throw new Error(`${name} has no executable`)
  return { command: process.execPath, args: [join(folder, bin), ...args] }
}

const binOf = (manifest: unknown): string | undefined => {
  if (typeof manifest !== "object" || manifest === null || !("bin" in manifest)) return undefined
  const { bin } = manifest
  if (typeof bin === "string") return bin
  if (typeof bin !== "object" || bin === null) return undefined
  const [first] = Object.values(bin)
  return typeof first === "string" ? first : undefined
}

/** How to start one of the small servers of this package. */
export const own = (name: string, ...args: ReadonlyArray<string>): Command => ({
  command: process.execPath,
  args: [fileURLToPath(new URL(`../servers/${name}`, import.meta.url)), ...args],
})
