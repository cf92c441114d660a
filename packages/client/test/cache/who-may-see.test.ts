import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { connect, memoryVerdicts, type CacheOptions } from "@entente/client"
import type { JsonObject } from "@entente/protocol"
import { legacyServer, modernServer, tool, withRules, type Script } from "@entente/testkit"
import { startHttpPeer } from "@entente/testkit/node"
import { http, type HttpOptions, type RequestDecorator } from "@entente/transport"
import { byHeader, complete, detailOf, fresh, openStore, toolNames, toolsSeen } from "./kept.js"

const shown = { "Bearer A": "admin", "Bearer A2": "admin-2", "Bearer B": "read" }
const bearer = (token: string): HttpOptions => ({ headers: { Authorization: `Bearer ${token}` } })
const hints = (cacheScope?: unknown): JsonObject => ({
  ttlMs: 60_000,
  ...(cacheScope === undefined ? {} : { cacheScope }),
})

/** What clients with these options see one after the other, sharing one store, and how often the server was asked. */
const inTurn = async (
  script: Script,
  ...clients: ReadonlyArray<readonly [HttpOptions, Omit<CacheOptions, "store">?]>
) => {
  await using peer = await startHttpPeer(script)
  const store = openStore()
  const seen: Array<string> = []
  for (const [options, cache = {}] of clients) {
    seen.push(...(await toolsSeen(http(peer.url, options), { cache: { ...cache, store } })))
  }
  return { seen, asked: peer.requests("tools/list").length, store }
}

describe("C124 one store for clients with different credentials", () => {
  it.each([["private"], [undefined], ["Public"], ["everybody"], [true], [null]])(
    "C124 V26-CACHE-08 V26-CACHE-09 V26-SEC-14 T-17 T-40 with the scope %j nobody sees what another one may see",
    async (scope) => {
      const script = byHeader("authorization", shown, hints(scope))
      const { seen, asked } = await inTurn(script, [bearer("A")], [bearer("B")], [bearer("A")])
      expect(seen).toEqual(["admin", "read", "admin"])
      // The third has the credentials of the first.
      expect(asked).toBe(2)
    },
  )

  it("C124 V26-CACHE-08 what is public is asked for once", async () => {
    const script = byHeader("authorization", shown, hints("public"))
    const { seen, asked } = await inTurn(script, [bearer("A")], [bearer("B")])
    expect(seen).toEqual(["admin", "admin"])
    expect(asked).toBe(1)
  })

  it("C124 V26-AUTH-36 T-16 a new token starts anew, unless the host says that nothing else has changed", async () => {
    const script = byHeader("authorization", shown, hints("private"))
    const renewed = await inTurn(script, [bearer("A")], [bearer("A2")])
    expect(renewed.seen).toEqual(["admin", "admin-2"])
    const one = { authorization: "user-1 tools:all" }
    const stated = await inTurn(script, [bearer("A"), one], [bearer("A2"), one])
    expect(stated.seen).toEqual(["admin", "admin"])
    // Another principal or other scopes under the same token are somebody else, too.
    const other = { authorization: "user-1 tools:read" }
    const narrowed = await inTurn(script, [bearer("A"), one], [bearer("A"), other], [bearer("A")])
    expect(narrowed.asked).toBe(3)
  })

  it.each([
    ["cookie", { cookie: "sid=A" }, { cookie: "sid=B" }],
    ["x-api-key", { "X-Api-Key": "A" }, { "x-api-key": "B" }],
    ["x-tenant", { "X-Tenant": "A" }, { "X-Tenant": "B" }],
  ])("C124 V26-SEC-14 any header may be a key: %s", async (name, one, other) => {
    const values = {
      [Object.values(one)[0] ?? ""]: "admin",
      [Object.values(other)[0] ?? ""]: "read",
    }
    const script = byHeader(name, values, hints("private"))
    const { seen, asked } = await inTurn(
      script,
      [{ headers: one }],
      [{ headers: other }],
      [{ headers: one }],
    )
    expect(seen).toEqual(["admin", "read", "admin"])
    expect(asked).toBe(2)
  })

  it("C124 V26-SEC-14 so may the address", async () => {
    await using peer = await startHttpPeer(
      withRules(modernServer({ tools: [] }), {
        when: { method: "tools/list" },
        reply: [{ result: { ...complete, ...hints("private"), tools: [tool("mine")] } }],
      }),
    )
    const store = openStore()
    const at = async (change: (url: URL) => void) => {
      const url = new URL(peer.url)
      change(url)
      await toolsSeen(http(url), { cache: { store } })
      return peer.requests("tools/list").length
    }
    const steps: ReadonlyArray<(url: URL) => void> = [
      (url) => void (url.username = "a"),
      (url) => void (url.username = "b"),
      (url) => void (url.search = "?api_key=a"),
      (url) => void (url.search = "?api_key=b"),
    ]
    const counts: Array<number> = []
    for (const step of [...steps, ...steps]) counts.push(await at(step))
    expect(counts).toEqual([1, 2, 3, 4, 4, 4, 4, 4])
  })

  it("C124 V26-DUAL-06 nothing of a legacy server is kept, whatever it says", async () => {
    const script = withRules(legacyServer({ tools: [] }), {
      when: { method: "tools/list" },
      reply: [{ result: { ...fresh, tools: [tool("a")] } }],
    })
    const { asked, store } = await inTurn(script, [bearer("A")], [bearer("A")])
    expect(asked).toBe(2)
    expect([...store.entries]).toEqual([])
    expect(store.errands).not.toContain("get")
  })

  it("V26-SEC-14 no store has a secret in it, nor a name of the server", async () => {
    const script = byHeader("authorization", shown, hints("private"))
    const { store } = await inTurn(
      script,
      [bearer("A"), { authorization: "user-1" }],
      [bearer("B")],
    )
    const everything = JSON.stringify([...store.entries])
    expect(everything).not.toMatch(/Bearer|user-1|127\.0\.0\.1|localhost/)
    for (const key of store.entries.keys()) expect(key).toMatch(/^[0-9a-f]{64}\.[0-9a-f]{64}$/)
  })
})

describe("credentials that only a function knows", () => {
  const decorator = (rest: Partial<RequestDecorator> = {}): RequestDecorator => ({
    headers: () => ({ authorization: "Bearer A" }),
    refused: () => "give-up",
    ...rest,
  })
  const unknown: ReadonlyArray<readonly [string, HttpOptions]> = [
    ["requestHeaders", { requestHeaders: () => ({ authorization: "Bearer A" }) }],
    ["authorization", { authorization: decorator() }],
    ["fetch", { ...bearer("A"), fetch: (url, init) => fetch(url, init) }],
  ]

  it.each(unknown)(
    "C124 V26-CACHE-08 %s: nothing private is kept, because the next request may be somebody else's",
    async (_name, options) => {
      await using peer = await startHttpPeer(byHeader("authorization", shown, hints("private")))
      const store = openStore()
      await using client = await connect(http(peer.url, options), {
        verdicts: memoryVerdicts(),
        cache: { store },
      })
      await toolNames(client)
      await toolNames(client)
      expect(peer.requests("tools/list")).toHaveLength(2)
      expect([...store.entries]).toEqual([])
      expect(detailOf(client, "result-not-kept")).toContain("cache.authorization")
    },
  )

  it.each(unknown)(
    "%s: with the word of the host it is kept, and what is public anyway",
    async (_name, options) => {
      const stated = { authorization: "user-1" }
      const kept = await inTurn(
        byHeader("authorization", shown, hints("private")),
        [options, stated],
        [bearer("B"), stated],
      )
      expect(kept.asked).toBe(1)
      const shared = await inTurn(
        byHeader("authorization", shown, hints("public")),
        [options],
        [bearer("B")],
      )
      expect(shared.asked).toBe(1)
    },
  )

  it("V26-AUTH-36 V26-CACHE-14 after a step-up the list is read again, once", async () => {
    let token = "B"
    const stepsUp = decorator({
      headers: () => ({ authorization: `Bearer ${token}` }),
      credentials: () => `fingerprint of ${token}`,
      refused: () => {
        token = "A"
        return "retry"
      },
    })
    await using peer = await startHttpPeer(
      withRules(
        byHeader("authorization", shown, hints("private")),
        {
          when: { method: "tools/call", headers: { authorization: "Bearer B" } },
          reply: [
            {
              http: {
                status: 403,
                headers: { "www-authenticate": 'Bearer error="insufficient_scope"' },
              },
            },
          ],
        },
        {
          when: { method: "tools/call" },
          reply: [{ result: { ...complete, content: [] } }],
        },
      ),
    )
    await using client = await connect(http(peer.url, { authorization: stepsUp }), {
      verdicts: memoryVerdicts(),
    })
    expect(await toolNames(client)).toEqual(["read"])
    expect(await toolNames(client)).toEqual(["read"])
    expect(client.tools.last?.stale).toBe(false)
    await client.callTool({ name: "read" })
    expect(token).toBe("A")
    // What is still shown is known to be somebody else's.
    expect(client.tools.last?.stale).toBe(true)
    expect(await toolNames(client)).toEqual(["admin"])
    expect(client.tools.last?.stale).toBe(false)
    expect(await toolNames(client)).toEqual(["admin"])
    expect(peer.requests("tools/list")).toHaveLength(2)
  })

  it("C124 V26-CACHE-08 what comes after the token was renewed is not kept under the old one", async () => {
    let token = "B"
    const renews = decorator({
      headers: () => ({ authorization: `Bearer ${token}` }),
      credentials: () => token,
      refused: () => {
        token = "A"
        return "retry"
      },
    })
    await using peer = await startHttpPeer(
      withRules(byHeader("authorization", shown, hints("private")), {
        when: { method: "tools/list", headers: { authorization: "Bearer B" } },
        reply: [{ http: { status: 401, headers: { "www-authenticate": "Bearer" } } }],
        times: 1,
      }),
    )
    const store = openStore()
    const cache = { store }
    expect(await toolsSeen(http(peer.url, { authorization: renews }), { cache })).toEqual(["admin"])
    expect([...store.entries]).toEqual([])
    token = "B"
    expect(await toolsSeen(http(peer.url, { authorization: renews }), { cache })).toEqual(["read"])
  })

  it("a function of the host is asked each time, and one that fails or says nothing keeps nothing private", async () => {
    await using peer = await startHttpPeer(byHeader("authorization", shown, hints("private")))
    let who: string | undefined = "one"
    const authorization = (): string | undefined => {
      if (who === "broken") throw new Error("nobody is there")
      return who
    }
    await using client = await connect(http(peer.url, bearer("A")), {
      verdicts: memoryVerdicts(),
      cache: { authorization },
    })
    const counts: Array<number> = []
    for (const each of ["one", "one", "two", "one", "broken", "broken", undefined, "", "two"]) {
      who = each
      await toolNames(client)
      counts.push(peer.requests("tools/list").length)
    }
    expect(counts).toEqual([1, 1, 2, 2, 3, 4, 5, 6, 6])
  })
})

describe("a browser's cookies", () => {
  beforeAll(() => void Object.assign(globalThis, { document: {} }))
  afterAll(() => void Reflect.deleteProperty(globalThis, "document"))

  it("C124 V26-SEC-14 may change unheard, so that nothing private is kept there", async () => {
    const script = byHeader("authorization", shown, hints("private"))
    const { asked } = await inTurn(script, [bearer("A")], [bearer("A")])
    expect(asked).toBe(2)
  })
})
