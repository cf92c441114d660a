import { spawn } from "node:child_process"
import { copyFile, mkdir, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { build, type Options } from "tsup"
import binConfig from "../tsup.bin.config.js"

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Processes that a test has started and that have not ended. */
const running = new Set<ReturnType<typeof spawn>>()

/** The command, built from the sources with its own config into a folder of its own. */
export interface BuiltCommand {
  readonly main: string
  /** Deletes it, and ends whatever of it still runs. */
  readonly remove: () => Promise<void>
}

export const buildCommand = async (): Promise<BuiltCommand> => {
  const folder = await mkdtemp(join(tmpdir(), "entente-cli-"))
  const outDir = join(folder, "dist")
  await mkdir(outDir)
  await copyFile(here("../package.json"), join(folder, "package.json"))
  const configs = binConfig as ReadonlyArray<Options> // the config is a list of objects
  for (const config of configs) {
    const { entry } = config as { readonly entry: ReadonlyArray<string> } // as all of them have it
    await build({
      ...config,
      config: false,
      entry: entry.map((path) => here(`../${path}`)),
      outDir,
      silent: true,
      esbuildOptions: (options, context) => {
        config.esbuildOptions?.(options, context)
        options.conditions = ["@entente/source", "node", "import", "default"]
      },
    })
  }
  return {
    main: join(outDir, "main.js"),
    remove: () => {
      for (const child of running) child.kill("SIGKILL")
      return rm(folder, { recursive: true, force: true })
    },
  }
}

/** How a process of the command ended. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs the command as a process and waits for its end; `onStarted` gets hold of it before. */
export const runProcess = (
  main: string,
  args: ReadonlyArray<string>,
  onStarted: (child: ReturnType<typeof spawn>) => void = () => {},
): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [main, ...args], { stdio: ["ignore", "pipe", "pipe"] })
    let stdout = ""
    let stderr = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text))
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text))
    child.on("error", reject)
    child.on("close", (code) => {
      running.delete(child)
      resolve({ code, stdout, stderr })
    })
    running.add(child)
    onStarted(child)
  })
