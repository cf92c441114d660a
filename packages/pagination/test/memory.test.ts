import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { describe, expect, it } from "vitest"
import { paginate, type PaginationPolicy } from "../src/index.js"

interface Item {
  readonly name: string
}

setFlagsFromString("--expose-gc")
const collectGarbage = runInNewContext("gc") as () => void // a flag of the engine brings it

/** Streams 100,000 items, and counts how many of the first page are still alive near the end. */
const survivors = async (policy: PaginationPolicy<Item, never>) => {
  const first: Array<WeakRef<Item>> = []
  const fetchPage = (cursor: string | undefined, { page }: { readonly page: number }) => {
    const items = Array.from({ length: 100 }, (_, index): Item => ({ name: `${page}.${index}` }))
    if (cursor === undefined) first.push(...items.map((item) => new WeakRef(item)))
    return Effect.succeed({ items, ...(page < 1_000 ? { nextCursor: `${page}` } : {}) })
  }
  let alive = -1
  const count = Effect.promise(async () => {
    // A weak reference holds on until the task that read or made it is over.
    await new Promise((resolve) => setImmediate(resolve))
    collectGarbage()
    alive = first.filter((one) => one.deref() !== undefined).length
  })
  await paginate(fetchPage, policy).pages.pipe(
    Stream.runForEach(({ page }) => (page === 990 ? count : Effect.void)),
    Effect.runPromise,
  )
  return alive
}

describe("a stream of 100,000 items", () => {
  it("keeps what its error would carry", async () => {
    expect(await survivors({})).toBe(100)
  }, 60_000)

  it("holds no item where there are more than it may retain", async () => {
    expect(await survivors({ retain: 1_000 })).toBe(0)
    expect(await survivors({ retain: 100_000 })).toBe(100)
  }, 60_000)

  it("holds no item under retain: false", async () => {
    expect(await survivors({ retain: false })).toBe(0)
    expect(await survivors({ retain: false, identify: (item) => item.name, prefetch: 2 })).toBe(0)
  }, 60_000)
})
