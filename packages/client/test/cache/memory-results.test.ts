import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { connect, memoryResults, memoryVerdicts } from "@entente/client"
import { memoryPeer, modernServer, tool } from "@entente/testkit"
import { toolNames, toolsSeen } from "./kept.js"
import { behavesAsStore, entry, keyOf } from "./store-contract.js"

describe("results in memory", () => {
  behavesAsStore(() => memoryResults())

  it("stay within their bounds, whatever is done, and give back nothing else than was set last", () => {
    const errand = fc.record({
      what: fc.constantFrom("get", "set", "delete", "deleteGroup"),
      group: fc.nat(2),
      name: fc.nat(5),
      length: fc.nat(600),
    })
    fc.assert(
      fc.property(
        fc.array(errand, { maxLength: 60 }),
        fc.integer({ min: 1, max: 6 }),
        (errands, maxEntries) => {
          const maxBytes = 2_000
          const store = memoryResults({ maxEntries, maxBytes })
          const set = new Map<string, string>()
          for (const [index, { what, group, name, length }] of errands.entries()) {
            const key = keyOf(group, name)
            const prefix = key.slice(0, 65)
            if (what === "set") {
              set.set(key, String(index).padEnd(length, "x"))
              store.set(key, entry(set.get(key) ?? ""))
            }
            if (what === "delete") {
              set.delete(key)
              store.delete(key)
            }
            if (what === "deleteGroup") {
              for (const each of set.keys()) if (each.startsWith(prefix)) set.delete(each)
              store.delete(prefix)
            }
            const there = [...set].flatMap(([each, text]) => {
              const found = store.get(each)
              if (found === undefined) return []
              expect(found).toBe(text)
              return [2 * (each.length + text.length)]
            })
            expect(there.length).toBeLessThanOrEqual(maxEntries)
            expect(there.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(maxBytes)
          }
        },
      ),
    )
  })

  it("lose first what was used least recently", () => {
    const store = memoryResults({ maxEntries: 2 })
    store.set(keyOf(1, 1), entry("one"))
    store.set(keyOf(1, 2), entry("two"))
    store.get(keyOf(1, 1))
    store.set(keyOf(1, 3), entry("three"))
    expect([1, 2, 3].map((name) => store.get(keyOf(1, name)))).toEqual(["one", undefined, "three"])
  })

  it("keep nothing that is larger than all of it, and forget what it was to take the place of", () => {
    const store = memoryResults({ maxBytes: 1_000 })
    store.set(keyOf(1, 1), entry("small"))
    store.set(keyOf(1, 1), entry("x".repeat(1_000)))
    expect(store.get(keyOf(1, 1))).toBeUndefined()
  })

  it.each([0, -1, 1.5, Number.NaN, Infinity])("a bound of %d is refused", (bound) => {
    expect(() => memoryResults({ maxEntries: bound })).toThrow("maxEntries")
    expect(() => memoryResults({ maxBytes: bound })).toThrow("maxBytes")
  })

  it("belong to one client, unless it is given to several", async () => {
    const peer = memoryPeer(
      modernServer({ tools: [tool("a")], ttlMs: 60_000, cacheScope: "public" }),
    )
    await toolsSeen(peer.transport, {})
    await toolsSeen(peer.transport, {})
    expect(peer.requests("tools/list")).toHaveLength(2)
    const store = memoryResults()
    await using one = await connect(peer.transport, {
      verdicts: memoryVerdicts(),
      cache: { store },
    })
    await using other = await connect(peer.transport, {
      verdicts: memoryVerdicts(),
      cache: { store },
    })
    await toolNames(one)
    await toolNames(other)
    expect(peer.requests("tools/list")).toHaveLength(3)
  })
})
