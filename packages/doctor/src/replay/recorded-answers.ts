import * as Effect from "effect/Effect"
import type { Middleware } from "@entente/client"
import { isJsonObject, type JsonObject } from "@entente/protocol"
import { partsOf } from "./recorded-message.js"
import type { RecordedRun } from "./recorded-run.js"

/** A question of the server in the recording. */
interface Question {
  readonly at: number
  answer?: JsonObject
  afterMs: number
}

/** The questions of the server by method, each with its answer, if it got one. */
const questionsIn = ({ events }: RecordedRun): ReadonlyMap<string, Array<Question>> => {
  const questions = new Map<string, Array<Question>>()
  const open = new Map<string, Question>()
  for (const event of events) {
    if (event.type !== "frame" || event.channel === undefined) continue
    const { direction, message, at } = event
    const { id, method } = partsOf(message)
    if (id === undefined) continue
    const key = `${event.channel} ${id}`
    if (direction === "in" && method !== undefined) {
      const question: Question = { at, afterMs: 0 }
      open.set(key, question)
      const same = questions.get(method)
      if (same === undefined) questions.set(method, [question])
      else same.push(question)
    } else if (direction === "out" && method === undefined && isJsonObject(message)) {
      const question = open.get(key)
      if (question === undefined) continue
      question.answer = message
      question.afterMs = at - question.at
    }
  }
  return questions
}

/** Answers the questions of a legacy server as the recorded client answered them, after the same time. */
export const recordedAnswers = (run: RecordedRun): Middleware => {
  const questions = questionsIn(run)
  return {
    question: ({ method }, next) => {
      const question = questions.get(method)?.shift()
      // One that the recording does not have is answered by the client itself, and shows as extra.
      if (question === undefined) return next.effect()
      const { answer, afterMs } = question
      if (answer === undefined) return Effect.never
      return Effect.as(Effect.sleep(afterMs), serverAnswer(answer))
    },
  }
}

const serverAnswer = ({ result, error }: JsonObject) => {
  if (!isJsonObject(error)) return { result: isJsonObject(result) ? result : {} }
  const { code, message } = error
  return {
    error: {
      ...error,
      code: typeof code === "number" ? code : 0,
      message: typeof message === "string" ? message : "",
    },
  }
}
