import type { ProcessReport, TransportError } from "@entente/protocol"
import type { Trace } from "@entente/trace"
import {
  exitOf,
  MessageLines,
  processExited,
  StderrReader,
  StderrTail,
  type ChannelLog,
} from "@entente/transport/tapping"
import type { Copy } from "../relay.js"

export interface StdioObserverOptions {
  readonly trace: Trace
  readonly log: ChannelLog
  /** The command as a trace names it. */
  readonly target: string
  /** The longest message that is read, in bytes. */
  readonly maxMessageBytes: number
}

/** How a server ended: one of the two is there. */
export interface ServerEnd {
  readonly code: number | undefined
  readonly signal: NodeJS.Signals | undefined
}

/** Everything on the pipe belongs to one exchange. */
const shared = { exchange: 0 } as const

/** Makes events of what passes between a client and its process. */
export class StdioObserver {
  /** What the client writes. */
  readonly fromClient: Copy
  /** What the server writes. */
  readonly fromServer: Copy
  readonly fromStderr: Copy
  readonly #options: StdioObserverOptions
  readonly #lines: MessageLines
  readonly #tail = new StderrTail()
  readonly #startedAt = Date.now()
  /** Messages that have been handed on and are not known to be written, by the chunk that completed them. */
  readonly #onTheWay: Array<ReadonlyArray<number>> = []
  #completed: Array<number> = []
  #spoke = false
  #clientEnded = false

  constructor(options: StdioObserverOptions) {
    this.#options = options
    const { trace, log } = options
    this.#lines = this.#serverLines()
    this.fromClient = this.#clientCopy()
    this.fromServer = {
      chunk: (bytes) => {
        this.#spoke = true
        this.#lines.push(bytes)
      },
      end: () => this.#lines.end(),
    }
    const stderr = new StderrReader(undefined, trace)
    this.fromStderr = {
      chunk: (bytes) => {
        this.#tail.push(bytes)
        stderr.push(bytes)
      },
      end: () => stderr.end(),
    }
    log.opened("shared")
  }

  started(pid: number): void {
    const { trace, target } = this.#options
    trace.emit({ type: "process", event: "spawned", detail: `${target} (process ${pid})` })
  }

  signalled(signal: NodeJS.Signals): void {
    this.#options.trace.emit({ type: "process", event: "signalled", detail: signal })
  }

  /** The client has shown that it is done: the end of the server is its wish from now on. */
  clientGone(): void {
    this.#clientEnded = true
  }

  ended(end: ServerEnd): void {
    const { trace, log } = this.#options
    const report = this.#report(end)
    trace.emit({ type: "process", event: "exited", detail: exitOf(report) })
    const error = processExited(report)
    for (const sends of this.#onTheWay.splice(0)) this.#settle(sends, error)
    if (!this.#clientEnded) log.closed(error)
    log.released()
  }

  #report({ code, signal }: ServerEnd): ProcessReport {
    const { finding } = this.#lines
    return {
      command: this.#options.target,
      exitCode: code,
      signal,
      stderr: this.#tail.text(),
      phase: this.#spoke ? "running" : "starting",
      ageMs: Date.now() - this.#startedAt,
      ...(finding === undefined ? {} : { finding }),
    }
  }

  #serverLines(): MessageLines {
    const { trace, log, target, maxMessageBytes } = this.#options
    return new MessageLines({
      target,
      maxMessageBytes,
      receiver: {
        message: (value) => log.received(value, shared),
        note: (note) => log.note(note),
        unreadable: (error) => log.unreadable(error, shared),
        // That nothing can be read here is noted as well; whether it is the end is the client's to say.
        closed: () => {},
      },
      noise: (detail) => trace.emit({ type: "process", event: "noise", detail }),
    })
  }

  /** What is odd about the client's bytes is no part of what a client is told, so it has no channel. */
  #clientCopy(): Copy {
    const { trace, log, target, maxMessageBytes } = this.#options
    const note = (code: string, detail: string): void =>
      trace.emit({ type: "note", code: `client-${code}`, detail })
    const lines = new MessageLines({
      target,
      maxMessageBytes,
      receiver: {
        message: (value) => {
          const send = log.nextSend()
          log.sent(send, 0, value)
          this.#completed.push(send)
        },
        note: ({ code, detail }) => note(code === "stdout-noise" ? "noise" : code, detail),
        unreadable: ({ code, message }) => note(code, message),
        closed: () => {},
      },
    })
    return {
      chunk: (bytes) => {
        this.#completed = []
        lines.push(bytes)
        this.#onTheWay.push(this.#completed)
      },
      // What failed is settled by the end of the server, which says why.
      settled: (failed) => {
        if (!failed) this.#settle(this.#onTheWay.shift() ?? [])
      },
      end: (how) => {
        this.#completed = []
        lines.end()
        this.#settle(this.#completed)
        this.#clientEnded ||= how !== "left"
      },
    }
  }

  #settle(sends: ReadonlyArray<number>, error?: TransportError): void {
    for (const send of sends) {
      this.#options.log.settled(
        send,
        0,
        error === undefined ? { _tag: "Written" } : { _tag: "Failed", error, mayHaveArrived: true },
      )
    }
  }
}
