import type { Readable } from "node:stream"

/** Where text goes; `process.stdout` and `process.stderr` are of this shape. */
export interface Output {
  readonly write: (text: string) => unknown
  /** Whether a person looks at it: then there are colours, cut lines and, on stderr, a live line. */
  readonly isTTY?: boolean
  /** The width of the terminal, where there is one. */
  readonly columns?: number
  /** Its height, likewise. */
  readonly rows?: number
}

/** The process itself, for a command that stands in for another program. */
export interface OwnProcess {
  /**
   * From now on signals go to this function alone and end nothing, and a reader of stdout that leaves is the
   * command's to deal with.
   */
  readonly takeOver: (onSignal: (signal: NodeJS.Signals) => void) => void
  /** Ends this process by a signal, as another program was ended. */
  readonly endBy: (signal: NodeJS.Signals) => Promise<void>
}

/** Everything that a run touches of the process it is in; tests bring their own. */
export interface Io {
  readonly stdin: Readable
  readonly stdout: Output
  readonly stderr: Output
  readonly env: Readonly<Record<string, string | undefined>>
  /** The folder that relative paths and the files of a project are looked up in. Default: that of the process. */
  readonly cwd?: string
  /** Aborted when the user interrupts. */
  readonly signal: AbortSignal
  /** The file of the `entente` command itself; the target `demo` starts it once more. */
  readonly main: string
  /** Absent where the run is only a part of a process. */
  readonly process?: OwnProcess
}
