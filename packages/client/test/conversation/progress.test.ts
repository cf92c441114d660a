import { describe, expect } from "vitest"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import type { Progress } from "@entente/client"
import {
  memoryPeer,
  notification,
  withRules,
  type Peer,
  type Rule,
  type Step,
} from "@entente/testkit"
import { memory } from "@entente/transport"
import { noted, reasonOf } from "../field/connected.js"
import { bothDoors, complete, eras, everyWireAndEra, wires } from "./wires.js"

const token = { $from: "/params/_meta/progressToken" }

const reports = (progress: object, progressToken: unknown = token): Step => ({
  message: notification("notifications/progress", { progressToken, ...progress }),
})

const offers = {
  tools: [{ name: "a", inputSchema: { type: "object" } }],
  prompts: [{ name: "p" }],
  resources: [{ uri: "x://r", name: "r" }],
  capabilities: { tools: {}, prompts: {}, resources: {}, completions: {} },
}

const answers = (era: keyof typeof complete): ReadonlyArray<Rule> => [
  { when: { method: "tools/call" }, reply: [{ result: { ...complete[era], content: [] } }] },
  { when: { method: "prompts/get" }, reply: [{ result: { ...complete[era], messages: [] } }] },
  {
    when: { method: "resources/read" },
    reply: [{ result: { ...complete[era], contents: [], ttlMs: 0, cacheScope: "private" } }],
  },
  {
    when: { method: "completion/complete" },
    reply: [{ result: { ...complete[era], completion: { values: [] } } }],
  },
]

const tokensOf = (peer: Peer, method: string): ReadonlyArray<unknown> =>
  peer
    .requests(method)
    .map(({ message }) => (message.params?.["_meta"] as { progressToken?: unknown })?.progressToken)

const both = ["legacy", "modern"] as const

describe("the token of a request", () => {
  it.effect.each(both)(
    "C062 V25-PROG-01 V26-PROG-01 is on every call that may last, without any callback, in the %s era",
    (era) =>
      Effect.gen(function* () {
        const peer = memoryPeer(withRules(eras[era](offers), ...answers(era)))
        const { promises: client } = yield* bothDoors(peer.transport)
        yield* Effect.promise(async () => {
          await client.callTool({ name: "a" })
          await client.getPrompt({ name: "p" })
          await client.readResource({ uri: "x://r" })
          await client.tools.list()
          const ref = { type: "ref/prompt", name: "p" } as const
          await client.complete({ ref, argument: { name: "x", value: "" } })
        })
        for (const method of ["tools/call", "prompts/get", "resources/read"]) {
          expect(tokensOf(peer, method)).toEqual([expect.any(Number)])
        }
        expect(tokensOf(peer, "tools/list")).toEqual([undefined])
        expect(tokensOf(peer, "completion/complete")).toEqual([undefined])
      }),
  )

  it.effect("V25-PROG-01 V26-PROG-01 V26-ENV-03 differs from all others that are under way", () =>
    Effect.gen(function* () {
      const hangs: Rule = { when: { method: "tools/call" }, reply: [{ silence: true }] }
      const peer = memoryPeer(withRules(eras.legacy(offers), hangs))
      const { promises: client } = yield* bothDoors(peer.transport)
      // Two callers take tokens that would have been those of later requests.
      const tokens = [5, "request-5", ...Array.from({ length: 98 }, () => undefined)]
      const calls = tokens.map((progressToken) =>
        reasonOf(
          client.callTool(
            { name: "a" },
            progressToken === undefined ? {} : { meta: { progressToken } },
          ),
        ),
      )
      yield* Effect.promise(() => peer.until(() => peer.requests("tools/call").length === 100))
      expect(new Set(tokensOf(peer, "tools/call")).size).toBe(100)
      const ids = peer.requests().map(({ message }) => message.id)
      expect(new Set(ids).size).toBe(ids.length)
      yield* Effect.promise(() => client.close())
      yield* Effect.promise(() => peer.close())
      void calls
    }),
  )

  it.effect('C062 V25-PROG-03 0 and "a" are tokens, and 1 is not "1"', () =>
    Effect.gen(function* () {
      const tells: Rule = {
        when: { method: "tools/call" },
        reply: [
          reports({ progress: 1 }, "1"),
          reports({ progress: 2 }),
          { result: { content: [] } },
        ],
      }
      const peer = memoryPeer(withRules(eras.legacy(offers), tells))
      const { promises: client } = yield* bothDoors(peer.transport)
      for (const progressToken of [0, "a", 1, ""]) {
        const heard: Array<number> = []
        const onProgress = ({ progress }: Progress): void => void heard.push(progress)
        yield* Effect.promise(() =>
          client.callTool({ name: "a" }, { meta: { progressToken }, onProgress }),
        )
        expect({ progressToken, heard }).toEqual({ progressToken, heard: [2] })
      }
      expect(tokensOf(peer, "tools/call")).toEqual([0, "a", 1, ""])
    }),
  )

  it.effect(
    "V25-PROG-01 V26-PROG-01 of the caller's is refused while another call has it, and free afterwards",
    () =>
      Effect.gen(function* () {
        const hangs: Rule = { when: { method: "tools/call" }, times: 1, reply: [{ silence: true }] }
        const peer = memoryPeer(withRules(eras.legacy(offers), hangs, ...answers("legacy")))
        const { promises: client } = yield* bothDoors(peer.transport)
        const options = { meta: { progressToken: "mine" } }
        const first = client.callTool({ name: "a" }, options)
        yield* Effect.promise(() => peer.next("tools/call"))
        const second = yield* Effect.promise(() =>
          reasonOf(client.callTool({ name: "a" }, options)),
        )
        expect(second).toMatchObject({ _tag: "InvalidInput", code: "invalid-input" })
        expect(peer.requests("tools/call")).toHaveLength(1)
        peer.play([{ result: { content: [] } }], { method: "tools/call" })
        yield* Effect.promise(() => first)
        yield* Effect.promise(() => client.callTool({ name: "a" }, options))
        const odd = yield* Effect.promise(() =>
          reasonOf(client.callTool({ name: "a" }, { meta: { progressToken: 1.5 } })),
        )
        expect(odd).toMatchObject({ _tag: "InvalidInput" })
      }),
  )
})

describe("progress that is told", () => {
  it.effect.each(everyWireAndEra)(
    "V26-PROG-05 V25-PROG-02 V26-PROG-02 reaches the call it belongs to, over %s from a %s server",
    ([wire, era]) =>
      Effect.gen(function* () {
        const tells: Rule = {
          when: { method: "tools/call" },
          reply: [
            reports({ progress: 0.25 }),
            reports({ progress: 0.5, total: 1, message: "half" }),
            reports({ progress: 3, total: "many", message: 7 }),
            { result: { ...complete[era], content: [] } },
          ],
        }
        const { peer, transport } = yield* wires[wire](withRules(eras[era](offers), tells))
        const { promises: client } = yield* bothDoors(transport)
        const heard = new Map<number, Array<Progress>>([0, 1, 2].map((call) => [call, []]))
        yield* Effect.promise(() =>
          Promise.all(
            [...heard].map(([, own]) =>
              client.callTool({ name: "a" }, { onProgress: (progress) => void own.push(progress) }),
            ),
          ),
        )
        for (const own of heard.values()) {
          expect(own).toEqual([
            { progress: 0.25 },
            { progress: 0.5, total: 1, message: "half" },
            { progress: 3 },
          ])
        }
        expect(peer.requests("tools/call")).toHaveLength(3)
      }),
  )

  it.effect(
    "V25-PROG-03 V26-PROG-02 C062 is a note where it does not grow, or belongs to nothing under way",
    () =>
      Effect.gen(function* () {
        const tells: Rule = {
          when: { method: "tools/call" },
          reply: [
            reports({ progress: 2 }),
            reports({ progress: 2 }),
            reports({ progress: 1 }),
            reports({ progress: 9 }, "nobody's"),
            reports({ progress: 9 }, null),
            reports({ progress: Number.NaN }),
            { message: notification("notifications/progress") },
            { result: { content: [] } },
            reports({ progress: 3 }),
          ],
        }
        const peer = memoryPeer(withRules(eras.legacy(offers), tells))
        const { promises: client } = yield* bothDoors(peer.transport)
        const heard: Array<number> = []
        const onProgress = ({ progress }: Progress): void => void heard.push(progress)
        yield* Effect.promise(() => client.callTool({ name: "a" }, { onProgress }))
        yield* Effect.promise(() => client.tools.list())
        expect(heard).toEqual([2])
        expect(client.notes).toContainEqual(
          expect.objectContaining({ code: "progress-ignored", count: 7 }),
        )
        expect(client.state).toBe("ready")
      }),
  )

  it.effect(
    "V26-PROG-03 V25-PROG-03 in a flood of 10,000 is thinned out, and the last value comes before the result",
    () =>
      Effect.gen(function* () {
        const flood = Array.from({ length: 10_000 }, (_, at) => reports({ progress: at + 1 }))
        const tells: Rule = {
          when: { method: "tools/call" },
          reply: [...flood, { result: { content: [] } }],
        }
        const peer = memoryPeer(withRules(eras.legacy(offers), tells))
        const { promises: client } = yield* bothDoors(peer.transport)
        const heard: Array<number | "result"> = []
        const onProgress = ({ progress }: Progress): void => void heard.push(progress)
        yield* Effect.promise(() =>
          client.callTool({ name: "a" }, { onProgress }).then(() => heard.push("result")),
        )
        expect(heard.length).toBeLessThanOrEqual(52)
        expect(heard.slice(-2)).toEqual([10_000, "result"])
        expect(noted(client)).not.toContain("progress-ignored")
      }),
  )

  it.effect(
    "V26-PROG-03 that was held back is told a moment later, also where nothing more comes",
    () =>
      Effect.gen(function* () {
        const hangs: Rule = { when: { method: "tools/call" }, reply: [{ silence: true }] }
        const peer = memoryPeer(withRules(eras.legacy(offers), hangs))
        const { promises: client } = yield* bothDoors(peer.transport)
        const heard: Array<number> = []
        const onProgress = ({ progress }: Progress): void => void heard.push(progress)
        const stop = new AbortController()
        const call = client.callTool({ name: "a" }, { onProgress, signal: stop.signal })
        yield* Effect.promise(() => peer.next("tools/call"))
        const burst = (from: number, many: number) =>
          peer.play(
            Array.from({ length: many }, (_, at) => reports({ progress: from + at })),
            { method: "tools/call" },
          )
        burst(1, 60)
        yield* Effect.promise(() => client.tools.list())
        expect(heard).toHaveLength(50)
        yield* TestClock.adjust("100 millis")
        expect(heard.slice(-2)).toEqual([50, 60])
        burst(61, 1)
        yield* Effect.promise(() => client.tools.list())
        expect(heard.at(-1)).toBe(61)
        // Whoever cancels wants to hear no more.
        burst(62, 60)
        yield* Effect.promise(() => client.tools.list())
        const before = heard.length
        stop.abort()
        yield* Effect.promise(() => reasonOf(call))
        yield* TestClock.adjust("1 second")
        expect(heard).toHaveLength(before)
      }),
  )

  it.effect(
    "V25-PROG-03 100,000 calls with callbacks leave neither a request nor a token behind",
    () =>
      Effect.gen(function* () {
        const transport = memory((peer) => ({
          message: (message) => {
            if (!("id" in message) || !("method" in message)) return
            const { id, method } = message
            if (method === "tools/call") {
              const { _meta } = message.params as { _meta: { progressToken: number } }
              const params = { progressToken: _meta.progressToken, progress: 1 }
              peer.send({ jsonrpc: "2.0", method: "notifications/progress", params })
            }
            const serverInfo = { name: "s", version: "1" }
            const result =
              method === "initialize"
                ? { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo }
                : { content: [] }
            peer.send({ jsonrpc: "2.0", id, result })
          },
        }))
        const { promises: client, effects } = yield* bothDoors(transport, { mode: "legacy" })
        const { wire } = effects.connection.life
        let heard = 0
        const onProgress = (): void => void heard++
        let most = 0
        yield* Effect.promise(async () => {
          for (let round = 0; round < 1_000; round++) {
            const calls = Array.from({ length: 100 }, () =>
              client.callTool({ name: "a" }, { onProgress }),
            )
            most = Math.max(most, wire.progress.size, wire.requests.size)
            await Promise.all(calls)
          }
        })
        expect(heard).toBe(100_000)
        expect(most).toBe(100)
        expect({ requests: wire.requests.size, tokens: wire.progress.size }).toEqual({
          requests: 0,
          tokens: 0,
        })
      }),
    120_000,
  )
})

describe("the deadlines of a call that reports progress", () => {
  const hangs: Rule = { when: { method: "tools/call" }, reply: [{ silence: true }] }
  const once = { method: "tools/call" } as const

  it.effect.each(both)(
    "C062 V25-TIME-03 V26-PROG-04 start anew with each report, callback or not, in the %s era",
    (era) =>
      Effect.gen(function* () {
        const peer = memoryPeer(withRules(eras[era](offers), hangs))
        const { promises: client } = yield* bothDoors(peer.transport)
        const call = client.callTool({ name: "a" })
        yield* Effect.promise(() => peer.next("tools/call"))
        for (let minute = 1; minute <= 10; minute++) {
          yield* TestClock.adjust("59 seconds")
          peer.play([reports({ progress: minute }), { silence: true }], once)
          yield* Effect.promise(() => client.tools.list())
        }
        const result = { ...complete[era], content: [] }
        peer.play([{ result }], once)
        expect(yield* Effect.promise(() => call)).toEqual(result)
        expect(peer.methods()).not.toContain("notifications/cancelled")
      }),
  )

  it.effect("V25-TIME-03 V26-PROG-04 C062 have an end that no progress puts off", () =>
    Effect.gen(function* () {
      const peer = memoryPeer(withRules(eras.legacy(offers), hangs))
      const { promises: client } = yield* bothDoors(peer.transport)
      const call = reasonOf(
        client.callTool({ name: "a" }, { timeoutMs: 100, maxTotalTimeoutMs: 500 }),
      )
      yield* Effect.promise(() => peer.next("tools/call"))
      let over: unknown
      void call.then((error) => (over = error))
      for (let at = 50; at < 500; at += 50) {
        yield* TestClock.adjust("50 millis")
        peer.play([reports({ progress: at }), { silence: true }], once)
        yield* Effect.promise(() => client.tools.list())
        expect(over).toBeUndefined()
      }
      yield* TestClock.adjust("49 millis")
      expect(over).toBeUndefined()
      yield* TestClock.adjust("1 millis")
      expect(yield* Effect.promise(() => call)).toMatchObject({
        _tag: "RequestTimeout",
        timeoutMs: 500,
      })
      const { message } = yield* Effect.promise(() => peer.next("notifications/cancelled"))
      expect(message).toMatchObject({ params: { reason: "no answer within 500 ms" } })
    }),
  )

  it.effect(
    "V25-TIME-03 end where they would have without progress, if the caller wants it so",
    () =>
      Effect.gen(function* () {
        const peer = memoryPeer(withRules(eras.legacy(offers), hangs))
        const { promises: client } = yield* bothDoors(peer.transport)
        const options = { timeoutMs: 1_000, resetTimeoutOnProgress: false }
        const call = reasonOf(client.callTool({ name: "a" }, options))
        yield* Effect.promise(() => peer.next("tools/call"))
        yield* TestClock.adjust("900 millis")
        peer.play([reports({ progress: 1 }), { silence: true }], once)
        yield* Effect.promise(() => client.tools.list())
        yield* TestClock.adjust("100 millis")
        expect(yield* Effect.promise(() => call)).toMatchObject({ timeoutMs: 1_000 })
      }),
  )
})
