import type * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import type {
  EntenteError,
  InputRequest,
  InputRequests,
  InputResponse,
  InputResponses,
  QuestionRefused,
} from "@entente/protocol"
import type { Fork } from "@entente/session"

/** What the questions of one task are asked with, and where their answers go. */
export interface TaskQuestionsOwner {
  readonly fork: Fork
  readonly answer: (request: InputRequest) => Effect.Effect<InputResponse, QuestionRefused>
  /** `tasks/update`: told once what became of it. */
  readonly update: (
    responses: InputResponses,
    settled: (failure: EntenteError | undefined) => void,
  ) => void
  /** Nobody has answered, or the server would not take the answer. */
  readonly left: (refused: EntenteError) => void
  /** What is left has changed. */
  readonly changed: () => void
}

/** How far one question has come. */
type Stage =
  | { readonly is: "asking"; readonly fiber: Fiber.Fiber<InputResponse, QuestionRefused> }
  /** Answered here; the server has not said that it knows. `failed`: its way was lost. */
  | { readonly is: "answered"; readonly response: InputResponse; way: "ahead" | "going" | "failed" }
  | { readonly is: "taken" }
  | { readonly is: "left" }

/** So many questions of one task are asked; a server that asks more is not asking (a bound of ours). */
const maxQuestions = 1_000

/**
 * The questions of one task of the extension. Every poll repeats those that are open, and an answer takes
 * its time to be seen, so each key is asked once and answered once (V26-TASK-13, V26-TASK-15). Keys are
 * the server's own, and mean nothing outside this task (T-41).
 */
export class TaskQuestions {
  readonly #stages = new Map<string, Stage>()
  #open: InputRequests = {}
  #stopped = false
  readonly #owner: TaskQuestionsOwner

  constructor(owner: TaskQuestionsOwner) {
    this.#owner = owner
  }

  /** What is left to whoever holds the task: nobody is at it, and nobody has answered. */
  get left(): InputRequests {
    return Object.fromEntries(
      Object.entries(this.#open).filter(([key]) => {
        const stage = this.#stages.get(key)
        return stage === undefined || stage.is === "left"
      }),
    )
  }

  /** Takes in what is open now; what is new is asked, side by side. */
  ask(requests: InputRequests): void {
    this.#open = requests
    const fresh = Object.entries(requests).filter(([key]) => !this.#stages.has(key))
    const together = fresh.map(([key]) => key)
    const batch = new Batch(fresh.length, () => this.#send(together, "ahead"))
    for (const [key, request] of fresh) this.#begin(key, request, batch)
    // A question that is still there although it was answered: the answer goes again.
    this.#send(Object.keys(requests), "failed")
  }

  /** Answers by hand, whether or not a handler is at it. */
  respond(responses: InputResponses, settled: (failure: EntenteError | undefined) => void): void {
    for (const [key, response] of Object.entries(responses)) {
      this.#stop(this.#stages.get(key))
      this.#stages.set(key, { is: "answered", response, way: "going" })
    }
    this.#owner.changed()
    this.#owner.update(responses, (failure) => {
      for (const key of Object.keys(responses)) {
        this.#stages.set(key, { is: failure === undefined ? "taken" : "left" })
      }
      this.#owner.changed()
      settled(failure)
    })
  }

  /** Nobody waits for answers any more: handlers that are at it are interrupted. */
  stop(): void {
    this.#stopped = true
    for (const stage of this.#stages.values()) this.#stop(stage)
  }

  #begin(key: string, request: InputRequest, batch: Batch): void {
    if (this.#stages.size >= maxQuestions) return batch.done()
    const fiber = this.#owner.fork(this.#owner.answer(request))
    const stage: Stage = { is: "asking", fiber }
    this.#stages.set(key, stage)
    fiber.addObserver((exit) => {
      // Answered by hand meanwhile, or nobody waits any more.
      if (this.#stopped) return
      if (this.#stages.get(key) !== stage) return batch.done()
      if (Exit.isSuccess(exit)) {
        this.#stages.set(key, { is: "answered", response: exit.value, way: "ahead" })
      } else {
        this.#stages.set(key, { is: "left" })
        const failure = Exit.findErrorOption(exit)
        if (failure._tag === "Some") this.#owner.left(failure.value)
      }
      batch.done()
    })
  }

  /** Sends the answers among these in one update. */
  #send(keys: ReadonlyArray<string>, way: "ahead" | "failed"): void {
    const ready = keys.flatMap((key) => {
      const stage = this.#stages.get(key)
      return stage?.is === "answered" && stage.way === way ? [[key, stage] as const] : []
    })
    this.#owner.changed()
    if (ready.length === 0) return
    for (const [, stage] of ready) stage.way = "going"
    const responses = Object.fromEntries(ready.map(([key, { response }]) => [key, response]))
    this.#owner.update(responses, (failure) => {
      for (const [key, stage] of ready) {
        if (this.#stages.get(key) !== stage) continue
        if (failure === undefined) this.#stages.set(key, { is: "taken" })
        else if (failure._tag === "PeerError") this.#stages.set(key, { is: "left" })
        else stage.way = "failed"
      }
      if (failure?._tag === "PeerError") this.#owner.left(failure)
      this.#owner.changed()
    })
  }

  #stop(stage: Stage | undefined): void {
    if (stage?.is === "asking") stage.fiber.interruptUnsafe()
  }
}

/** The questions that came together: their answers go together, because a server need not take a part. */
class Batch {
  #left: number
  readonly #complete: () => void

  constructor(size: number, complete: () => void) {
    this.#left = size
    this.#complete = complete
  }

  done(): void {
    if (--this.#left === 0) this.#complete()
  }
}
