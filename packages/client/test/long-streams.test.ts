import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { describe, expect, it } from "vitest"
import { Client, memoryVerdicts, type EntenteError } from "@entente/client"
import type { ListIncomplete } from "@entente/protocol"
import { memoryPeer, modernServer, legacyServer, refusal, tool, withRules } from "@entente/testkit"
import type { Rule } from "@entente/testkit"
import { connected } from "./field/connected.js"

setFlagsFromString("--expose-gc")
const collectGarbage = runInNewContext("gc") as () => void // a flag of the engine brings it

const [perPage, pageCount] = [100, 30]

/** A list of three thousand tools; the last page of it fails where `breaks` says so. */
const longList = (breaks: boolean): ReadonlyArray<Rule> =>
  Array.from({ length: pageCount }, (_, page): Rule => {
    const cursor = page === 0 ? { $present: false } : `${page}`
    const tools = Array.from({ length: perPage }, (_item, index) =>
      tool(`${page}.${index}`, { outputSchema: { type: "object" } }),
    )
    const last = page === pageCount - 1
    const result = { resultType: "complete", tools, ...(last ? {} : { nextCursor: `${page + 1}` }) }
    const when = { method: "tools/list", params: { cursor } }
    return { when, reply: last && breaks ? refusal(200, -32603, "no") : [{ result }] }
  })

const servers = {
  legacy: (breaks: boolean) => withRules(legacyServer({ tools: [] }), ...longList(breaks)),
  modern: (breaks: boolean) => withRules(modernServer({ tools: [] }), ...longList(breaks)),
}

describe.each(["legacy", "modern"] as const)("a stream of a long list of a %s server", (era) => {
  /** How many of the first page's tools are still alive at the last page. */
  const survivors = async (retain: boolean | undefined): Promise<number> => {
    await using client = await connected(memoryPeer(servers[era](false)).transport)
    const first: Array<WeakRef<object>> = []
    let alive = -1
    for await (const { page, items } of client.tools.pages(
      retain === undefined ? {} : { retain },
    )) {
      if (page === 1) first.push(...items.map((item) => new WeakRef(item)))
      if (page < pageCount) continue
      // A weak reference holds on until the task that read or made it is over.
      await new Promise((resolve) => setImmediate(resolve))
      collectGarbage()
      alive = first.filter((item) => item.deref() !== undefined).length
    }
    return alive
  }

  it("holds none of the tools that it has delivered, unless it is asked to", async () => {
    expect(await survivors(undefined)).toBe(0)
    expect(await survivors(false)).toBe(0)
    expect(await survivors(true)).toBe(perPage)
  })

  it("fails with all of them, or none, and with their number", async () => {
    const failing = (options: { readonly retain?: boolean }) =>
      Effect.gen(function* () {
        const peer = memoryPeer(servers[era](true))
        const client = yield* Client.connect(peer.transport, { verdicts: memoryVerdicts() })
        let seen = 0
        const stream = client.tools.stream(options)
        const counted = Stream.runForEach(stream, () => Effect.sync(() => seen++))
        const error: EntenteError = yield* Effect.flip(counted)
        expect(error._tag).toBe("ListIncomplete")
        const { items, itemCount } = error as ListIncomplete
        return { seen, kept: items.length, itemCount }
      }).pipe(Effect.scoped, Effect.runPromise)
    const all = (pageCount - 1) * perPage
    expect(await failing({})).toEqual({ seen: all, kept: 0, itemCount: all })
    expect(await failing({ retain: false })).toEqual({ seen: all, kept: 0, itemCount: all })
    expect(await failing({ retain: true })).toEqual({ seen: all, kept: all, itemCount: all })
  })
})
