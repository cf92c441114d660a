import { fingerprint } from "../fingerprint.js"
import { sameJson } from "./same-json.js"

/** An item that is still there, and not the same any more. */
export interface ChangedItem<Item> {
  /** What tells it from others: its name, URI or URI template. */
  readonly key: string
  readonly before: Item
  readonly after: Item
  /** Which of its members differ, in order. */
  readonly members: ReadonlyArray<string>
  /**
   * SHA-256 of what it was and of what it is. Whoever has let a person agree to a tool keeps the
   * fingerprint, and asks again when it is another one (V25-LIST-05).
   */
  readonly fingerprint: { readonly before: string; readonly after: string }
}

/** How one content of a list differs from an earlier one. */
export interface ListDifference<Item> {
  readonly added: ReadonlyArray<Item>
  readonly removed: ReadonlyArray<Item>
  readonly changed: ReadonlyArray<ChangedItem<Item>>
  /** Whether those that are in both come in another order. */
  readonly reordered: boolean
}

/** Tells the items of a list apart. */
export type KeyOf<Item> = (item: Item) => string

/** Compares two contents of a list; only what differs costs more than a glance. */
export const differenceOf = <Item extends object>(
  before: ReadonlyArray<Item>,
  after: ReadonlyArray<Item>,
  keyOf: KeyOf<Item>,
): ListDifference<Item> => {
  const left = new Map(before.map((item) => [keyOf(item), item]))
  const added: Array<Item> = []
  const changed: Array<ChangedItem<Item>> = []
  const kept: Array<string> = []
  for (const item of after) {
    const key = keyOf(item)
    const earlier = left.get(key)
    if (earlier === undefined) {
      added.push(item)
      continue
    }
    left.delete(key)
    kept.push(key)
    if (!sameJson(earlier, item)) changed.push(changedItem(key, earlier, item))
  }
  const removed = [...left.values()]
  return { added, removed, changed, reordered: !isInOrder(kept, before, left, keyOf) }
}

/** Whether two contents of a list differ in their order alone. */
export const isReordering = <Item>(
  before: ReadonlyArray<Item>,
  after: ReadonlyArray<Item>,
  keyOf: KeyOf<Item>,
): boolean => {
  if (before.length !== after.length) return false
  const earlier = new Map(before.map((item) => [keyOf(item), item]))
  return after.every((item) => sameJson(earlier.get(keyOf(item)), item))
}

const isInOrder = <Item>(
  kept: ReadonlyArray<string>,
  before: ReadonlyArray<Item>,
  removed: ReadonlyMap<string, Item>,
  keyOf: KeyOf<Item>,
): boolean => {
  const stayed = before.map(keyOf).filter((key) => !removed.has(key))
  return stayed.every((key, index) => key === kept[index])
}

const changedItem = <Item extends object>(
  key: string,
  before: Item,
  after: Item,
): ChangedItem<Item> => ({
  key,
  before,
  after,
  members: differingMembers(before, after),
  fingerprint: { before: fingerprint(before), after: fingerprint(after) },
})

const differingMembers = (before: object, after: object): ReadonlyArray<string> => {
  const earlier = new Map<string, unknown>(Object.entries(before))
  const later = new Map<string, unknown>(Object.entries(after))
  const names = new Set([...earlier.keys(), ...later.keys()])
  return [...names].filter((name) => !sameJson(earlier.get(name), later.get(name))).toSorted()
}
