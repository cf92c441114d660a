import type * as Effect from "effect/Effect"
import type { TransportError } from "@entente/protocol"
import type * as Scope from "effect/Scope"
import type { Case, ExperimentName } from "../case.js"
import type { Visit } from "./visit.js"

/** What an experiment has at hand. */
export interface Surgery {
  /** What is known so far. */
  readonly given: Case
  /** Opens a conversation of the doctor's own; it ends with the experiment. */
  readonly visit: (how?: {
    readonly credentials?: boolean
  }) => Effect.Effect<Visit, TransportError, Scope.Scope>
  /** Milliseconds that an answer has. */
  readonly timeoutMs: number
  /** Milliseconds after which an empty list is read once more. */
  readonly waitMs: number
  /** The origin that a browser is made to be on. */
  readonly origin: string
  readonly hasCredentials: boolean
}

/** Something that is tried out to tell causes apart. It calls no tool, ever. */
export interface Experiment {
  readonly name: ExperimentName
  /** In a few words, for a person who waits. */
  readonly doing: string
  /** Whether what is known so far makes it worth the while. */
  readonly isUseful: (surgery: Omit<Surgery, "visit">) => boolean
  /** What happens is in the trace; what fails is too. */
  readonly run: (surgery: Surgery) => Effect.Effect<unknown, TransportError, Scope.Scope>
}
