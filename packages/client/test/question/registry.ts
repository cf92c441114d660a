import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { QuestionRefused, type JsonObject, type Revision, type Root } from "@entente/protocol"
import { Trace } from "@entente/trace"
import type { Circumstances } from "../../src/question/asking.js"
import type { Handlers } from "../../src/question/handlers.js"
import { Questions } from "../../src/question/questions.js"
import { NoteBook } from "../../src/wire/note-book.js"

export const legacy: Circumstances = { era: "legacy", revision: "2025-11-25" }
export const modern: Circumstances = { era: "modern", revision: "2026-07-28" }

/** The circumstances of one revision. */
export const under = (revision: Revision): Circumstances => ({
  era: revision === "2026-07-28" ? "modern" : "legacy",
  revision,
})

/** A registry without a connection, with what it noted. */
export const registry = (handlers: Handlers) => {
  const notes = new NoteBook({}, new Trace(), "demo")
  const questions = new Questions(handlers, {}, { target: "demo", notes })
  return {
    questions,
    noted: () => notes.all.map(({ code }) => code),
    /** Asks, and gives the answer or the refusal. */
    ask: (
      method: string,
      params?: JsonObject,
      circumstances: Circumstances = legacy,
    ): Promise<JsonObject | QuestionRefused> =>
      Effect.runPromise(
        Effect.map(
          Effect.result(
            questions.answer(params === undefined ? { method } : { method, params }, circumstances),
          ),
          Result.merge,
        ),
      ),
  }
}

/** The params of a form with these fields. */
export const form = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  message: "Please",
  requestedSchema: { type: "object", properties, ...more },
})

/** What a model is asked, in its shortest form. */
export const sample = (more: JsonObject = {}): JsonObject => ({
  messages: [{ role: "user", content: { type: "text", text: "hi" } }],
  maxTokens: 10,
  ...more,
})

/** What a model says. */
export const said = {
  role: "assistant",
  content: { type: "text", text: "hello" },
  model: "m",
} as const

export const root: Root = { uri: "file:///home/me/project", name: "project" }

/** A promise that the test settles. */
export const pending = <A>() => {
  let resolve: (value: A) => void = () => {}
  const promise = new Promise<A>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
