import * as Stream from "effect/Stream"
import type { EntenteError, ItemOf } from "@entente/protocol"
import { differenceOf, type ListDifference } from "./list-difference.js"
import type { Life } from "../life/life.js"
import { watchNewest } from "../watch.js"
import type { List, ListMethod } from "./list.js"
import type { Listing } from "./listing.js"
import type { MethodOf, ServerLists } from "./server-lists.js"
import type { ListName } from "./snapshot.js"

/** That a list has other content now, and how it differs from what the reader saw before. */
export type ListChange = {
  readonly [Name in ListName]: ListDifference<ItemOf<MethodOf[Name]>> & {
    readonly list: Name
    /** The version of the list that has this content. */
    readonly version: number
  }
}[ListName]

/**
 * The changes of all lists, from now on: one interest, and one difference after the other. Each is to what this
 * reader saw last, so that a slow one gets fewer and greater ones and loses nothing.
 */
export const changesOf = (
  life: Life,
  { tools, prompts, resources, templates }: ServerLists,
): Stream.Stream<ListChange, EntenteError> =>
  Stream.mergeAll(
    [
      changesOfOne(life, tools, (change) => ({ list: "tools", ...change })),
      changesOfOne(life, prompts, (change) => ({ list: "prompts", ...change })),
      changesOfOne(life, resources, (change) => ({ list: "resources", ...change })),
      changesOfOne(life, templates, (change) => ({ list: "templates", ...change })),
    ],
    { concurrency: "unbounded" },
  )

const changesOfOne = <Method extends ListMethod>(
  life: Life,
  list: List<Method>,
  named: (change: ListDifference<ItemOf<Method>> & { readonly version: number }) => ListChange,
): Stream.Stream<ListChange, EntenteError> =>
  Stream.suspend(() => {
    type Content = Listing<ItemOf<Method>>
    let before: Content["items"] | undefined
    const newest = watchNewest(life, (put: (listing: Content) => void) =>
      list.onListing((listing) => {
        // What there is first is what changes are counted from; nobody has to have read it.
        if (before === undefined) before = listing.items
        else put(listing)
      }),
    )
    return Stream.map(newest, ({ version, items }) => {
      const difference = differenceOf(before ?? [], items, list.keyOf)
      before = items
      return named({ version, ...difference })
    })
  })
