import { expect, it } from "vitest"
import type { ResultStore } from "@entente/client"

/** Keys as clients make them. */
export const keyOf = (group: number, name: number): string =>
  `${group.toString(16).padStart(64, "0")}.${name.toString(16).padStart(64, "0")}`

export const entry = (text: string, ttlMs = 60_000) => ({ text, ttlMs, scope: "public" }) as const

/** What every store does, whatever it keeps things in. Those of this package give values or promises. */
export const behavesAsStore = (open: () => ResultStore | Promise<ResultStore>): void => {
  it("gives back what was set last, and nothing where nothing was", async () => {
    const store = await open()
    const key = keyOf(1, 1)
    expect((await store.get(key)) ?? undefined).toBeUndefined()
    await store.set(key, entry("one"))
    await store.set(key, entry("two"))
    expect(await store.get(key)).toBe("two")
  })

  it.each(["", "\u0000", "ünïcödé 🙂 \u2028", '{"__proto__":{}}', "x".repeat(3_000_000)])(
    "keeps any text (%#)",
    async (text) => {
      const store = await open()
      await store.set(keyOf(1, 1), entry(text))
      expect(await store.get(keyOf(1, 1))).toBe(text)
    },
  )

  it("forgets one key, or all with the same first half, and no other", async () => {
    const store = await open()
    const keys = [keyOf(1, 1), keyOf(1, 2), keyOf(1, 3), keyOf(2, 1), keyOf(16, 1)]
    for (const key of keys) await store.set(key, entry(key))
    const left = async () => {
      const texts = await Promise.all(keys.map((key) => store.get(key)))
      return keys.flatMap((_, index) => (typeof texts[index] === "string" ? [index] : []))
    }
    expect(await left()).toEqual([0, 1, 2, 3, 4])
    await store.delete(keyOf(1, 2))
    expect(await left()).toEqual([0, 2, 3, 4])
    await store.delete(keyOf(1, 2))
    await store.delete(keyOf(1, 0).replace(/\..*/, "."))
    expect(await left()).toEqual([3, 4])
    await store.delete(keyOf(3, 0).replace(/\..*/, "."))
    expect(await left()).toEqual([3, 4])
  })
}
