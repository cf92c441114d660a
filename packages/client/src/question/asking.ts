import type { Era, JsonObject, Note, Revision, TolerancePolicy } from "@entente/protocol"
import type { QuestionContext } from "./handlers.js"

/** What the server asks, whichever way it came: a request, an entry of `inputRequests`, of a task. */
export interface Question {
  readonly method: string
  readonly params?: JsonObject
}

/** What a question came in, and who waits for its answer. */
export interface Circumstances {
  readonly era: Era
  readonly revision: Revision
  /** Ends the question, as interrupting the effect does. */
  readonly signal?: AbortSignal
  /** The capabilities this client declared for this request, if not the connection's (V26-META-05). */
  readonly capabilities?: JsonObject
  readonly relatedTask?: string
  /** A request was refused until a page was opened, and is made again afterwards (V25-ELI-13). */
  readonly blocked?: boolean
  /** Where progress of the answer goes; nowhere by default. */
  readonly progress?: QuestionContext["progress"]
}

/** One question on its way to its handler. */
export interface Asking {
  readonly method: string
  readonly params: JsonObject | undefined
  readonly target: string
  readonly era: Era
  readonly revision: Revision
  /** What was declared where this was asked. */
  readonly declared: JsonObject
  readonly policy: TolerancePolicy
  readonly signal: AbortSignal | undefined
  readonly blocked: boolean
  readonly note: (note: Note) => void
  /** What a handler is told, with the signal that is its own. */
  readonly context: (signal: AbortSignal) => QuestionContext
}
