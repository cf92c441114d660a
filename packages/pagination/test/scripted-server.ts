import * as Effect from "effect/Effect"
import type { FetchedPage, FetchPage, PaginationNote, Position } from "../src/index.js"

/** One answer of a scripted server. */
export type Answer =
  | FetchedPage<string, string>
  | Effect.Effect<FetchedPage<string, string>, Refusal>

/** What a scripted server refuses with. */
export interface Refusal {
  readonly refusal: string
}

/** A server that answers by a rule, and remembers what it was asked. */
export const server = (
  answer: (cursor: string | undefined, request: number, at: Position) => Answer,
) => {
  const cursors: Array<string | undefined> = []
  const positions: Array<Position> = []
  const fetchPage: FetchPage<string, Refusal, never, string> = (cursor, at) => {
    cursors.push(cursor)
    positions.push(at)
    const given = answer(cursor, cursors.length, at)
    return Effect.isEffect(given) ? given : Effect.succeed(given)
  }
  return { fetchPage, cursors, positions }
}

/** A server whose n-th page, asked for with its cursor, is the n-th list; it ends after the last. */
export const paged = (...lists: ReadonlyArray<ReadonlyArray<string>>) =>
  server((cursor) => {
    const at = cursor === undefined ? 0 : Number(cursor.slice(1))
    const next = at + 1 < lists.length ? { nextCursor: `p${at + 1}` } : {}
    return { items: lists[at] ?? [], ...next }
  })

/** Keeps notes, and their codes for short comparisons. */
export const noteBook = () => {
  const notes: Array<PaginationNote> = []
  return {
    notes,
    onNote: (note: PaginationNote) => void notes.push(note),
    codes: () => notes.map((note) => note.code),
  }
}

export const itself = (name: string): string => name
