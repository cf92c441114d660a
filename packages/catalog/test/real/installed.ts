import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const home = fileURLToPath(new URL("../../node_modules/", import.meta.url))

/** How to start a published server that is installed as a development dependency. */
export const installed = (
  name: string,
  ...args: ReadonlyArray<string>
): { readonly command: string; readonly args: ReadonlyArray<string> } => {
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

/** How to start one of the small servers beside this file. */
export const own = (
  name: string,
  ...args: ReadonlyArray<string>
): { readonly command: string; readonly args: ReadonlyArray<string> } => ({
  command: process.execPath,
  args: [join(dirname(fileURLToPath(import.meta.url)), "servers", name), ...args],
})
