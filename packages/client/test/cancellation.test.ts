import { describe, expect } from "vitest"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
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
import { startHttpPeer } from "@entente/testkit/node"
import { connected } from "./field/connected.js"

const hangs: Rule = { when: { method: "tools/call" }, reply: [{ silence: true }] }
const legacy = withRules(legacyServer({ tools: [tool("slow")] }), hangs)
const modern = withRules(modernServer({ tools: [tool("slow")] }), hangs)

const aborted = { _tag: "RequestAborted", code: "aborted" }

describe("a call that its caller aborts", () => {
  it("V25-CANC-01 V26-CANC-01 is cancelled by a notification on a shared channel, in both eras", async () => {
    for (const script of [legacy, modern]) {
      const peer = memoryPeer(script)
      await using client = await connected(peer.transport)
      const stop = new AbortController()
      const call = client.callTool({ name: "slow" }, { signal: stop.signal })
      const asked = await peer.next("tools/call")
      stop.abort()
      await expect(call).rejects.toMatchObject(aborted)
      const cancelled = await peer.next("notifications/cancelled")
      const { id } = asked.message as { id: number }
      expect(cancelled.message).toMatchObject({ params: { requestId: id } })
    }
  })

  it("V26-HTTP-10 is cancelled by closing its stream and nothing else, in the modern era", async () => {
    await using peer = await startHttpPeer(modern)
    await using client = await connected(peer.url)
    const stop = new AbortController()
    const call = client.callTool({ name: "slow" }, { signal: stop.signal })
    await peer.next("tools/call")
    const left = peer.until(({ kind }) => kind === "disconnect")
    stop.abort()
    await expect(call).rejects.toMatchObject(aborted)
    await left
    expect(peer.methods()).toEqual(["server/discover", "tools/call"])
  })

  it("V25-HTTP-09 is cancelled by a notification of its own over legacy HTTP", async () => {
    await using peer = await startHttpPeer(legacy)
    await using client = await connected(peer.url)
    const stop = new AbortController()
    const call = client.callTool({ name: "slow" }, { signal: stop.signal })
    await peer.next("tools/call")
    stop.abort()
    await expect(call).rejects.toMatchObject(aborted)
    await peer.next("notifications/cancelled")
    await peer.until(({ kind }) => kind === "disconnect")
  })

  it("V26-HTTP-10 is cancelled on the wire also when it had to be sent a second time", async () => {
    const cut: Rule = { when: { method: "tools/call" }, times: 1, reply: [{ destroy: true }] }
    await using peer = await startHttpPeer(withRules(modern, cut))
    await using client = await connected(peer.url)
    const stop = new AbortController()
    const call = client.callTool({ name: "slow" }, { signal: stop.signal, replay: true })
    await peer.next("tools/call")
    await peer.next("tools/call")
    const left = peer.until(({ kind }) => kind === "disconnect")
    stop.abort()
    await expect(call).rejects.toMatchObject(aborted)
    expect(await left).toMatchObject({ message: { method: "tools/call" } })
  })

  it("is not even sent where the signal was aborted before", async () => {
    const peer = memoryPeer(legacy)
    await using client = await connected(peer.transport)
    const call = client.callTool({ name: "slow" }, { signal: AbortSignal.abort() })
    await expect(call).rejects.toMatchObject(aborted)
    expect(peer.methods()).not.toContain("tools/call")
  })

  it("V26-CANC-02 V25-CANC-04 cancels nothing once it has settled, and a late answer is a note", async () => {
    const peer = memoryPeer(legacy)
    await using client = await connected(peer.transport)
    const stop = new AbortController()
    const call = client.callTool({ name: "slow" }, { signal: stop.signal })
    await peer.next("tools/call")
    stop.abort()
    stop.abort()
    await expect(call).rejects.toMatchObject(aborted)
    await peer.next("notifications/cancelled")
    peer.play([{ result: { content: [] } }], { method: "tools/call" })
    await client.tools.list()
    expect(client.notes.map(({ code }) => code)).toContain("late-reply")
    expect(peer.methods().filter((method) => method === "notifications/cancelled")).toHaveLength(1)
  })

  it("V25-LIFE-13 V25-CANC-02 leaves no cancellation behind when it is the connection that is aborted", async () => {
    const peer = memoryPeer(
      withRules(legacyServer({ tools: [] }), {
        when: { method: "initialize" },
        reply: [{ silence: true }],
      }),
    )
    const stop = new AbortController()
    const opening = connected(peer.transport, { signal: stop.signal })
    await peer.next("initialize")
    stop.abort()
    await expect(opening).rejects.toMatchObject(aborted)
    expect(peer.methods()).not.toContain("notifications/cancelled")
    expect(peer.disconnects()).toBe(1)
  })
})

describe("an effect that is interrupted", () => {
  it.effect("reaches the wire before the interruption is over", () =>
    Effect.gen(function* () {
      const peer = memoryPeer(legacy)
      const client = yield* Client.connect(peer.transport, { verdicts: memoryVerdicts() })
      const call = yield* Effect.forkChild(client.callTool({ name: "slow" }))
      yield* Effect.promise(() => peer.next("tools/call"))
      yield* Fiber.interrupt(call)
      yield* Effect.promise(() => peer.next("notifications/cancelled"))
    }),
  )
})

describe("a call that takes too long", () => {
  it.effect("V25-TIME-01 ends as a timeout, and the server is told", () =>
    Effect.gen(function* () {
      const peer = memoryPeer(legacy)
      const options = { verdicts: memoryVerdicts(), timeoutMs: 5_000 }
      const client = yield* Client.connect(peer.transport, options)
      const call = yield* Effect.forkChild(Effect.flip(client.callTool({ name: "slow" })))
      yield* Effect.promise(() => peer.next("tools/call"))
      yield* TestClock.adjust("5 seconds")
      const error = yield* Fiber.join(call)
      expect(error).toMatchObject({
        _tag: "RequestTimeout",
        method: "tools/call",
        timeoutMs: 5_000,
      })
      const cancelled = yield* Effect.promise(() => peer.next("notifications/cancelled"))
      expect(cancelled.message).toMatchObject({ params: { reason: "no answer within 5000 ms" } })
    }),
  )

  it.effect("V25-TIME-02 may take as long as its own option says", () =>
    Effect.gen(function* () {
      const peer = memoryPeer(legacy)
      const client = yield* Client.connect(peer.transport, {
        verdicts: memoryVerdicts(),
        timeoutMs: 5_000,
      })
      const call = yield* Effect.forkChild(
        Effect.flip(client.callTool({ name: "slow" }, { timeoutMs: 60_000 })),
      )
      yield* Effect.promise(() => peer.next("tools/call"))
      yield* TestClock.adjust("59 seconds")
      expect(call.pollUnsafe()).toBeUndefined()
      yield* TestClock.adjust("1 second")
      expect(yield* Fiber.join(call)).toMatchObject({ timeoutMs: 60_000 })
    }),
  )

  it.effect(
    "C064 V25-LIFE-14 V25-LIFE-13 V25-CANC-02 initialize has a deadline too, but is never cancelled",
    () =>
      Effect.gen(function* () {
        const peer = memoryPeer(
          withRules(legacyServer({ tools: [] }), {
            when: { method: "initialize" },
            reply: [{ silence: true }],
          }),
        )
        const opening = yield* Effect.forkChild(
          Effect.flip(
            Client.connect(peer.transport, { verdicts: memoryVerdicts(), mode: "legacy" }),
          ),
        )
        yield* Effect.promise(() => peer.next("initialize"))
        yield* TestClock.adjust("60 seconds")
        expect(yield* Fiber.join(opening)).toMatchObject({ code: "handshake-timeout" })
        expect(peer.methods()).toEqual(["initialize"])
      }),
  )
})
