import { describe, expect } from "vitest"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { Client, memoryVerdicts } from "@entente/client"
import { withRules, type Step } from "@entente/testkit"
import { httpPeer } from "@entente/testkit/node"
import { http } from "@entente/transport"
import { passUntil, until } from "../field/scripted-http.js"
import { asked, isOpen, listen, noted, server, subscription, ways, works } from "./modern-peers.js"

describe("a server that does not want to be listened to", () => {
  const refusals: ReadonlyArray<readonly [string, Step]> = [
    ["404 with -32601", { status: 404, error: { code: -32601, message: "Method not found" } }],
    ["-32601", { error: { code: -32601, message: "Method not found" } }],
    ["400 with -32602", { status: 400, error: { code: -32602, message: "no" } }],
    ["-32021", { status: 400, error: { code: -32021, message: "no tasks" } }],
    ["404 without JSON-RPC", { http: { status: 404 } }],
    ["401", { http: { status: 401 } }],
    ["501", { http: { status: 501 } }],
  ]

  it.effect.each(refusals)(
    "V26-SUB-16 C037 (b) answered with %s it is asked once, noted, and nothing else changes",
    ([, step]) =>
      Effect.gen(function* () {
        const { peer, client } = yield* ways.http(withRules(server(), listen([step])))
        yield* until(() => client.listening === "unsupported")
        expect(noted(client)).toEqual(["listening-unsupported"])
        yield* client.tools.list()
        yield* TestClock.adjust("1 hour")
        expect(asked(peer)).toHaveLength(1)
        // Freshness comes from reading: nothing is polled in the background.
        expect(peer.requests("tools/list")).toHaveLength(1)
        expect(client.era).toBe("modern")
        yield* works(client)
      }),
  )

  it.effect("V26-SUB-16 C049 a 503 is tried once more, later; then it is unavailable", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* ways.http(
        withRules(server(), listen([{ http: { status: 503 } }])),
      )
      yield* until(() => client.listening === "backingOff")
      yield* passUntil(() => client.listening === "unavailable")
      expect(asked(peer)).toHaveLength(2)
      expect(noted(client)).toEqual(["listening-unavailable"])
      yield* works(client)
    }),
  )

  it.effect("V26-SUB-11 a stream that was open survives an outage of its server", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* ways.http(server())
      yield* isOpen(client)
      peer.add(listen([{ http: { status: 503 } }], { times: 3 }))
      peer.play([{ destroy: true }], subscription)
      yield* passUntil(() => asked(peer).length === 5 && client.listening === "open")
      yield* works(client)
    }),
  )

  it.effect("V26-SUB-18 a token that has expired is renewed, and the stream is opened again", () =>
    Effect.gen(function* () {
      const peer = yield* httpPeer(
        withRules(server(), {
          when: { headers: { authorization: { $noneOf: ["Bearer 1", "Bearer 2"] } } },
          reply: [{ http: { status: 401, headers: { "www-authenticate": "Bearer" } } }],
        }),
      )
      let token = 1
      const transport = http(peer.url, {
        authorization: {
          headers: () => ({ authorization: `Bearer ${token}` }),
          refused: () => {
            token = 2
            return "retry"
          },
        },
      })
      const client = yield* Client.connect(transport, {
        verdicts: memoryVerdicts(),
        mode: "modern",
      })
      yield* isOpen(client)
      peer.add({
        when: { headers: { authorization: "Bearer 1" } },
        reply: [{ http: { status: 401, headers: { "www-authenticate": "Bearer" } } }],
      })
      peer.play([{ destroy: true }], subscription)
      yield* passUntil(() => client.listening === "open" && asked(peer).length === 3)
      expect(
        peer.requests("subscriptions/listen").map(({ headers }) => headers?.["authorization"]),
      ).toEqual(["Bearer 1", "Bearer 1", "Bearer 2"])
      yield* works(client)
    }),
  )

  it.effect(
    "a server that is away when it is opened again is recovered from, and listened to",
    () =>
      Effect.gen(function* () {
        const { peer, client } = yield* ways.http(server(), {
          reconnect: { baseMs: 100, maxMs: 100, maxAttempts: 50 },
        })
        yield* client.tools.list()
        yield* isOpen(client)
        yield* Effect.promise(() => peer.close())
        yield* passUntil(() => client.state === "recovering")
        yield* Effect.promise(() => peer.restart())
        yield* passUntil(() => client.state === "ready")
        yield* passUntil(() => client.listening === "open")
        yield* passUntil(() => client.tools.last?.stale === false)
        yield* works(client)
      }),
  )
})
