import * as Data from "effect/Data"

/** Why a walk ended before the list did. */
export type StopReason<E> = {
  /** In plain words; quotes at most the start of a cursor. */
  readonly message: string
} & (
  | { readonly code: "cursor-loop"; readonly cursor: string }
  | { readonly code: "page-limit"; readonly limit: number }
  | { readonly code: "item-limit"; readonly limit: number }
  | { readonly code: "walk-deadline"; readonly limitMs: number }
  | { readonly code: "page-failed"; readonly error: E }
  | { readonly code: "cursor-invalid"; readonly cursor: string; readonly error: E }
)

/**
 * A walk ended before the list did. It carries what had arrived by then: streams have delivered all of
 * it before they fail with this (C100).
 */
export class PaginationStopped<Item, E> extends Data.TaggedError("PaginationStopped")<{
  readonly message: string
  readonly reason: StopReason<E>
  /** The items of the last generation, in order; empty where there are more than `retain` lets a stream keep. */
  readonly items: ReadonlyArray<Item>
  /** How many items the last generation brought, retained or not. */
  readonly itemCount: number
  /** How many pages the last generation brought. */
  readonly pageCount: number
}> {
  /** The stable name of the reason. */
  get code(): StopReason<E>["code"] {
    return this.reason.code
  }

  /** What the page fetch failed with, where that was the reason. */
  override get cause(): E | undefined {
    return "error" in this.reason ? this.reason.error : undefined
  }
}
