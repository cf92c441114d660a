import type { JsonObject } from "@entente/protocol"

/** What was done to the arguments that a model gave before they go to the server. */
export type ArgumentsChange =
  /** There were none, or an empty text: no arguments are `{}`. */
  | { readonly kind: "filled"; readonly detail: string }
  /** Nulls were left out. `given` are the arguments as they came, for a trace that redacts them (C091). */
  | {
      readonly kind: "nulls-dropped"
      /** JSON pointers into what was given. */
      readonly pointers: ReadonlyArray<string>
      readonly given: JsonObject
      readonly detail: string
    }
  /** They were not held against the schema of the tool, because of the schema or because of their size. */
  | {
      readonly kind: "unchecked"
      /** A JSON pointer into the server's definition of the tool. */
      readonly pointer: string
      readonly detail: string
    }

/** What keeps arguments from being sent. */
export interface ArgumentsFault {
  /** A JSON pointer into the arguments; empty for all of them. */
  readonly pointer: string
  /** What is wrong, in words that a model can act on. */
  readonly message: string
}

/** Arguments as they go to the server, or why they do not. */
export type ArgumentsReading =
  | {
      readonly ok: true
      readonly arguments: JsonObject
      readonly changes: ReadonlyArray<ArgumentsChange>
    }
  | { readonly ok: false; readonly faults: ReadonlyArray<ArgumentsFault> }
