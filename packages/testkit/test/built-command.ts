import { copyFile, mkdir, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { build, type Options } from "tsup"
import binConfig from "../tsup.bin.config.js"

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** The command, built from the sources with its own config into a folder of its own. */
export interface BuiltCommand {
  readonly main: string
  readonly remove: () => Promise<void>
}

export const buildCommand = async (): Promise<BuiltCommand> => {
  const folder = await mkdtemp(join(tmpdir(), "entente-testkit-"))
  const outDir = join(folder, "dist")
  await mkdir(outDir)
  await copyFile(here("../package.json"), join(folder, "package.json"))
  await build({
    ...(binConfig as Options), // the config is one object
    config: false,
    entry: { main: here("../src/command/main.ts") },
    outDir,
    silent: true,
    esbuildOptions: (options) => {
      options.conditions = ["@entente/source", "node", "import", "default"]
    },
  })
  return {
    main: join(outDir, "main.js"),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
