import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { fingerprint } from "@entente/client"
import { differenceOf, isReordering } from "../../src/list/list-difference.js"
import { KeptList } from "../../src/list/kept-list.js"
import type { Listing } from "../../src/list/listing.js"
import { sameJson } from "../../src/list/same-json.js"

interface Item {
  readonly name: string
  readonly [member: string]: unknown
}

const nameOf = ({ name }: Item): string => name
const item = (name: string, rest: object = {}): Item => ({ name, ...rest })

const deep = (depth: number, end: unknown): unknown => {
  let value = end
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { in: value }
  return value
}

const content = fc.uniqueArray(
  fc.record({
    name: fc.oneof(fc.string({ maxLength: 3 }), fc.constant("__proto__")),
    value: fc.jsonValue(),
  }),
  { selector: nameOf, maxLength: 8 },
)

describe("how two contents of a list differ", () => {
  it("V25-LIST-05 says what came, what went, and which members of what stayed are others", () => {
    const add = item("add", { description: "Adds", inputSchema: { type: "object" } })
    const sub = item("sub")
    const mul = item("mul")
    const changed = { ...add, description: "Deletes everything", title: "Add" }
    expect(differenceOf([add, sub], [changed, mul], nameOf)).toEqual({
      added: [mul],
      removed: [sub],
      changed: [
        {
          key: "add",
          before: add,
          after: changed,
          members: ["description", "title"],
          fingerprint: { before: fingerprint(add), after: fingerprint(changed) },
        },
      ],
      reordered: false,
    })
  })

  it("another order is told apart from other content", () => {
    const items = ["a", "b", "c"].map((name) => item(name))
    const turned = items.toReversed()
    expect(differenceOf(items, turned, nameOf)).toEqual({
      added: [],
      removed: [],
      changed: [],
      reordered: true,
    })
    expect(isReordering(items, turned, nameOf)).toBe(true)
    expect(isReordering(items, [item("a"), item("b"), item("d")], nameOf)).toBe(false)
    expect(differenceOf(items, [item("c")], nameOf).reordered).toBe(false)
  })

  it("members named like those of prototypes are members like others", () => {
    const evil = (value: number): Item =>
      JSON.parse(`{"name":"__proto__","__proto__":${value},"constructor":1}`)
    const [change] = differenceOf([evil(1)], [evil(2)], nameOf).changed
    expect(change).toMatchObject({ key: "__proto__", members: ["__proto__"] })
    expect(differenceOf([evil(1)], [evil(1)], nameOf).changed).toEqual([])
  })

  it("values of any depth are compared", () => {
    const [one, same, other] = [deep(100_000, 1), deep(100_000, 1), deep(100_000, 2)]
    expect([sameJson(one, same), sameJson(one, other)]).toEqual([true, false])
    const difference = differenceOf([item("a", { one })], [item("a", { one: other })], nameOf)
    expect(difference.changed[0]?.members).toEqual(["one"])
  })

  it("takes one content to the other, whatever they are", () => {
    fc.assert(
      fc.property(content, content, (before, after) => {
        const { added, removed, changed, reordered } = differenceOf(before, after, nameOf)
        const gone = new Set(removed)
        const stay = new Map(changed.map(({ key, after: now }) => [key, now]))
        const made = before.filter((one) => !gone.has(one)).map((one) => stay.get(one.name) ?? one)
        const sorted = (items: ReadonlyArray<Item>) =>
          items.toSorted((one, two) => (one.name < two.name ? -1 : 1))
        expect(sameJson(sorted([...made, ...added]), sorted(after))).toBe(true)
        for (const { before: was, after: is, fingerprint: print } of changed) {
          expect(print.before).not.toBe(print.after)
          expect(sameJson(was, is)).toBe(false)
        }
        const isNothing = added.length + removed.length + changed.length === 0
        expect(isNothing && !reordered).toBe(sameJson(before, after))
        expect(isReordering(before, after, nameOf)).toBe(isNothing)
      }),
    )
  })
})

describe("the list that is kept", () => {
  const read = (...names: ReadonlyArray<string>): Listing<Item> => ({
    status: "complete",
    version: 0,
    pages: 1,
    items: names.map((name) => item(name)),
    quarantined: [],
    stale: false,
  })

  it("C125 its version moves with its content and with nothing else", () => {
    const kept = new KeptList(nameOf)
    const adopt = (...names: ReadonlyArray<string>) => kept.adopt(read(...names), kept.begin())
    expect(adopt("a", "b")).toMatchObject({ listing: { version: 1 }, news: true })
    expect(adopt("a", "b")).toMatchObject({ listing: { version: 1, changed: false }, news: false })
    expect(adopt("b", "a")).toMatchObject({ listing: { version: 2, changed: true }, news: false })
    expect(adopt("b")).toMatchObject({ listing: { version: 3, changed: true }, news: true })
  })

  it("a walk that began earlier and ends later brings nothing old back", () => {
    const kept = new KeptList(nameOf)
    const [early, late] = [kept.begin(), kept.begin()]
    kept.adopt(read("new"), late)
    expect(kept.adopt(read("old"), early)).toMatchObject({
      listing: { version: 1, items: [{ name: "new" }] },
      news: false,
    })
  })

  it("what is not offered any more is gone, once, and may come again", () => {
    const kept = new KeptList(nameOf)
    const none: Listing<Item> = { ...read(), status: "unsupported" }
    kept.withdraw(none)
    expect(kept.listing).toBe(undefined)
    kept.adopt(read("a"), kept.begin())
    kept.withdraw(none)
    kept.withdraw(none)
    expect(kept.listing).toMatchObject({ status: "unsupported", version: 2, items: [] })
    kept.adopt(read("a"), kept.begin())
    expect(kept.listing).toMatchObject({ status: "complete", version: 3 })
  })
})
