import * as Effect from "effect/Effect"
import { createActor } from "xstate"
import type { ProcessExited, ProcessReport } from "@entente/protocol"
import {
  childProcessMachine,
  type ChartClock,
  type ChildProcessEvent,
  type ShutdownGrace,
  type Timer,
} from "@entente/session"
import type { Trace } from "@entente/trace"
import { LineWriter } from "../framing/line-writer.js"
import { exitOf, processExited } from "./process-exit.js"
import { guardTree, processTree } from "./process-tree.js"
import type { Spawned } from "./spawn-command.js"
import { ProcessAge } from "./process-age.js"
import { StderrTail } from "./stderr-tail.js"

/**
 * Milliseconds between the two halves of an end: from a closed pipe to the process's exit, or from the
 * exit to the end of its pipes, which a stray descendant may hold open.
 */
const endGrace = 1_000

export interface ServerProcessOptions {
  /** The command as errors name it: redacted. */
  readonly target: string
  readonly grace: Partial<ShutdownGrace>
  readonly clock: ChartClock
  readonly age: ProcessAge
  readonly trace: Trace
  readonly stdout: (chunk: Uint8Array) => void
  readonly stderr: (chunk: Uint8Array) => void
  /** Why stdout has brought no message, where it shows that. */
  readonly finding: () => string | undefined
  /** All that the process wrote has been read. */
  readonly drained: () => void
  /** The process is gone, and that is all. */
  readonly ended: (cause: ProcessExited) => void
}

/**
 * A running server process. Its life is the `childProcess` chart: this class gives the chart its hands
 * (stdin, signals) and its eyes (spawn and exit), and decides nothing by itself.
 */
export class ServerProcess {
  readonly stdin: LineWriter
  readonly #options: ServerProcessOptions
  readonly #child: Spawned
  readonly #stderr = new StderrTail()
  readonly #life
  readonly #finished: Promise<void>
  #patience: Timer | undefined
  #exitCode: number | undefined
  #signal: string | undefined
  #reading = false

  constructor(child: Spawned, options: ServerProcessOptions) {
    this.#child = child
    this.#options = options
    this.stdin = new LineWriter(child.stdin, () => this.#endsSoon())
    this.#life = this.#startChart()
    this.#watchPipes()
    this.#finished = this.#watchEnd()
    this.#life.send({ type: "spawned" })
    this.#tell("spawned", `${options.target} (process ${child.pid})`)
  }

  /** How the process stands. */
  readonly report = (): ProcessReport => {
    const finding = this.#options.finding()
    return {
      command: this.#options.target,
      exitCode: this.#exitCode,
      signal: this.#signal,
      stderr: this.#stderr.text(),
      phase: this.#options.age.phase,
      ageMs: this.#options.age.ms,
      ...(finding === undefined ? {} : { finding }),
    }
  }

  /**
   * Begins to read stdout. Until then whatever the process writes stays in the pipe and holds the process
   * back, so that nothing piles up here before there is somebody to hear it.
   */
  readonly read = (): void => {
    if (this.#reading) return
    this.#reading = true
    const { age, stdout } = this.#options
    this.#child.stdout.once("data", () => {
      age.spoke()
      this.#send({ type: "spoke" })
    })
    this.#child.stdout.on("data", (chunk: Uint8Array) => {
      age.stirred()
      stdout(chunk)
    })
  }

  /** Goes down the shutdown ladder and waits until the process tree is gone. */
  readonly close: Effect.Effect<void> = Effect.promise(() => {
    // A pipe that nobody reads never comes to its end.
    this.read()
    this.#send({ type: "stop" })
    return this.#finished
  })

  #startChart() {
    const { clock, grace, trace } = this.#options
    const tree = processTree(this.#child.pid, process.platform)
    const release = guardTree(tree)
    const signalTree = (signal: "SIGTERM" | "SIGKILL"): void => {
      this.#tell("signalled", signal)
      tree.signal(signal)
    }
    const machine = childProcessMachine.provide({
      actions: {
        closeInput: () => this.stdin.end(),
        terminateTree: () => signalTree("SIGTERM"),
        killTree: () => signalTree("SIGKILL"),
        sweepTree: () => {
          tree.signal("SIGKILL")
          release()
        },
      },
    })
    let from = "start"
    const actor = createActor(machine, {
      input: { grace },
      clock,
      inspect: (seen) => {
        if (seen.type !== "@xstate.snapshot" || !("value" in seen.snapshot)) return
        const [before, to] = [from, String(seen.snapshot.value)]
        if (to === before) return
        from = to
        if (!trace.active) return
        const event = seen.event.type
        trace.emit({ type: "transition", chart: "childProcess", event, from: before, to })
      },
    })
    return actor.start()
  }

  #watchPipes(): void {
    const { stdout, stderr } = this.#child
    // Whoever stops reading stderr blocks the process as soon as the pipe is full (V25-STDIO-05).
    stderr.on("data", (chunk: Uint8Array) => {
      this.#options.age.stirred()
      this.#stderr.push(chunk)
      this.#options.stderr(chunk)
    })
    // A server that closes its output has said its last word, whether or not it still runs (V26-STDIO-08).
    stdout.on("end", () => this.#endsSoon())
    for (const pipe of [stdout, stderr]) pipe.on("error", () => pipe.destroy())
  }

  /** A process without its pipes is of no use: it is about to end, or it is made to. */
  #endsSoon(): void {
    this.#patience ??= this.#options.clock.setTimeout(() => this.#send({ type: "stop" }), endGrace)
  }

  #send(event: ChildProcessEvent): void {
    // A chart that has reached its end takes no more events.
    if (this.#life.getSnapshot().status === "active") this.#life.send(event)
  }

  #watchEnd(): Promise<void> {
    const { age, clock } = this.#options
    this.#child.once("exit", (code, signal) => {
      age.stop()
      // What is left in the pipe is not much, and belongs to the story of this end.
      this.read()
      this.#exitCode = code ?? undefined
      this.#signal = signal ?? undefined
      this.#life.send({ type: "exited", code: this.#exitCode, signal: this.#signal })
      clock.clearTimeout(this.#patience)
      this.#patience = clock.setTimeout(() => {
        this.#child.stdout.destroy()
        this.#child.stderr.destroy()
      }, endGrace)
    })
    // "close" comes when every pipe has been read to its end, so the last words are in the report.
    return new Promise((resolve) => {
      this.#child.once("close", () => {
        clock.clearTimeout(this.#patience)
        this.#tell("exited", exitOf(this.report()))
        this.#options.drained()
        const cause = processExited(this.report())
        this.stdin.fail(cause)
        this.#options.ended(cause)
        resolve()
      })
    })
  }

  #tell(event: "spawned" | "exited" | "signalled", detail: string): void {
    const { trace } = this.#options
    if (trace.active) trace.emit({ type: "process", event, detail })
  }
}
