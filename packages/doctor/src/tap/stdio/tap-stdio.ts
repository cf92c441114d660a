import { resolve } from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { SpawnFailed } from "@entente/protocol"
import type { RedactionPolicy, Trace } from "@entente/trace"
import { timersOn } from "@entente/transport"
import {
  commandLine,
  defaultMaxMessageBytes,
  guardTree,
  processTree,
  RecordingLog,
  spawnCommand,
  type Spawned,
} from "@entente/transport/tapping"
import { blindness } from "../blindness.js"
import { relay } from "../relay.js"
import { ownStreams, type ClientStreams } from "./own-streams.js"
import { StdioObserver, type ServerEnd } from "./stdio-observer.js"

export interface TapStdioOptions {
  /** The server: a program by name or path; it is started without a shell. */
  readonly command: string
  readonly args?: ReadonlyArray<string>
  /** Everything that the server gets of an environment. Default: all of this process's own. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Where the server starts. Default: where this process is. */
  readonly cwd?: string
  /** Hears of everything. Nothing secret reaches it; see `redaction`. */
  readonly trace: Trace
  /** What else is secret among the handles that are numbered; the trace has a policy of its own. */
  readonly redaction?: RedactionPolicy
  /** The client's ends of the pipes. Default: stdin, stdout and stderr of this process. */
  readonly client?: ClientStreams
  /** The longest message that is read for the trace, in bytes. Longer ones pass like all others. Default 16 MiB. */
  readonly maxMessageBytes?: number
}

/** A tap between a client and its process. */
export interface StdioTap {
  /** The server's process id. */
  readonly pid: number
  /** Hands a signal on to the server and to whatever it has started. */
  readonly signal: (signal: NodeJS.Signals) => void
  /** The server is gone, and everything that it wrote has been handed on. Never rejects. */
  readonly ended: Promise<ServerEnd>
}

/**
 * Milliseconds from the server's exit to the end of its pipes: a stray descendant may hold them open for ever,
 * and the client waits for our end as it would for the server's.
 */
const endGrace = 1_000

/**
 * Starts a server and sits between it and a client: every byte goes on as it comes, in both directions, and a
 * copy of it becomes events, as `record` of the transports writes them. The end of the client's input ends
 * that of the server. Rejects with `SpawnFailed` where the server cannot be started.
 *
 * @example
 * const trace = new Trace({ maxTextLength: Infinity })
 * trace.subscribe(new FileRecorder("session.jsonl").read)
 * const tap = await tapStdio({ command: "npx", args: ["some-server"], trace })
 * const { code, signal } = await tap.ended
 */
export const tapStdio = async (options: TapStdioOptions): Promise<StdioTap> => {
  const { command, args = [], trace, redaction, cwd = ".", env = process.env } = options
  const target = commandLine(command, args)
  const recording = new RecordingLog(trace, redaction === undefined ? {} : { redaction })
  const log = recording.open({ transport: "stdio", target })
  const start = Effect.gen(function* () {
    const timers = timersOn(yield* Clock.Clock, Effect.runFork)
    const wanted = { command, args, cwd: resolve(cwd), environment: given(env), target, timers }
    return yield* spawnCommand(wanted, (child) =>
      tapped(
        child,
        options,
        new StdioObserver({
          trace,
          log,
          target,
          maxMessageBytes: options.maxMessageBytes ?? defaultMaxMessageBytes,
        }),
      ),
    )
  })
  const failed = (error: SpawnFailed) => Effect.sync(() => log.failed(error))
  return Effect.runPromise(Effect.tapError(start, failed))
}

/** An environment without the names that stand for nothing. */
const given = (env: NonNullable<TapStdioOptions["env"]>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )

const tapped = (child: Spawned, options: TapStdioOptions, observer: StdioObserver): StdioTap => {
  const { input, output, errors } = options.client ?? ownStreams()
  const release = guardTree(processTree(child.pid, process.platform))
  const blind = blindness(options.trace)
  observer.started(child.pid)
  void relay({ from: input, to: child.stdin, copy: observer.fromClient, blind })
  const answers = relay({
    from: child.stdout,
    to: output,
    copy: observer.fromServer,
    left: () => {
      // Nobody reads what the server says any more: it gets the end that the client would have given it.
      observer.clientGone()
      child.stdout.destroy()
      child.stdin.end()
    },
    blind,
  })
  const complaints = relay({
    from: child.stderr,
    to: errors,
    copy: observer.fromStderr,
    staysOpen: true,
    blind,
  })
  return {
    pid: child.pid,
    signal: (signal) => {
      observer.signalled(signal)
      signalTree(child, signal)
    },
    ended: watchEnd(child, [answers, complaints]).then((end) => {
      release()
      observer.ended(end)
      input.destroy()
      return end
    }),
  }
}

const signalTree = (child: Spawned, signal: NodeJS.Signals): void => {
  try {
    if (process.platform === "win32") child.kill(signal)
    else process.kill(-child.pid, signal)
  } catch {
    // Nobody is left.
  }
}

/** Waits for the process and its pipes; resolves when what they brought has been handed on. */
const watchEnd = async (
  child: Spawned,
  relays: ReadonlyArray<Promise<void>>,
): Promise<ServerEnd> => {
  const pipes = [child.stdout, child.stderr]
  let stirred = false
  for (const pipe of pipes) pipe.on("data", () => void (stirred = true))
  const end = await new Promise<ServerEnd>((resolve) => {
    child.once("exit", (code, signal) =>
      resolve({ code: code ?? undefined, signal: signal ?? undefined }),
    )
  })
  const patience = setInterval(() => {
    // What a slow client has not read yet is not lost.
    const waits = stirred || pipes.some((pipe) => pipe.isPaused())
    stirred = false
    if (!waits) for (const pipe of pipes) pipe.destroy()
  }, endGrace)
  await Promise.all(relays)
  clearInterval(patience)
  return end
}
