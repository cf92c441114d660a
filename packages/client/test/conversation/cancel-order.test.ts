import { describe, expect, it } from "vitest"
import { it as effects } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import type { CallToolParams, PromiseClient } from "@entente/client"
import {
  legacyServer,
  memoryPeer,
  modernServer,
  notification,
  request,
  tool,
  withRules,
  type Peer,
  type Rule,
  type Script,
} from "@entente/testkit"
import { httpPeer, httpSsePeer, startHttpPeer } from "@entente/testkit/node"
import { http, httpSse } from "@entente/transport"
import { connected, noted, reasonOf } from "../field/connected.js"
import { passUntil } from "../field/scripted-http.js"
import { bothDoors } from "./wires.js"

const hangs: Rule = { when: { method: "tools/call" }, reply: [{ silence: true }] }
const legacy = withRules(legacyServer({ tools: [tool("a")] }), hangs)
const modern = withRules(modernServer({ tools: [tool("a")] }), hangs)
const params: CallToolParams = { name: "a" }

/** What a peer heard of calls and cancellations, in order. */
const heard = (peer: Peer): ReadonlyArray<string> =>
  peer.methods().filter((method) => method === "tools/call" || method === "notifications/cancelled")

const ways = {
  "Streamable HTTP": (script: Script) =>
    Effect.map(httpPeer(script), (peer) => ({ peer, transport: http(peer.url) })),
  "Streamable HTTP through fetch": (script: Script) =>
    Effect.map(httpPeer(script), (peer) => {
      const fetch = (url: URL, init: RequestInit) => globalThis.fetch(url, init)
      return { peer, transport: http(peer.url, { fetch }) }
    }),
  "HTTP+SSE": (script: Script) =>
    Effect.map(httpSsePeer(script), (peer) => ({ peer, transport: httpSse(peer.url) })),
}

type Way = keyof typeof ways

/** Lets sockets do their work, and proves that something did not happen meanwhile. */
const settle = (client: PromiseClient) => Effect.promise(() => client.tools.list())

describe("a cancellation over HTTP, where messages do not wait for each other", () => {
  effects.effect.each(["Streamable HTTP", "Streamable HTTP through fetch"] as const)(
    "V25-CANC-09 waits a moment where the request was sent just now: %s",
    (way: Way) =>
      Effect.gen(function* () {
        const { peer, transport } = yield* ways[way](legacy)
        const { promises: client } = yield* bothDoors(transport)
        const stop = new AbortController()
        const call = reasonOf(client.callTool(params, { signal: stop.signal }))
        yield* Effect.promise(() => peer.next("tools/call"))
        stop.abort()
        // The caller does not wait for it.
        expect(yield* Effect.promise(() => call)).toMatchObject({ _tag: "RequestAborted" })
        yield* TestClock.adjust("249 millis")
        yield* settle(client)
        expect(heard(peer)).toEqual(["tools/call"])
        yield* TestClock.adjust("1 millis")
        yield* Effect.promise(() => peer.next("notifications/cancelled"))
        yield* Effect.promise(() => peer.until(({ kind }) => kind === "disconnect"))
      }),
  )

  effects.effect("V25-CANC-09 goes out at once where the answer has begun", () =>
    Effect.gen(function* () {
      const begins: Rule = {
        when: { method: "tools/call" },
        reply: [
          { message: notification("notifications/progress", { progressToken: 7, progress: 1 }) },
          { silence: true },
        ],
      }
      const { peer, transport } = yield* ways["Streamable HTTP"](
        withRules(legacyServer({ tools: [tool("a")] }), begins),
      )
      const { promises: client } = yield* bothDoors(transport)
      const stop = new AbortController()
      const onProgress = (): void => stop.abort()
      const options = { signal: stop.signal, meta: { progressToken: 7 }, onProgress }
      const call = reasonOf(client.callTool(params, options))
      expect(yield* Effect.promise(() => call)).toMatchObject({ _tag: "RequestAborted" })
      yield* Effect.promise(() => peer.next("notifications/cancelled"))
    }),
  )

  effects.effect("V25-CANC-09 goes out at once where the request was sent long ago", () =>
    Effect.gen(function* () {
      const { peer, transport } = yield* ways["Streamable HTTP"](legacy)
      const { promises: client } = yield* bothDoors(transport)
      const call = reasonOf(client.callTool(params, { timeoutMs: 1_000 }))
      yield* Effect.promise(() => peer.next("tools/call"))
      yield* TestClock.adjust("1 second")
      expect(yield* Effect.promise(() => call)).toMatchObject({ _tag: "RequestTimeout" })
      yield* Effect.promise(() => peer.next("notifications/cancelled"))
    }),
  )

  effects.effect("V25-CANC-09 comes after its request over HTTP+SSE as well", () =>
    Effect.gen(function* () {
      const { peer, transport } = yield* ways["HTTP+SSE"](legacy)
      const { promises: client } = yield* bothDoors(transport)
      for (let call = 1; call <= 5; call++) {
        const stop = new AbortController()
        const aborted = reasonOf(client.callTool(params, { signal: stop.signal }))
        yield* Effect.promise(() => peer.next("tools/call"))
        stop.abort()
        yield* Effect.promise(() => aborted)
        yield* passUntil(() => heard(peer).length === 2 * call)
      }
      expect(heard(peer)).toEqual(
        [1, 2, 3, 4, 5].flatMap(() => ["tools/call", "notifications/cancelled"]),
      )
    }),
  )

  effects.effect.each(["Streamable HTTP", "HTTP+SSE"] as const)(
    "V25-CANC-09 V25-CANC-01 V26-CANC-02 is not sent where nothing of the request had left: %s",
    (way: Way) =>
      Effect.gen(function* () {
        const { peer, transport } = yield* ways[way](legacy)
        const { promises: client } = yield* bothDoors(transport)
        // One connection rests; the others have still to be opened when their calls are given up.
        const stop = new AbortController()
        const calls = Array.from({ length: 5 }, () =>
          reasonOf(client.callTool(params, { signal: stop.signal })),
        )
        stop.abort()
        for (const error of yield* Effect.promise(() => Promise.all(calls))) {
          expect(error).toMatchObject({ _tag: "RequestAborted" })
        }
        yield* settle(client)
        yield* TestClock.adjust("1 second")
        yield* settle(client)
        // The one that found a connection at rest may have left.
        const calling = heard(peer).filter((method) => method === "tools/call").length
        expect(heard(peer).length - calling).toBeLessThanOrEqual(1)
        expect(calling).toBeLessThanOrEqual(1)
      }),
  )

  it("V25-CANC-09 is not sent where the request still waits for its headers", async () => {
    await using peer = await startHttpPeer(legacy)
    let give: (headers: Record<string, string>) => void = () => {}
    let held = false
    const requestHeaders = (): Record<string, string> | Promise<Record<string, string>> =>
      held ? new Promise((resolve) => (give = resolve)) : {}
    await using client = await connected(http(peer.url, { requestHeaders }))
    held = true
    const stop = new AbortController()
    const call = reasonOf(client.callTool(params, { signal: stop.signal }))
    stop.abort()
    expect(await call).toMatchObject({ _tag: "RequestAborted" })
    held = false
    give({})
    await client.tools.list()
    expect(heard(peer)).toEqual([])
  })
})

describe("what a cancellation says", () => {
  it.each([
    ["the text that the caller gave", "user pressed stop", "user pressed stop"],
    ["nothing of an error, which was not meant for the server", new Error("secret"), undefined],
    ["no more of a long text than its beginning", "x".repeat(5_000), "x".repeat(200)],
  ])("V25-CANC-07 V25-CANC-08 is %s", async (_, reason, told) => {
    const peer = memoryPeer(legacy)
    await using client = await connected(peer.transport)
    const stop = new AbortController()
    const call = reasonOf(client.callTool(params, { signal: stop.signal }))
    const asked = await peer.next("tools/call")
    stop.abort(reason)
    expect(await call).toMatchObject({ _tag: "RequestAborted", cause: reason })
    const { message } = await peer.next("notifications/cancelled")
    expect(message).toEqual({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: {
        requestId: (asked.message as { id: number }).id,
        reason: told ?? "cancelled by the caller",
      },
    })
  })
})

describe("a race between an answer and a cancellation", () => {
  it("V25-CANC-06 V25-CANC-04 V26-CANC-02 V26-CANC-03 is lost by either without an error, 1,000 times", async () => {
    const slow: Rule = { when: { method: "tools/call" }, reply: [{ silence: true }] }
    for (const script of [
      withRules(legacyServer({ tools: [tool("a")] }), slow),
      withRules(modernServer({ tools: [tool("a")] }), slow),
    ]) {
      const peer = memoryPeer(script)
      await using client = await connected(peer.transport)
      const result = { resultType: "complete", content: [] }
      let resolved = 0
      for (let seed = 0; seed < 500; seed++) {
        const stop = new AbortController()
        const call = client.callTool(params, { signal: stop.signal }).then(
          () => "result",
          ({ _tag }: { _tag: string }) => _tag,
        )
        const { message } = await peer.next("tools/call")
        const { id } = message as { id: number }
        const moves = [() => peer.send({ jsonrpc: "2.0", id, result }), () => stop.abort()] as const
        const first = seed % 2
        moves[first]?.()
        // What is sent takes a turn to arrive; some answers meet the cancellation on the way.
        for (let turn = 0; turn < (seed >> 1) % 4; turn++) await Promise.resolve()
        moves[1 - first]?.()
        const end = await call
        expect(["result", "RequestAborted"]).toContain(end)
        if (end === "result") resolved++
      }
      await client.tools.list()
      expect(resolved).toBeGreaterThan(0)
      expect(resolved).toBeLessThan(500)
      const told = peer.methods().filter((method) => method === "notifications/cancelled")
      // Only what was given up was cancelled, and each of them once.
      expect(told).toHaveLength(500 - resolved)
      expect(new Set(noted(client))).toEqual(new Set(["late-reply"]))
      expect(client.state).toBe("ready")
    }
  })
})

describe("a server that cancels", () => {
  it.each([
    ["legacy", legacy],
    ["modern", modern],
  ])(
    "V26-CANC-05 V26-CANC-06 V25-CANC-06 V25-CANC-08 what is not its own, or nothing at all, is not heard: %s",
    async (_, script) => {
      const peer = memoryPeer(script)
      await using client = await connected(peer.transport)
      const call = client.callTool(params)
      const { message } = await peer.next("tools/call")
      const { id } = message as { id: number }
      for (const cancelled of [
        { requestId: id },
        { requestId: 4_711, reason: "unknown" },
        { requestId: null },
        { requestId: { deep: true } },
        { reason: "whatever" },
        {},
      ]) {
        peer.send(notification("notifications/cancelled", cancelled))
      }
      peer.send(notification("notifications/cancelled"))
      await client.tools.list()
      peer.send({ jsonrpc: "2.0", id, result: { resultType: "complete", content: [] } })
      expect(await call).toMatchObject({ content: [] })
      expect(client.state).toBe("ready")
    },
  )

  it("V25-CANC-05 its own question gets no answer any more, and its id may be used again", async () => {
    const peer = memoryPeer(legacyServer({ tools: [] }))
    const stopped: Array<string> = []
    let answer: () => void = () => {}
    await using client = await connected(peer.transport, {
      handlers: {
        elicitation: {
          form: ({ message }, { signal }) =>
            new Promise((resolve) => {
              signal.addEventListener("abort", () => stopped.push(message))
              answer = () => resolve({ action: "accept", content: {} })
            }),
        },
      },
    })
    const ask = (message: string) =>
      peer.send(
        request("q1", "elicitation/create", {
          message,
          requestedSchema: { type: "object", properties: {} },
        }),
      )
    ask("first")
    await client.tools.list()
    peer.send(notification("notifications/cancelled", { requestId: "q1", reason: "never mind" }))
    await client.tools.list()
    expect(stopped).toEqual(["first"])
    answer()
    ask("second")
    await client.tools.list()
    answer()
    const { message } = await peer.until(({ kind }) => kind === "response")
    expect(message).toMatchObject({ id: "q1", result: { action: "accept" } })
    await client.tools.list()
    expect(peer.received.filter(({ kind }) => kind === "response")).toHaveLength(1)
  })
})

describe("what this client itself sends", () => {
  it("V26-ENV-05 V25-CANC-01 a notification has no id, and none is answered; a question of the server is never cancelled", async () => {
    const peer = memoryPeer(legacyServer({ tools: [tool("a")] }))
    await using client = await connected(peer.transport)
    peer.send(request("s1", "sampling/createMessage", {}))
    const stop = new AbortController()
    const call = reasonOf(client.callTool(params, { signal: stop.signal }))
    stop.abort()
    await call
    for (const method of ["notifications/message", "x/unknown", "notifications/initialized"]) {
      peer.send(notification(method, { level: "info", data: 1 }))
    }
    await client.tools.list()
    const sent = peer.received.filter(({ kind }) => kind === "notification")
    expect(sent.length).toBeGreaterThan(0)
    for (const { message } of sent) expect(message).not.toHaveProperty("id")
    const answered = peer.received.filter(({ kind }) => kind === "response")
    expect(answered.map(({ message }) => (message as { id: unknown }).id)).toEqual(["s1"])
    const cancelled = sent.map(({ message }) => JSON.stringify(message))
    expect(cancelled.filter((text) => text.includes('"s1"'))).toEqual([])
  })
})
