import { expect } from "vitest"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { Client, memoryVerdicts } from "@entente/client"
import { legacyServer, memoryPeer, tool, withRules, type Rule } from "@entente/testkit"

const slowPages = Array.from({ length: 32 }, (_, index): Rule => {
  const cursor = index === 0 ? { $present: false } : String(index)
  return {
    when: { method: "tools/list", params: { cursor } },
    reply: [
      { delay: 9_000 },
      { result: { tools: [tool(`tool-${index}`)], nextCursor: String(index + 1) } },
    ],
  }
})

const connect = Effect.gen(function* () {
  const peer = memoryPeer(withRules(legacyServer({ tools: [] }), ...slowPages))
  const client = yield* Client.connect(peer.transport, {
    mode: "legacy",
    verdicts: memoryVerdicts(),
    timeoutMs: 10_000,
  })
  return { peer, client }
})

it.effect(
  "C100 the deadline of 60 s covers the whole walk, and the page under way is cancelled",
  () =>
    Effect.gen(function* () {
      const { peer, client } = yield* connect
      const walk = yield* Effect.forkChild(client.tools.list(), { startImmediately: true })
      yield* TestClock.adjust("60 seconds")
      const listing = yield* Fiber.join(walk)
      expect(listing).toMatchObject({
        status: "partial",
        pages: 6,
        reason: { code: "walk-deadline" },
      })
      expect(listing.items).toHaveLength(6)
      const cancelled = yield* Effect.promise(() => peer.next("notifications/cancelled"))
      const seventh = peer.requests("tools/list").at(-1)
      expect(peer.requests("tools/list")).toHaveLength(7)
      expect(cancelled.message).toMatchObject({ params: { requestId: seventh?.message.id } })
    }),
)

it.effect("C100 a consumer that streams has the items of the pages that came, then the error", () =>
  Effect.gen(function* () {
    const { client } = yield* connect
    const seen: Array<string> = []
    const walk = client.tools.stream().pipe(
      Stream.runForEach((item) => Effect.sync(() => seen.push(item.name))),
      Effect.flip,
    )
    const fiber = yield* Effect.forkChild(walk, { startImmediately: true })
    yield* TestClock.adjust("60 seconds")
    const error = yield* Fiber.join(fiber)
    expect(seen).toEqual(Array.from({ length: 6 }, (_, index) => `tool-${index}`))
    expect(error).toMatchObject({ _tag: "ListIncomplete", reason: { code: "walk-deadline" } })
  }),
)
