import * as Stream from "effect/Stream"
import type { EntenteError, ItemOf } from "@entente/protocol"
import { differenceOf, type ListDifference } from "./list-difference.js"
import type { List, ListMethod } from "./list.js"
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
export const changesOf = ({
  tools,
  prompts,
  resources,
  templates,
}: ServerLists): Stream.Stream<ListChange, EntenteError> =>
  Stream.mergeAll(
    [
      changesOfOne(tools, (change) => ({ list: "tools", ...change })),
      changesOfOne(prompts, (change) => ({ list: "prompts", ...change })),
      changesOfOne(resources, (change) => ({ list: "resources", ...change })),
      changesOfOne(templates, (change) => ({ list: "templates", ...change })),
    ],
    { concurrency: "unbounded" },
  )

const changesOfOne = <Method extends ListMethod>(
  list: List<Method>,
  named: (change: ListDifference<ItemOf<Method>> & { readonly version: number }) => ListChange,
): Stream.Stream<ListChange, EntenteError> =>
  Stream.suspend(() => {
    let before: ReadonlyArray<ItemOf<Method>> | undefined
    return Stream.flatMap(list.follow(), ({ version, items }) => {
      const seen = before
      before = items
      return seen === undefined
        ? Stream.empty
        : Stream.succeed(named({ version, ...differenceOf(seen, items, list.keyOf) }))
    })
  })
