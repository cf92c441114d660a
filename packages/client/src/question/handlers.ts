import type * as Effect from "effect/Effect"
import type {
  CreateMessageParams,
  CreateMessageResult,
  Era,
  FormParams,
  JsonObject,
  ListRootsParams,
  Revision,
  Root,
  UrlParams,
} from "@entente/protocol"
import type { AnswerTaskBounds } from "./as-task/answer-tasks.js"
import type { PageReport } from "./page-report.js"

/** A value, a promise of it, or an effect: handlers may give any of them. */
export type Answering<Answer> = Answer | PromiseLike<Answer> | Effect.Effect<Answer, unknown>

/** What a server may ask for; the same in both eras. */
export type QuestionMethod = "roots/list" | "sampling/createMessage" | "elicitation/create"

/** What a handler knows of a question besides its params. */
export interface QuestionContext {
  /**
   * Aborts when nobody waits for the answer any more: the server took the question back, or is gone. What a
   * legacy server said about it is in its `reason`, a `QuestionWithdrawn` (V25-CANC-07).
   */
  readonly signal: AbortSignal
  /**
   * Who asks, as this side knows it: the target of the connection, redacted. Show this to people, not
   * what the server calls itself (V25-ELI-08, V26-ELIC-04).
   */
  readonly server: string
  readonly era: Era
  readonly revision: Revision
  readonly method: QuestionMethod
  /** The id of the task that the question belongs to. */
  readonly relatedTask?: string
  /**
   * Tells the server how far the answer is, where it asked to be told. Only rising values go out, and none
   * after the answer (V25-PROG-04).
   */
  readonly progress: (progress: number, total?: number, message?: string) => void
}

/** What the handler of a form knows besides. */
export interface FormContext extends QuestionContext {
  /** What to fill the form with at first; what the answer leaves out is filled from here (V25-ELI-05). */
  readonly defaults: FormContent
  /** Fields that look as if they asked for a secret, which no server may do by form (V26-ELIC-15). */
  readonly secretFields: ReadonlyArray<string>
}

/** What the handler of a page knows besides. */
export interface UrlContext extends QuestionContext {
  /** What there is to show and to warn of before the page is opened. */
  readonly page: PageReport
  /**
   * Legacy: resolves when the server calls the page completed, which may be never. Offer people a way to
   * go on without it (V25-ELI-12).
   */
  readonly completion?: Promise<void>
  /**
   * Legacy: a request waits for this page and is sent again, once, as soon as the answer is `accept`
   * (V25-ELI-13). Answer when the person is done with the page, or `completion` resolves.
   */
  readonly blocked: boolean
}

/** Answers one kind of question. What it throws, rejects or fails with never reaches the server. */
export type Handler<Params, Context, Answer> = (
  params: Params,
  context: Context,
) => Answering<Answer>

/** What a form may hold: nothing nested (V25-ELI-06, V26-ELIC-14). */
export type FormContent = Readonly<
  Record<string, string | number | boolean | ReadonlyArray<string>>
>

/**
 * What a person made of a form: sent it, said no, or closed it (V26-ELIC-05). Fields that are left out
 * get their defaults.
 */
export type FormAnswer =
  | {
      readonly action: "accept"
      readonly content?: FormContent
      readonly _meta?: JsonObject
    }
  | { readonly action: "decline" | "cancel"; readonly _meta?: JsonObject }

/** What a person said to opening a page: `accept` is consent, not completion (V25-ELI-12). */
export interface UrlAnswer {
  readonly action: "accept" | "decline" | "cancel"
  readonly _meta?: JsonObject
}

/** What a person is to be asked for. */
export interface ElicitationHandlers {
  /** Shows a form. The answer is checked against it before it is sent. */
  readonly form?: Handler<FormParams, FormContext, FormAnswer>
  /**
   * Asks whether a page may be opened, and opens it where neither this program nor a model can read it.
   * Nothing was fetched before (V25-ELI-11, V26-ELIC-20 … V26-ELIC-22).
   */
  readonly url?: Handler<UrlParams, UrlContext, UrlAnswer>
}

/** Asks a model, after a person agreed. It never exceeds `maxTokens` (V26-SAMP-03). */
export type SamplingHandler = Handler<CreateMessageParams, QuestionContext, CreateMessageResult>

/** How a model is asked, and what else may be asked of it. */
export interface SamplingOptions {
  readonly handler: SamplingHandler
  /** Whether the model may be given tools, which the server runs (V25-SAMP-06). Default: no. */
  readonly tools?: true
  /** Whether context of other conversations may be included. Default: no (V25-SAMP-05). */
  readonly context?: true
}

/**
 * The places that the server may know of, or how to find out. Every URI is `file://`, without a way
 * upwards in it (V25-ROOT-02, V26-ROOT-03).
 */
export type RootsHandler =
  | ReadonlyArray<Root>
  | Handler<ListRootsParams | undefined, QuestionContext, ReadonlyArray<Root>>

/**
 * What this side answers when the server asks: registered once, for both eras. What is here is what is
 * declared (V25-CAP-01); leave out what nobody is there to answer (V26-ELIC-07).
 *
 * @example
 * const handlers: Handlers = {
 *   roots: [{ uri: "file:///home/me/project" }],
 *   elicitation: { form: async ({ message }) => ({ action: "decline" }) },
 * }
 */
export interface Handlers {
  readonly roots?: RootsHandler
  readonly sampling?: SamplingHandler | SamplingOptions
  readonly elicitation?: ElicitationHandlers
  /**
   * Whether a server of 2025-11-25 may have sampling and elicitation answered as tasks, which it fetches
   * later (V25-TASK-19). Off by default: then it waits for the answer itself. `true` keeps the bounds' defaults.
   */
  readonly asTasks?: true | AnswerTaskBounds
}
