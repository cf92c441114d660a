import { spawn, type SpawnOptions } from "node:child_process"

/** Starts a file. What comes back is a process, whose streams depend on the options. */
export type Spawn = (command: string, args: ReadonlyArray<string>, options: SpawnOptions) => unknown

/**
 * Only Windows needs cross-spawn: it starts `.cmd` shims through cmd.exe, which Node itself refuses
 * (EINVAL), and quotes each argument so that cmd.exe reads it as one (C059).
 */
export const loadSpawn = async (platform: NodeJS.Platform): Promise<Spawn> =>
  platform === "win32" ? (await import("cross-spawn")).default : spawn
