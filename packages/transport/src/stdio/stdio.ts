import { basename, resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import { effectClock, type ShutdownGrace } from "@entente/session"
import { CurrentTrace } from "@entente/trace"
import { credentialFingerprint } from "../credential-fingerprint.js"
import { encodeMessage } from "../framing/encode-message.js"
import { Inbox } from "../inbox.js"
import { defaultMaxMessageBytes } from "../framing/message-limit.js"
import { MessageLines } from "../framing/message-lines.js"
import { currentTimers } from "../timers.js"
import type { Channel, Startup, Transport } from "../transport.js"
import { commandLine } from "./command-line.js"
import { childEnvironment, type Environment } from "./environment.js"
import { packageRunnerOf } from "./package-runner.js"
import { ProcessAge } from "./process-age.js"
import { ServerProcess } from "./server-process.js"
import { spawnCommand, type Spawned } from "./spawn-command.js"
import { StderrReader } from "./stderr-reader.js"

export interface StdioOptions {
  /** A program by name or path; it is started without a shell. */
  readonly command: string
  readonly args?: ReadonlyArray<string>
  /** Variables to set; undefined removes one that would be inherited. */
  readonly env?: Environment
  /** Where the process starts. Default: where this process is. */
  readonly cwd?: string
  /**
   * What the process gets of this process's environment. Default `false`: only what programs need to
   * run (PATH, HOME, language, proxies and the like), no secrets. `true`: everything. A list of names:
   * these as well; a `*` at the end of a name stands for anything.
   */
  readonly inheritEnv?: boolean | ReadonlyArray<string>
  /**
   * How errors and traces name the server. Default: the command line, without what looks like a secret. For
   * arguments that are secret and do not look it.
   */
  readonly target?: string
  /**
   * Whether the program may have to install the server first, as `npx` does. Then signs of life on stderr
   * keep the handshake waiting instead of failing it (C061). Default: known for package runners (`npx`,
   * `uvx`, `docker`, `pnpm dlx` and the like), also behind `cmd /c` and `sh -c`.
   */
  readonly installs?: boolean
  /** The longest message accepted, in bytes. Default 16 MiB. */
  readonly maxMessageBytes?: number
  /** How long the process may take to leave before it is made to. */
  readonly shutdownGrace?: Partial<ShutdownGrace>
  /** Hears of stderr as it comes: decoded, but neither redacted nor cut into lines. It must not throw. */
  readonly onStderr?: (text: string) => void
}

/**
 * A server that is a program: started by this transport, spoken to over its stdin and stdout
 * (V25-STDIO-02). Opening fails with `SpawnFailed`; the end of the process closes the channel with
 * `ProcessExited`, which holds the exit code and the last lines on stderr. Closing the scope closes
 * stdin, then sends SIGTERM, then SIGKILL to the whole process tree, and waits until it is gone.
 *
 * @example
 * stdio({ command: "npx", args: ["-y", "@modelcontextprotocol/server-everything"] })
 */
export const stdio = (options: StdioOptions): Transport => {
  const target = options.target ?? commandLine(options.command, options.args ?? [])
  return {
    kind: "stdio",
    target,
    key: `${target} in ${resolve(options.cwd ?? ".")}`,
    reach: "machine",
    // What a program may do is in its arguments and its environment; the target hides some of the former.
    credentials: () =>
      credentialFingerprint(options.args ?? [], Object.entries(environmentOf(options)).toSorted()),
    open: Effect.map(openProcess(options, target), channelOf),
  }
}

interface Running {
  readonly process: ServerProcess
  readonly inbox: Inbox
  readonly target: string
  readonly startup: () => Startup
}

const openProcess = (options: StdioOptions, target: string) =>
  Effect.gen(function* () {
    const trace = yield* CurrentTrace
    // Made before the process: its timers still run while the process is being closed.
    const clock = effectClock(yield* FiberSet.makeRuntime())
    const timers = yield* currentTimers
    const environment = environmentOf(options)
    const { command, args = [] } = options
    const cwd = resolve(options.cwd ?? ".")
    const inbox = new Inbox()
    const runner = runnerOf(options)
    const attach = (child: Spawned): Running => {
      const age = new ProcessAge(timers.now)
      const lines = new MessageLines({
        target,
        maxMessageBytes: options.maxMessageBytes ?? defaultMaxMessageBytes,
        receiver: inbox,
        noise: (detail) => {
          if (trace.active) trace.emit({ type: "process", event: "noise", detail })
        },
      })
      const stderr = new StderrReader(options.onStderr, trace)
      const server = new ServerProcess(child, {
        target,
        grace: options.shutdownGrace ?? {},
        clock,
        age,
        trace,
        stdout: (chunk) => lines.push(chunk),
        stderr: (chunk) => stderr.push(chunk),
        finding: () => lines.finding,
        drained: () => {
          stderr.end()
          lines.end()
        },
        ended: (cause) => inbox.closed(cause),
      })
      return { process: server, inbox, target, startup: () => ({ ...age.startup, runner }) }
    }
    return yield* Effect.acquireRelease(
      spawnCommand({ command, args, cwd, environment, target, timers }, attach),
      ({ process, inbox }) =>
        Effect.andThen(
          Effect.sync(() => inbox.shut()),
          process.close,
        ),
    )
  })

const environmentOf = ({ env = {}, inheritEnv = false }: StdioOptions) =>
  childEnvironment({
    platform: process.platform,
    parent: process.env,
    given: env,
    inherit: inheritEnv,
  })

const runnerOf = ({ command, args = [], installs }: StdioOptions): string | undefined =>
  installs === false
    ? undefined
    : (packageRunnerOf(command, args) ?? (installs === true ? basename(command) : undefined))

const channelOf = ({ process, inbox, target, startup }: Running): Channel => ({
  exchanges: "shared",
  listen: (receiver) => {
    inbox.listen(receiver)
    process.read()
  },
  send: ({ message }, settled) => {
    const text = encodeMessage(message, target)
    if (typeof text === "string") process.stdin.write(`${text}\n`, settled)
    else queueMicrotask(() => settled({ _tag: "Failed", error: text, mayHaveArrived: false }))
    return onTheSharedPipe
  },
  process: process.report,
  startup,
})

const onTheSharedPipe = { exchange: 0, abort: () => {} } as const
