import * as Effect from "effect/Effect"
import {
  isJsonObject,
  metaKey,
  rpcCode,
  type JsonObject,
  type JsonRpcRequest,
  type LegacyRevision,
  type QuestionRefused,
} from "@entente/protocol"
import type { Fork } from "@entente/session"
import type { NoteBook } from "../wire/note-book.js"
import type { ServerAnswer, StopWork } from "../wire/server-request.js"
import type { Wire } from "../wire/wire.js"
import { AnswerTasks } from "./as-task/answer-tasks.js"
import type { Within } from "./asked.js"
import { OwnProgress } from "./own-progress.js"
import { QuestionWithdrawn } from "./question-withdrawn.js"
import type { Questions } from "./questions.js"

/** How many questions wait for the handshake to be over; a server has no business with more. */
const maxHeld = 16

type Respond = (answer: ServerAnswer | undefined) => void

/** What a connection lends to those who answer for it. */
export interface LegacyQuestionsContext {
  readonly questions: Questions
  readonly notes: NoteBook
  readonly wire: () => Wire
  readonly fork: Fork
  readonly now: () => number
}

const refused = ({ rpcCode: code, rpcMessage: message }: QuestionRefused): ServerAnswer => ({
  error: { code, message },
})

/** The task that a question belongs to (V25-TASK-12). */
const taskOf = (meta: JsonObject): string | undefined => {
  const related = meta[metaKey.relatedTask]
  const id = isJsonObject(related) ? related["taskId"] : undefined
  return typeof id === "string" ? id : undefined
}

/**
 * The requests of a legacy server: pings are answered at once, in every state; what a handler has to be
 * asked for is answered when it has answered, by the ordinary road. A modern server may not ask at all
 * and gets nothing, not even an error (V26-ENV-06).
 */
export class LegacyQuestions {
  /** Agreed on, and told so to the server; before that no question is answered. */
  #revision: LegacyRevision | undefined
  readonly #held = new Set<(revision: LegacyRevision) => void>()
  readonly #tasks: AnswerTasks | undefined
  readonly #context: LegacyQuestionsContext

  constructor(context: LegacyQuestionsContext) {
    this.#context = context
    const { questions, fork, now, wire } = context
    const bounds = questions.taskBounds
    if (bounds === undefined) return
    const changed = (task: JsonObject): void => wire().notify("notifications/tasks/status", task)
    this.#tasks = new AnswerTasks({ bounds, fork, now, changed })
  }

  /** Takes a request; see `WireOwner.asked`. */
  ask(
    request: JsonRpcRequest,
    respond: Respond,
    within: Within = (work) => work,
  ): StopWork | undefined {
    const { wire, notes, questions } = this.#context
    const { method, params } = request
    if (wire().era === "modern") {
      notes.add({ code: "server-request-in-modern", detail: method })
      respond(undefined)
    } else if (method === "ping") respond({ result: {} })
    else if (this.#knowsTasks && this.#tasks?.serves(method) === true)
      return this.#tasks.serve(method, params ?? {}, respond)
    else if (!questions.offers(method, "legacy")) respond(refused(questions.unsupported(method)))
    else if (this.#revision !== undefined)
      return this.#work(method, params, this.#revision, respond, within)
    else return this.#hold(method, params, respond, within)
    return undefined
  }

  /** The server has been told what was agreed on: what it asked meanwhile is answered (V25-LIFE-10). */
  begin(revision: LegacyRevision): void {
    this.#revision = revision
    const held = [...this.#held]
    this.#held.clear()
    for (const go of held) go(revision)
  }

  /** The session is over: nothing of it is answered into the next one (trap 6). */
  pause(): void {
    this.#revision = undefined
    this.#held.clear()
    this.#context.wire().forgetAsked()
  }

  /** Tasks came with 2025-11-25; a server of an older revision cannot mean them. */
  get #knowsTasks(): boolean {
    return this.#revision === "2025-11-25"
  }

  #hold(
    method: string,
    params: JsonObject | undefined,
    respond: Respond,
    within: Within,
  ): StopWork | undefined {
    if (this.#held.size >= maxHeld) {
      this.#context.notes.add({ code: "server-request-refused", detail: `${method}: too early` })
      respond({ error: { code: rpcCode.internalError, message: "Asked before the handshake" } })
      return undefined
    }
    let stop: StopWork | undefined
    const go = (revision: LegacyRevision): void => {
      stop = this.#work(method, params, revision, respond, within)
    }
    this.#held.add(go)
    return (why) => {
      this.#held.delete(go)
      stop?.(why)
    }
  }

  #work(
    method: string,
    params: JsonObject | undefined,
    revision: LegacyRevision,
    respond: Respond,
    within: Within,
  ): StopWork {
    const { questions, fork, wire, now } = this.#context
    const meta = isJsonObject(params?.["_meta"]) ? params["_meta"] : {}
    const relatedTask = taskOf(meta)
    const question = params === undefined ? { method } : { method, params }
    const controller = new AbortController()
    const { signal } = controller
    const stop = (why?: string): void => {
      progress.end()
      controller.abort(new QuestionWithdrawn(why))
    }
    const wish = this.#taskWish(method, params)
    const task = wish && this.#tasks?.create(wish, stop)
    if (wish !== undefined && task === undefined) {
      this.#context.notes.add({ code: "question-refused", detail: `${method}: too many tasks` })
      respond({ error: { code: rpcCode.internalError, message: "Too many tasks" } })
      return () => {}
    }
    const related =
      relatedTask === undefined ? {} : { [metaKey.relatedTask]: { taskId: relatedTask } }
    const echo = task?.relation ?? related
    // The token of a request that became a task is good until the task is over (V25-PROG-05).
    const progress = new OwnProgress(meta["progressToken"], echo, now, (told) =>
      wire().notify("notifications/progress", told),
    )
    const answered = (answer: ServerAnswer): void => {
      progress.end()
      if (task === undefined) respond(answer)
      else task.settle(answer, now())
    }
    if (task !== undefined) respond({ result: { task: task.view, _meta: task.relation } })
    const answer = questions.answer(question, {
      era: "legacy",
      revision,
      signal,
      progress: progress.tell,
      ...(relatedTask === undefined ? {} : { relatedTask }),
    })
    fork(
      Effect.match(within(answer), {
        onSuccess: (result) => answered({ result: withMeta(result, echo) }),
        onFailure: (refusal) => answered(refused(refusal)),
      }),
    )
    return stop
  }

  /** The wish to have the answer as a task, where that was offered (V25-TASK-19, V25-CAP-08). */
  #taskWish(method: string, params: JsonObject | undefined): JsonObject | undefined {
    const wish = params?.["task"]
    if (this.#tasks === undefined || !this.#knowsTasks || !isJsonObject(wish)) return undefined
    return method === "roots/list" ? undefined : wish
  }
}

const withMeta = (result: JsonObject, echo: JsonObject): JsonObject =>
  Object.keys(echo).length === 0
    ? result
    : { ...result, _meta: { ...(isJsonObject(result["_meta"]) ? result["_meta"] : {}), ...echo } }
