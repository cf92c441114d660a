/** Where text goes; `process.stdout` and `process.stderr` are of this shape. */
export interface Output {
  readonly write: (text: string) => unknown
  readonly isTTY?: boolean
}

/** Everything that a run touches of the process it is in; tests bring their own. */
export interface Io {
  readonly stdout: Output
  readonly stderr: Output
  /** Whether a person sits at stdin. */
  readonly isInteractive: boolean
  /** Resolves when the user wants to end it. Nothing listens for that before it is called. */
  readonly interrupted: () => Promise<void>
  /** Calls whenever the user presses Enter. */
  readonly onEnter: (listener: () => void) => void
}
