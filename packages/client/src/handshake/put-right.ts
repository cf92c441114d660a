import { DiscoverResult, InitializeResult, repair, type JsonObject } from "@entente/protocol"
import { isDiscoverResult, type Answer } from "@entente/session"
import type { NoteBook } from "../wire/note-book.js"

const shapes = { initialize: InitializeResult, "server/discover": DiscoverResult } as const

/**
 * An answer of the handshake in which every `[]` that stands for `{}` is put right, so that `tools: []`
 * declares tools as `tools: {}` does (C103). Where that is not tolerated it is the end.
 */
export const putRight = (method: keyof typeof shapes, answer: Answer, notes: NoteBook): Answer => {
  if (answer._tag !== "Result") return answer
  const repaired = repair(shapes[method], answer.result, (code) => code === "empty-array-as-object")
  const [found] = repaired.notes
  if (found === undefined) return answer
  // An object stays one: only what stands where an object belongs has become another.
  const result = repaired.value as JsonObject
  // Whatever else a legacy server says to a method that it does not know means nothing.
  if (method === "server/discover" && !isDiscoverResult(result)) return answer
  const error = notes.tolerate(found.code, "negotiate", `${found.detail} of ${method}`)
  return error === undefined ? { ...answer, result } : { _tag: "Gone", error }
}
