import type { Timers } from "../timers.js"
import { Lane } from "./lane.js"
import { randomAt, type Random } from "./random.js"

export interface FaultyBytesOptions {
  /** Chooses the faults: the same seed and the same bytes meet the same faults. */
  readonly seed: number
  /** Cuts what arrives into pieces of 1 to this many bytes, wherever that is. Default: as it comes. */
  readonly maxPiece?: number
  /** Milliseconds before each piece, and up to how many more. */
  readonly latency?: { readonly ms: number; readonly jitterMs?: number }
  /** From 0 to 1: how often a stream ends early, as if it were whole. Default 0. */
  readonly truncate?: number
  /** From 0 to 1: how often a stream breaks off with an error. Default 0. */
  readonly disconnect?: number
  /** From 0 to 1: how often a stream goes silent for good. Default 0. */
  readonly stall?: number
  /** Such an end comes before this many bytes. Default 1 024. */
  readonly within?: number
  /** Hears of every fault as it is injected; of recutting and latency once a stream. */
  readonly onFault?: (fault: ByteFault) => void
}

export interface ByteFault {
  readonly seed: number
  readonly fault: "recut" | "latency" | "truncate" | "disconnect" | "stall"
  /** The stream, from 1. */
  readonly stream: number
  /** After how many bytes. */
  readonly at: number
}

/** Where bytes go: a decoder of lines or of events, or whoever reads the body of an answer. */
export interface ByteSink {
  readonly chunk: (bytes: Uint8Array) => void
  readonly end: () => void
  /** It broke off. Where this is absent, it just ends. */
  readonly failed?: (cause: Error) => void
}

/** A sink that can be left. */
export interface FaultyBytes extends ByteSink {
  /** Nothing more is heard of the stream. */
  readonly close: () => void
}

const ends = ["truncate", "disconnect", "stall"] as const

/**
 * A stream of bytes on a bad day, in front of a sink that is to stand it: cut anew, late, ended early,
 * broken off, or gone silent. Bytes are never changed and never change places: no byte stream does that.
 *
 * @example
 * const lines = new MessageLines({ … })
 * const bad = faultyBytes({ seed: 7, maxPiece: 3 }, { chunk: (bytes) => lines.push(bytes), end: () => lines.end() }, timers)
 * stdout.on("data", bad.chunk)
 */
export const faultyBytes = (
  options: FaultyBytesOptions,
  sink: ByteSink,
  timers: Timers,
  stream = 1,
): FaultyBytes => new FaultyStream(options, sink, timers, stream)

class FaultyStream implements FaultyBytes {
  readonly #options: FaultyBytesOptions
  readonly #sink: ByteSink
  readonly #stream: number
  readonly #random: Random
  readonly #lane: Lane
  /** How the stream ends, and after how many bytes. */
  readonly #fate: { readonly fault: (typeof ends)[number]; readonly after: number } | undefined
  readonly #toldOnce = new Set<string>()
  #bytes = 0
  #over = false

  constructor(options: FaultyBytesOptions, sink: ByteSink, timers: Timers, stream: number) {
    this.#options = options
    this.#sink = sink
    this.#stream = stream
    this.#lane = new Lane(timers)
    this.#random = randomAt(options.seed, stream)
    const fault = ends.find((end) => this.#random() < (options[end] ?? 0))
    const after = Math.floor(this.#random() * (options.within ?? 1024))
    this.#fate = fault === undefined ? undefined : { fault, after }
  }

  readonly chunk = (bytes: Uint8Array): void => {
    let from = 0
    while (from < bytes.length && !this.#over) {
      const left = (this.#fate?.after ?? Infinity) - this.#bytes
      if (left <= 0) return this.#strike()
      const length = Math.min(this.#length(), bytes.length - from, left)
      const piece = bytes.subarray(from, from + length)
      from += length
      this.#bytes += length
      this.#push(() => this.#sink.chunk(piece))
    }
  }

  readonly end = (): void => {
    if (this.#over) return
    if (this.#fate !== undefined) return this.#strike()
    this.#over = true
    this.#push(this.#sink.end)
  }

  readonly failed = (cause: Error): void => {
    if (this.#over) return
    this.#over = true
    this.#push(() =>
      this.#sink.failed === undefined ? this.#sink.end() : this.#sink.failed(cause),
    )
  }

  readonly close = (): void => {
    this.#over = true
    this.#lane.clear()
  }

  #length(): number {
    const { maxPiece } = this.#options
    if (maxPiece === undefined) return Infinity
    this.#tellOnce("recut")
    return 1 + Math.floor(this.#random() * maxPiece)
  }

  #push(run: () => void): void {
    const { latency } = this.#options
    if (latency === undefined) return this.#lane.push(run)
    this.#tellOnce("latency")
    this.#lane.push(run, latency.ms + this.#random() * (latency.jitterMs ?? 0))
  }

  #strike(): void {
    const { fault = "truncate" } = this.#fate ?? {}
    this.#over = true
    this.#tell(fault)
    if (fault === "truncate") return this.#push(this.#sink.end)
    if (fault === "stall") return
    const cause = new Error(`the connection was cut after ${this.#bytes} bytes`)
    this.#push(() =>
      this.#sink.failed === undefined ? this.#sink.end() : this.#sink.failed(cause),
    )
  }

  #tellOnce(fault: "recut" | "latency"): void {
    if (this.#toldOnce.has(fault)) return
    this.#toldOnce.add(fault)
    this.#tell(fault)
  }

  #tell(fault: ByteFault["fault"]): void {
    const { seed, onFault } = this.#options
    onFault?.({ seed, fault, stream: this.#stream, at: this.#bytes })
  }
}
