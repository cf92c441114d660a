import { it as itEffect } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect, it } from "vitest"
import { Client, connect, memoryVerdicts } from "@entente/client"
import type { JsonObject } from "@entente/protocol"
import {
  memoryPeer,
  modernServer,
  pages,
  tool,
  withRules,
  type ModernServerOptions,
  type Rule,
} from "@entente/testkit"
import { startHttpPeer } from "@entente/testkit/node"
import { http } from "@entente/transport"
import { connected, names } from "./field/connected.js"

const fresh = { ttlMs: 60_000, cacheScope: "public" } as const
const complete = { resultType: "complete", ...fresh }

/** A server that tells each bearer something else about itself. */
const personal = (hints: JsonObject) => {
  const discovered = (who: string): Rule => ({
    when: { method: "server/discover", headers: { authorization: `Bearer ${who}` } },
    reply: [
      {
        result: {
          resultType: "complete",
          supportedVersions: ["2026-07-28"],
          capabilities: { tools: {} },
          instructions: `for ${who}`,
          ...hints,
        },
      },
    ],
  })
  return withRules(modernServer({ tools: [tool("a")] }), discovered("one"), discovered("two"))
}

describe("what a modern server said of itself", () => {
  const asEach = async (hints: JsonObject) => {
    await using peer = await startHttpPeer(personal(hints))
    const verdicts = memoryVerdicts()
    const heard: Array<string | undefined> = []
    for (const who of ["one", "two"]) {
      const transport = http(peer.url, { headers: { authorization: `Bearer ${who}` } })
      await using client = await connect(transport, { verdicts })
      expect(client.era).toBe("modern")
      heard.push(client.instructions)
      expect(JSON.stringify(verdicts.get(transport.key))).toContain('"era":"modern"')
    }
    const kept = JSON.stringify(verdicts.get(http(peer.url).key))
    return { heard, kept, asked: peer.requests("server/discover").length }
  }

  it.each([
    { ttlMs: 60_000, cacheScope: "private" },
    { ttlMs: 60_000 },
    { ttlMs: 60_000, cacheScope: "Public" },
  ])(
    "V26-CACHE-08 V26-SEC-14 V26-CACHE-09 with %j is not told to whoever comes with other credentials, nor kept",
    async (hints) => {
      const { heard, kept, asked } = await asEach(hints)
      expect(heard).toEqual(["for one", "for two"])
      expect(asked).toBe(2)
      expect(kept).not.toContain("for ")
    },
  )

  it("V26-DISC-02 V26-CACHE-01 V26-CACHE-08 serves the next connection where it is public and fresh", async () => {
    const { heard, asked } = await asEach({ ttlMs: 60_000, cacheScope: "public" })
    expect(heard).toEqual(["for one", "for one"])
    expect(asked).toBe(1)
  })

  it("V26-DISC-02 V26-CACHE-01 is asked for once by all who connect within its time", async () => {
    await using peer = await startHttpPeer(
      modernServer({ tools: [tool("a")], ttlMs: 60_000, cacheScope: "public" }),
    )
    const verdicts = memoryVerdicts()
    for (let run = 0; run < 3; run++) {
      await using client = await connect(http(peer.url), { verdicts })
      expect(client.capabilities).toEqual({ tools: {} })
    }
    expect(peer.requests("server/discover")).toHaveLength(1)
  })

  it("T-43 V26-CACHE-05 is asked for before its time where the server does not know what it said it had", async () => {
    await using peer = await startHttpPeer(
      modernServer({ tools: [tool("a")], ttlMs: 60_000, cacheScope: "public" }),
    )
    const verdicts = memoryVerdicts()
    const run = async () => {
      await using client = await connect(http(peer.url), { verdicts })
      return (await client.tools.list({ refresh: true })).status
    }
    expect(await run()).toBe("complete")
    // An upgrade in the middle of the time takes the tools away.
    peer.replace(modernServer({ prompts: [], ttlMs: 60_000, cacheScope: "public" }).rules)
    expect(await run()).toBe("unavailable")
    expect(peer.requests("server/discover")).toHaveLength(1)
    expect(await run()).toBe("unsupported")
    expect(await run()).toBe("unsupported")
    expect(peer.requests("server/discover")).toHaveLength(2)
  })

  itEffect.effect("V26-CACHE-02 V26-CACHE-03 is asked for again once it is stale", () =>
    Effect.gen(function* () {
      const askedAfter = (options: ModernServerOptions, ms: number) =>
        Effect.gen(function* () {
          const peer = memoryPeer(modernServer({ tools: [], cacheScope: "public", ...options }))
          const verdicts = memoryVerdicts()
          yield* Effect.scoped(Client.connect(peer.transport, { verdicts }))
          yield* TestClock.adjust(ms)
          yield* Effect.scoped(Client.connect(peer.transport, { verdicts }))
          return peer.requests("server/discover").length
        })
      expect(yield* askedAfter({ ttlMs: 5_000 }, 4_999)).toBe(1)
      expect(yield* askedAfter({ ttlMs: 5_000 }, 5_000)).toBe(2)
      expect(yield* askedAfter({ ttlMs: 0 }, 0)).toBe(2)
      expect(yield* askedAfter({}, 0)).toBe(2)
    }),
  )
})

describe("results that may be kept", () => {
  const read = (uri: string): Rule => ({
    when: { method: "resources/read", params: { uri } },
    reply: [{ result: { ...complete, contents: [{ uri, text: `text of ${uri}` }] } }],
  })
  const offers = { tools: [], resources: [], ...fresh }

  it("V26-CACHE-06 answer no other parameters and no other method", async () => {
    const peer = memoryPeer(
      withRules(
        modernServer({ ...offers, prompts: [{ name: "p" }] }),
        read("note://a"),
        read("note://b"),
        ...pages("tools/list", [
          { ...complete, tools: [tool("a")], nextCursor: "2" },
          { ...complete, tools: [tool("b")] },
        ]),
      ),
    )
    await using client = await connected(peer.transport)
    const texts: Array<unknown> = []
    for (const uri of ["note://a", "note://b", "note://a"]) {
      const { contents } = await client.readResource({ uri })
      texts.push(...contents)
    }
    expect(texts).toEqual([
      { uri: "note://a", text: "text of note://a" },
      { uri: "note://b", text: "text of note://b" },
      { uri: "note://a", text: "text of note://a" },
    ])
    expect(names((await client.tools.list()).items)).toEqual(["a", "b"])
    expect(names((await client.prompts.list()).items)).toEqual(["p"])
  })

  it("V26-CACHE-07 V26-MRTR-20 are never those that came after a question", async () => {
    const uri = "note://a"
    const rounds: ReadonlyArray<Rule> = [
      {
        when: { method: "resources/read", params: { requestState: { $present: false } } },
        reply: [{ result: { resultType: "input_required", requestState: "s" } }],
      },
      ...["first", "second"].map((text, index): Rule => ({
        when: { method: "resources/read", params: { requestState: "s" }, nth: index + 1 },
        reply: [{ result: { ...complete, contents: [{ uri, text }] } }],
      })),
    ]
    const peer = memoryPeer(withRules(modernServer(offers), ...rounds))
    await using client = await connected(peer.transport)
    expect((await client.readResource({ uri })).contents).toEqual([{ uri, text: "first" }])
    expect((await client.readResource({ uri })).contents).toEqual([{ uri, text: "second" }])
    expect(peer.requests("resources/read")).toHaveLength(4)
  })

  itEffect.effect("V26-CACHE-04 are not asked for again because time has passed", () =>
    Effect.gen(function* () {
      const peer = memoryPeer(
        modernServer({ tools: [tool("a")], ttlMs: 1_000, cacheScope: "public" }),
      )
      const client = yield* Client.connect(peer.transport, {
        verdicts: memoryVerdicts(),
        keepAlive: { intervalMs: 1_000 },
      })
      yield* client.tools.list()
      const before = peer.methods()
      yield* TestClock.adjust("1 hour")
      expect(peer.methods()).toEqual(before)
      // It is still there, and what came was not thrown away.
      expect(client.tools.last).toMatchObject({ status: "complete", items: [{ name: "a" }] })
      yield* client.tools.list()
      expect(peer.methods().length).toBeGreaterThan(before.length)
    }).pipe(Effect.scoped),
  )
})
