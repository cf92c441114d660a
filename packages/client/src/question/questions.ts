import * as Effect from "effect/Effect"
import {
  isJsonObject,
  type Era,
  type InputResponse,
  type JsonObject,
  type QuestionRefused,
  type Root,
} from "@entente/protocol"
import { Listeners } from "../wire/listeners.js"
import { declaringTasks } from "../task/task-capability.js"
import type { NoteBook } from "../wire/note-book.js"
import type { AnswerTaskBounds } from "./as-task/answer-tasks.js"
import type { Asking, Circumstances, Question } from "./asking.js"
import { declaredBy } from "./capabilities.js"
import { Completions } from "./completions.js"
import { answerElicitation } from "./elicitation.js"
import type { Handlers, QuestionMethod, RootsHandler } from "./handlers.js"
import { refusal } from "./refusal.js"
import { answerRoots, checkRoots } from "./roots.js"
import { answerSampling } from "./sampling.js"
import { SeenPages } from "./seen-pages.js"

/** How many questions of one server are open at the same time; more is a flood (V25-ELI-09, V25-SEC-08). */
const maxOpenQuestions = 100

/** Which handler answers which method. */
const handlerOf: ReadonlyMap<string, keyof Handlers> = new Map([
  ["roots/list", "roots"],
  ["sampling/createMessage", "sampling"],
  ["elicitation/create", "elicitation"],
])

export interface QuestionsContext {
  readonly target: string
  readonly notes: NoteBook
  /** Whether every modern request may be answered with a task (V26-EXT-04). */
  readonly tasks?: boolean
}

type Answer = Effect.Effect<InputResponse, QuestionRefused>

/**
 * The one registry of what this side answers. Where a question came from is its caller's business: a
 * request of a legacy server, an entry of a modern `inputRequests`, or of a task (V26-DUAL-10).
 */
export class Questions {
  /** Every question that was not answered, with what its handler failed with. */
  readonly refused = new Listeners<QuestionRefused>()
  /** The ids of pages that a legacy server has called completed, each once (V25-ELI-12). */
  readonly completed = new Listeners<string>()
  readonly #pages = { seen: new SeenPages(), completions: new Completions() }
  readonly #handlers: Handlers
  readonly #besides: JsonObject
  readonly #context: QuestionsContext
  #roots: RootsHandler | undefined
  #open = 0

  /** @param besides what the host declares beyond its handlers. */
  constructor(handlers: Handlers, besides: JsonObject, context: QuestionsContext) {
    this.#handlers = handlers
    this.#besides = besides
    this.#context = context
    this.#roots = handlers.roots
  }

  /** What this client declares, as an era writes it (V26-DUAL-07). */
  declared(era: Era): JsonObject {
    const { tasks = false } = this.#context
    // The legacy era declares no extension for its tasks (V26-EXT-07).
    const besides = tasks && era === "modern" ? declaringTasks(this.#besides) : this.#besides
    return { ...besides, ...declaredBy(this.#handlers, era) }
  }

  /** How answers are kept as tasks, if they may be. */
  get taskBounds(): AnswerTaskBounds | undefined {
    const { asTasks } = this.#handlers
    return asTasks === true ? {} : asTasks
  }

  /** Whether there is a handler for a method, in some way at least. */
  offers(method: string, era: Era): boolean {
    const name = handlerOf.get(method)
    return name !== undefined && isJsonObject(this.declared(era)[name])
  }

  get hasRoots(): boolean {
    return this.#roots !== undefined
  }

  /** Whether somebody is there to agree to pages being opened. */
  get opensPages(): boolean {
    return this.#handlers.elicitation?.url !== undefined
  }

  /** Puts other roots in the place of those there are, or says why not. */
  replaceRoots(roots: ReadonlyArray<Root>): string | undefined {
    if (this.#roots === undefined) return "there is no handler of roots"
    const fault = checkRoots(roots)
    if (fault !== undefined) return `${fault.reason} at ${fault.pointer}`
    this.#roots = roots
    return undefined
  }

  /** A legacy server calls a page completed. */
  complete(elicitationId: string): void {
    if (this.#pages.completions.complete(elicitationId)) this.completed.tell(elicitationId)
  }

  /** The refusal of a method that has no handler, noted. */
  unsupported(method: string): QuestionRefused {
    const { target } = this.#context
    return this.#note(refusal("unsupported", { method, target }, "there is no handler for it"))
  }

  /**
   * Answers one question, or says why not; it never dies, whatever a handler does. Interrupting it, or
   * aborting the signal of the circumstances, aborts the signal of the handler and ends it at once.
   */
  answer(question: Question, circumstances: Circumstances): Answer {
    return Effect.suspend(() => {
      const asking = this.#asking(question, circumstances)
      if (this.#open >= maxOpenQuestions) {
        const refused = refusal("too-many", asking, `${maxOpenQuestions} others are open`)
        return Effect.fail(this.#note(refused))
      }
      this.#open++
      return this.#ask(asking).pipe(
        Effect.mapError((refused) =>
          refused.kind === "unsupported" ? refused : this.#note(refused),
        ),
        Effect.ensuring(Effect.sync(() => this.#open--)),
      )
    })
  }

  #note(refused: QuestionRefused): QuestionRefused {
    const { kind, method } = refused
    this.#context.notes.add(
      kind === "unsupported"
        ? { code: "server-request-refused", detail: method }
        : { code: "question-refused", detail: `${method}: ${kind}` },
    )
    this.refused.tell(refused)
    return refused
  }

  #asking({ method, params }: Question, circumstances: Circumstances): Asking {
    const { target, notes } = this.#context
    const { era, revision, signal, relatedTask, blocked = false } = circumstances
    const { capabilities = this.declared(era), progress = () => {} } = circumstances
    return {
      method,
      params,
      target,
      era,
      revision,
      signal,
      blocked,
      declared: capabilities,
      policy: notes.policy,
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
    const { sampling, elicitation } = this.#handlers
    const roots = this.#roots
    const name = handlerOf.get(method)
    if (name !== undefined && isJsonObject(declared[name])) {
      if (name === "roots" && roots !== undefined) return answerRoots(asking, roots)
      if (name === "sampling" && sampling !== undefined) {
        return answerSampling(asking, typeof sampling === "function" ? sampling : sampling.handler)
      }
      // Elicitation came with 2025-06-18.
      if (name === "elicitation" && elicitation !== undefined && revision >= "2025-06-18") {
        return answerElicitation(asking, elicitation, this.#pages)
      }
    }
    return Effect.suspend(() => Effect.fail(this.unsupported(method)))
  }
}
