import { expect } from "vitest"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { Client, memoryVerdicts } from "@entente/client"
import {
  legacyServer,
  memoryPeer,
  modernServer,
  tool,
  withRules,
  type Rule,
} from "@entente/testkit"

const slowPages = Array.from({ length: 32 }, (_, index): Rule => {
  const cursor = index === 0 ? { $present: false } : String(index)
  const result = { tools: [tool(`tool-${index}`)], nextCursor: String(index + 1) }
  return {
    when: { method: "tools/list", params: { cursor } },
    reply: [{ delay: 9_000 }, { result: { resultType: "complete", ...result } }],
  }
})

const servers = { legacy: legacyServer, modern: modernServer } as const
const eras = ["legacy", "modern"] as const

const connect = (mode: keyof typeof servers) =>
  Effect.gen(function* () {
    const peer = memoryPeer(withRules(servers[mode]({ tools: [] }), ...slowPages))
    const client = yield* Client.connect(peer.transport, {
      mode,
      verdicts: memoryVerdicts(),
      timeoutMs: 10_000,
    })
    return { peer, client }
  })

const six = Array.from({ length: 6 }, (_, index) => `tool-${index}`)

it.effect.each(eras)(
  "C100 the deadline of 60 s covers the whole walk, and the page under way is cancelled: %s",
  (era) =>
    Effect.gen(function* () {
      const { peer, client } = yield* connect(era)
      const walk = yield* Effect.forkChild(client.tools.list(), { startImmediately: true })
      yield* TestClock.adjust("60 seconds")
      const listing = yield* Fiber.join(walk)
      expect(listing).toMatchObject({
        status: "partial",
        pages: 6,
        reason: { code: "walk-deadline" },
      })
      expect(listing.items.map(({ name }) => name)).toEqual(six)
      const cancelled = yield* Effect.promise(() => peer.next("notifications/cancelled"))
      const seventh = peer.requests("tools/list").at(-1)
      expect(peer.requests("tools/list")).toHaveLength(7)
      expect(cancelled.message).toMatchObject({ params: { requestId: seventh?.message.id } })
    }),
)

it.effect.each(eras)(
  "C100 a consumer that streams has the items of the pages that came, then the error with them: %s",
  (era) =>
    Effect.gen(function* () {
      const { peer, client } = yield* connect(era)
      const seen: Array<string> = []
      const walk = client.tools.stream().pipe(
        Stream.runForEach((item) => Effect.sync(() => seen.push(item.name))),
        Effect.flip,
      )
      const fiber = yield* Effect.forkChild(walk, { startImmediately: true })
      yield* TestClock.adjust("59 seconds")
      expect(fiber.pollUnsafe()).toBeUndefined()
      expect(seen).toEqual(six)
      yield* TestClock.adjust("1 second")
      const error = yield* Fiber.join(fiber)
      expect(seen).toEqual(six)
      expect(error).toMatchObject({
        _tag: "ListIncomplete",
        reason: { code: "walk-deadline" },
        items: six.map((name) => ({ name })),
        itemCount: 6,
      })
      expect(peer.requests("tools/list")).toHaveLength(7)
      yield* Effect.promise(() => peer.next("notifications/cancelled"))
    }),
)
