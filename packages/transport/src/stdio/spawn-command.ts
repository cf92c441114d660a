import type { ChildProcessWithoutNullStreams } from "node:child_process"
import { accessSync, constants, statSync } from "node:fs"
import * as Effect from "effect/Effect"
import { explain, SpawnFailed } from "@entente/protocol"
import type { Timers } from "../timers.js"
import { loadSpawn, type Spawn } from "./load-spawn.js"
import { resolveCommand, type FileState } from "./resolve-command.js"

export interface Command {
  readonly command: string
  readonly args: ReadonlyArray<string>
  readonly cwd: string
  /** Everything the process will have; nothing is added to it. */
  readonly environment: Readonly<Record<string, string>>
  /** The command as errors name it: redacted. */
  readonly target: string
  readonly timers: Timers
}

/** Milliseconds for the operating system to start a process; a file on a dead network drive takes for ever. */
export const spawnDeadline = 10_000

/** A process that runs; its three pipes are connected. */
export type Spawned = ChildProcessWithoutNullStreams & { readonly pid: number }

/**
 * Starts a command as the leader of a process group of its own, so that its whole tree can be ended.
 * Fails with what was missing: the command, the right to execute it, or the working directory.
 * `attach` is called as soon as the process runs, before it can have ended or written anything.
 */
export const spawnCommand = <A>(
  command: Command,
  attach: (child: Spawned) => A,
  load: () => Promise<Spawn> = () => loadSpawn(platform),
): Effect.Effect<A, SpawnFailed> =>
  Effect.gen(function* () {
    const path = yield* locate(command)
    const spawnHere = yield* Effect.promise(load)
    return yield* start(spawnHere, path, command, attach)
  })

const { platform } = process

const locate = (command: Command): Effect.Effect<string, SpawnFailed> => {
  // Node says ENOENT for a missing directory too, as if the command were missing.
  if (!isDirectory(command.cwd)) {
    return spawnFailed(command, `The working directory ${command.cwd} does not exist.`)
  }
  const found = resolveCommand({ ...command, platform, fileState })
  switch (found.kind) {
    case "Found":
      return Effect.succeed(found.path)
    case "NotExecutable":
      return spawnFailed(command, `${found.path} exists, but it may not be executed (EACCES).`)
    case "NotFound":
      return Effect.fail(notFound(command, found.searched))
  }
}

const notFound = (command: Command, searched: string | undefined): SpawnFailed => {
  const name = JSON.stringify(command.command)
  const what =
    searched === undefined
      ? `There is no file ${name} (seen from ${command.cwd}).`
      : `${name} is in none of the directories on PATH: ${searched}.`
  // A whole command line in one string is the usual mistake in configuration files.
  const hint = /\s/.test(command.command) ? "Give the arguments apart, in args." : hints[platform]
  const fields = explain("command-not-found", "open", command.target, what, hint)
  return new SpawnFailed(searched === undefined ? fields : { ...fields, searchedPath: searched })
}

/** Why a command that works in a terminal is missing here (C059). */
const hints: { readonly [Platform in NodeJS.Platform]?: string } = {
  darwin:
    "Install it, or give its full path. A program started from the Dock does not see the PATH of your shell.",
  linux:
    "Install it, or give its full path. A program started from the desktop does not see the PATH of your shell.",
  win32:
    "Install it, or give its full path. A new PATH reaches a program only when it is restarted.",
}

const start = <A>(
  spawnHere: Spawn,
  path: string,
  command: Command,
  attach: (child: Spawned) => A,
): Effect.Effect<A, SpawnFailed> =>
  Effect.callback((resume) => {
    const { args, cwd, environment, timers } = command
    let over = false
    const deadline = timers.set(() => {
      over = true
      const what = `${path} was not started within ${spawnDeadline} ms by the operating system.`
      resume(spawnFailed(command, what))
    }, spawnDeadline)
    const fail = (cause: unknown): void => {
      timers.clear(deadline)
      const code = cause instanceof Error && "code" in cause ? String(cause.code) : String(cause)
      resume(spawnFailed(command, `${path} could not be started: ${code}.`, cause))
    }
    try {
      // "pipe" for all three makes every stream present; `pid` is there once "spawn" was emitted.
      const child = spawnHere(path, args, {
        cwd,
        env: environment,
        stdio: "pipe",
        // On Windows this would open a console window, and there are no process groups.
        detached: platform !== "win32",
        windowsHide: true,
      }) as Spawned
      child.once("error", fail)
      child.once("spawn", () => {
        timers.clear(deadline)
        // Nobody waits for it any more, and it has not done anything yet.
        if (over) return child.kill("SIGKILL")
        // From now on "error" only says that a signal could not be sent, which its sender sees anyway.
        child.on("error", () => {})
        resume(Effect.succeed(attach(child)))
      })
    } catch (cause) {
      fail(cause)
    }
  })

const spawnFailed = (command: Command, what: string, cause?: unknown) =>
  Effect.fail(new SpawnFailed({ ...explain("spawn-failed", "open", command.target, what), cause }))

const isDirectory = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

const fileState = (path: string): FileState => {
  try {
    if (!statSync(path).isFile()) return "missing"
  } catch {
    return "missing"
  }
  try {
    accessSync(path, constants.X_OK)
    return "executable"
  } catch {
    return "not-executable"
  }
}
