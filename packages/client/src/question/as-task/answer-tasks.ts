import * as Effect from "effect/Effect"
import { isJsonObject, rpcCode, type JsonObject } from "@entente/protocol"
import type { Fork } from "@entente/session"
import type { ServerAnswer, StopWork } from "../../wire/server-request.js"
import { AnswerTask } from "./answer-task.js"

/** Bounds of the tasks that are kept for one server (V25-TASK-21). */
export interface AnswerTaskBounds {
  /** How many at the same time; 20 by default. */
  readonly most?: number
  /** Milliseconds for which one is kept at most, from its creation; 600,000 by default. */
  readonly maxTtlMs?: number
}

export interface AnswerTasksContext {
  readonly bounds: AnswerTaskBounds
  readonly fork: Fork
  readonly now: () => number
  /** Tells the server that a task has changed. */
  readonly changed: (task: JsonObject) => void
}

/** Tasks on one page of `tasks/list`. */
const pageSize = 50

const error = (code: number, message: string): ServerAnswer => ({ error: { code, message } })
const unknownTask = error(rpcCode.invalidParams, "There is no such task")

type Respond = (answer: ServerAnswer) => void

/**
 * The tasks of one server: answers that it fetches later, when it asked for that (2025-11-25). They belong
 * to this connection and are nobody else's (V25-TASK-23).
 */
export class AnswerTasks {
  readonly #tasks = new Map<string, AnswerTask>()
  readonly #context: AnswerTasksContext

  constructor(context: AnswerTasksContext) {
    this.#context = context
  }

  /** A new task for work that can be stopped, or nothing if there are too many. */
  create(wish: JsonObject, stop: () => void): AnswerTask | undefined {
    const { bounds, fork, now, changed } = this.#context
    const { most = 20, maxTtlMs = 600_000 } = bounds
    if (this.#tasks.size >= most) return undefined
    const ttlMs = ttlOf(wish, maxTtlMs)
    const task = new AnswerTask({ createdAt: now(), ttlMs, stop, changed })
    this.#tasks.set(task.id, task)
    fork(
      Effect.andThen(
        Effect.sleep(ttlMs),
        Effect.sync(() => this.#purge(task)),
      ),
    )
    return task
  }

  /** Whether a request is about tasks. */
  serves(method: string): boolean {
    return Object.hasOwn(this.#methods, method)
  }

  /** Answers a request about tasks. `taskId` alone says which one is meant (V25-TASK-22). */
  serve(method: string, params: JsonObject, respond: Respond): StopWork | undefined {
    return this.#methods[method]?.(params, respond)
  }

  /** Its time is up: what still works on it stops, and its id is forgotten. */
  #purge(task: AnswerTask): void {
    task.cancel(this.#context.now())
    this.#tasks.delete(task.id)
  }

  #named({ taskId }: JsonObject): AnswerTask | undefined {
    return typeof taskId === "string" ? this.#tasks.get(taskId) : undefined
  }

  readonly #methods: {
    readonly [method: string]: (params: JsonObject, respond: Respond) => StopWork | undefined
  } = {
    "tasks/get": (params, respond) => {
      const task = this.#named(params)
      respond(task === undefined ? unknownTask : { result: task.view })
      return undefined
    },
    "tasks/cancel": (params, respond) => {
      const task = this.#named(params)
      if (task === undefined) respond(unknownTask)
      else if (task.over) respond(error(rpcCode.invalidParams, "The task is over"))
      else {
        task.cancel(this.#context.now())
        respond({ result: task.view })
      }
      return undefined
    },
    "tasks/result": (params, respond) => {
      const task = this.#named(params)
      if (task !== undefined) {
        return task.whenOver((answer) => respond(related(answer, task.relation)))
      }
      respond(unknownTask)
      return undefined
    },
    "tasks/list": ({ cursor }, respond) => {
      const tasks = [...this.#tasks.values()]
      const before = tasks.findIndex(({ id }) => id === cursor)
      if (cursor !== undefined && before === -1) {
        respond(error(rpcCode.invalidParams, "There is no such cursor"))
        return undefined
      }
      const page = tasks.slice(before + 1, before + 1 + pageSize)
      const last = page.at(-1)
      const more = last !== undefined && last !== tasks.at(-1)
      const result = { tasks: page.map(({ view }) => view), ...(more && { nextCursor: last.id }) }
      respond({ result })
      return undefined
    },
  }
}

/** What the server wishes, within our bounds; what is no time is no wish. */
const ttlOf = ({ ttl }: JsonObject, maxTtlMs: number): number =>
  typeof ttl === "number" && ttl >= 0 ? Math.min(ttl, maxTtlMs) : maxTtlMs

/** A result says which task it is of; an error has no place for that (trap 34). */
const related = (answer: ServerAnswer, relation: JsonObject): ServerAnswer => {
  if (!("result" in answer)) return answer
  const { _meta: meta } = answer.result
  return {
    result: { ...answer.result, _meta: { ...(isJsonObject(meta) ? meta : {}), ...relation } },
  }
}
