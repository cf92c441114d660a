import * as Effect from "effect/Effect"
import {
  ListRootsParams,
  ListRootsResult,
  validate,
  type Mismatch,
  type QuestionRefused,
  type Root,
} from "@entente/protocol"
import { askHandler } from "./ask-handler.js"
import type { Asking } from "./asking.js"
import type { RootsHandler } from "./handlers.js"
import { readParams } from "./read-question.js"
import { mismatched } from "./refusal.js"

/** A segment that leads upwards, also where it is written with escapes or backslashes. */
const leadsUpwards = (uri: string): boolean => {
  const plain = (text: string): string => {
    try {
      return decodeURIComponent(text)
    } catch {
      return text
    }
  }
  const [path = ""] = uri.slice("file://".length).split(/[?#]/)
  return plain(path).split(/[/\\]/).includes("..")
}

/**
 * Whether roots may be shown to a server: `file://` alone, and no way upwards in a path, which a server
 * might resolve to somewhere else (V25-ROOT-02, V26-ROOT-03).
 */
export const checkRoots = (roots: unknown): Mismatch | undefined => {
  const read = validate(ListRootsResult, { roots })
  if (!read.ok) return read
  const index = read.value.roots.findIndex(({ uri }) => leadsUpwards(uri) || !URL.canParse(uri))
  if (index < 0) return undefined
  const reason = 'expected a file:// URI without ".." in it'
  return { ok: false, pointer: `/roots/${index}/uri`, reason }
}

/** Answers `roots/list`. */
export const answerRoots = (
  asking: Asking,
  handler: RootsHandler,
): Effect.Effect<ListRootsResult, QuestionRefused> =>
  Effect.gen(function* () {
    const checked = yield* readParams(asking, ListRootsParams)
    const params = asking.params === undefined ? undefined : checked
    const roots: ReadonlyArray<Root> =
      typeof handler === "function"
        ? yield* askHandler(asking, asking.signal, (signal) =>
            handler(params, asking.context(signal)),
          )
        : handler
    const wrong = checkRoots(roots)
    if (wrong !== undefined) return yield* mismatched("invalid-answer", asking, wrong)
    return { roots }
  })
