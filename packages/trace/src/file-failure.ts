import * as Data from "effect/Data"

/** A trace file could not be used. The recording or reading it belonged to is over. */
export class TraceFileFailed extends Data.TaggedError("TraceFileFailed")<{
  readonly operation: "open" | "write" | "read"
  readonly path: string
  readonly message: string
  /** The error of the operating system. */
  readonly cause: unknown
}> {}

/** Makes the error of an operation. */
export const fileFailure = (
  operation: TraceFileFailed["operation"],
  path: string,
  cause: unknown,
): TraceFileFailed =>
  new TraceFileFailed({ operation, path, cause, message: `cannot ${operation} the trace ${path}` })
