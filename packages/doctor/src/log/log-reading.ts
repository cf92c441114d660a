import type { RedactionPolicy, TraceEvent } from "@entente/trace"

/** Whose log it is, as far as its content shows. */
export type LogFormat =
  | "entente-trace"
  | "har"
  | "inspector"
  | "claude-desktop"
  | "claude-code"
  | "vscode"
  | "cursor"
  | "gemini-cli"
  /** JSON-RPC messages on lines, whoever wrote them. */
  | "json-rpc"
  | "unknown"

/** Something about a log that its reader should know. */
export interface LogProblem {
  /** From 1; 0 where the whole log is meant. */
  readonly line: number
  /**
   * A stable name. `not-recognised`: nothing in the text is known. `no-messages`: the log only sums up.
   * `several-servers`, `no-such-server`: which of them was read. `log-cut`: the log holds a part of a message.
   * `not-json`: it looks like a message and cannot be read. `repeated`: the log has messages twice, they count
   * once. `no-times`: it has none. `server-side`: it was written at the server's end. `earlier-recordings`:
   * only the last recording counts. `incomplete-bodies`: the log keeps no bodies, or cut ones. `too-long`,
   * `too-many`: a bound was passed. `unknown-event`: from a newer version. What a trace decoder finds keeps
   * its own names, such as `gap`.
   */
  readonly code: string
  /** One sentence, redacted. */
  readonly detail: string
}

/** What a log says. */
export interface LogReading {
  readonly format: LogFormat
  /**
   * What happened, redacted, numbered from 0. `at` is the log's own time in milliseconds; local times
   * without a zone are read as UTC, clock times count from midnight, and an event without a time has that of
   * the event before it, or 0. Two notes are of this reader alone: `client-said`, what the client tells of the
   * connection in its own words, and `log-cut`, a message of which the log holds only a part, such as
   * `in: the answer to tools/list, id 1; 52653 characters are missing`: it was there, whole, on the wire.
   */
  readonly events: ReadonlyArray<TraceEvent>
  readonly problems: ReadonlyArray<LogProblem>
  /** The servers that the log names, in order of appearance. */
  readonly servers: ReadonlyArray<string>
  /** Of these, the one whose events were read. */
  readonly server?: string
  /** How many tools the client says it has, where the log says so; the last word counts. */
  readonly shown?: number
}

export interface LogOptions {
  /** Which server to read, where the log has several; by default the one with the most messages. */
  readonly server?: string
  /** What else is secret. */
  readonly redaction?: RedactionPolicy
}
