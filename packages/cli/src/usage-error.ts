/** The command line cannot be understood. Nothing was started or sent. */
export class UsageError extends Error {
  readonly _tag = "UsageError"
  readonly code = "invalid-input"
  readonly stage = "input"
  /** What would have been right. */
  readonly hint: string

  constructor(message: string, hint = "entente --help shows every command.") {
    super(message)
    this.hint = hint
  }
}
