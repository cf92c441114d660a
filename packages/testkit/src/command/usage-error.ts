/** The command line cannot be understood. Nothing was started. */
export class UsageError extends Error {
  readonly _tag = "UsageError"
}
