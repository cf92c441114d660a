import * as Effect from "effect/Effect"
import { isJsonObject, type InputResponse, type QuestionRefused } from "@entente/protocol"
import type { Asking, Circumstances, Question } from "./asking.js"
import { declaredBy } from "./capabilities.js"
import { answerElicitation } from "./elicitation.js"
import type { Handlers, QuestionMethod } from "./handlers.js"
import { refusal } from "./refusal.js"
import { answerRoots } from "./roots.js"
import { answerSampling } from "./sampling.js"
import { SeenPages } from "./seen-pages.js"
import type { NoteBook } from "../wire/note-book.js"

/** How many questions of one server are open at the same time; more than that is a flood (V25-ELI-09). */
export const maxOpenQuestions = 100

export interface QuestionsContext {
  readonly target: string
  readonly notes: NoteBook
}

type Answer = Effect.Effect<InputResponse, QuestionRefused>

/**
 * The one registry of what this side answers. Where a question came from is its caller's business: a
 * request of a legacy server, an entry of a modern `inputRequests`, or of a task (V26-DUAL-10).
 */
export class Questions {
  readonly handlers: Handlers
  readonly seen = new SeenPages()
  #open = 0
  readonly #context: QuestionsContext

  constructor(handlers: Handlers, context: QuestionsContext) {
    this.handlers = handlers
    this.#context = context
  }

  /**
   * Answers one question, or says why not; it never dies, whatever a handler does. Interrupting it, or
   * aborting the signal of the circumstances, aborts the signal of the handler and ends it at once.
   */
  answer(question: Question, circumstances: Circumstances): Answer {
    return Effect.suspend(() => {
      const asking = this.#asking(question, circumstances)
      if (this.#open >= maxOpenQuestions) {
        return this.#refused(refusal("too-many", asking, `${maxOpenQuestions} others are open`))
      }
      this.#open++
      return Effect.ensuring(
        Effect.catchTag(this.#ask(asking), "QuestionRefused", (refused) => this.#refused(refused)),
        Effect.sync(() => this.#open--),
      )
    })
  }

  #refused(refused: QuestionRefused): Effect.Effect<never, QuestionRefused> {
    this.#context.notes.add({
      code: "question-refused",
      detail: `${refused.method}: ${refused.kind}`,
    })
    return Effect.fail(refused)
  }

  #asking({ method, params }: Question, circumstances: Circumstances): Asking {
    const { target, notes } = this.#context
    const { era, revision, signal, relatedTask, progress = () => {} } = circumstances
    const declared = circumstances.capabilities ?? declaredBy(this.handlers, era)
    return {
      method,
      params,
      target,
      era,
      revision,
      declared,
      policy: notes.policy,
      signal,
      note: (note) => notes.add(note),
      context: (own) => ({
        signal: own,
        server: target,
        era,
        revision,
        method: method as QuestionMethod, // a handler is only there for one of these
        progress,
        ...(relatedTask === undefined ? {} : { relatedTask }),
      }),
    }
  }

  #ask(asking: Asking): Answer {
    const { method, revision, declared } = asking
    const { roots, sampling, elicitation } = this.handlers
    const offers = (name: keyof Handlers): boolean => isJsonObject(declared[name])
    if (method === "roots/list" && roots !== undefined && offers("roots")) {
      return answerRoots(asking, roots)
    }
    if (method === "sampling/createMessage" && sampling !== undefined && offers("sampling")) {
      return answerSampling(asking, typeof sampling === "function" ? sampling : sampling.handler)
    }
    const elicits = elicitation !== undefined && offers("elicitation")
    // Elicitation came with 2025-06-18.
    if (method === "elicitation/create" && elicits && revision >= "2025-06-18") {
      return answerElicitation(asking, elicitation, this.seen)
    }
    return Effect.fail(refusal("unsupported", asking, "there is no handler for it"))
  }
}
