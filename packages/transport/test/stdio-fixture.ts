import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { stdio, type StdioOptions } from "@entente/transport/stdio"

const besideThis = new URL("fixtures/", import.meta.url)

/** The file of a fixture. */
export const fixturePath = (name: string, folder: URL | string = besideThis): string =>
  fileURLToPath(new URL(`${name}.mjs`, folder))

/** A transport to a fixture, run by this very Node. */
export const fixture = (
  name: string,
  args: ReadonlyArray<string> = [],
  options: Omit<StdioOptions, "command" | "args"> = {},
  folder: URL | string = besideThis,
) => stdio({ command: process.execPath, args: [fixturePath(name, folder), ...args], ...options })

/** Whether a process is still there; a corpse that nobody has buried yet does not count. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  return !isCorpse(pid)
}

const isCorpse = (pid: number): boolean => {
  try {
    return /^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"))
  } catch {
    return false
  }
}

/** Waits until a process is gone. */
export const untilGone = async (pid: number): Promise<void> => {
  while (isAlive(pid)) await new Promise((resume) => setTimeout(resume, 5))
}
