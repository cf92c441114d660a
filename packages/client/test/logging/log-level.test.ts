import { describe, expect } from "vitest"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import type { PromiseClient } from "@entente/client"
import type { LoggingLevel } from "@entente/protocol"
import {
  legacyServer,
  memoryPeer,
  modernServer,
  notification,
  tool,
  withRules,
  type Peer,
  type Rule,
  type Step,
} from "@entente/testkit"
import { httpPeer } from "@entente/testkit/node"
import { http } from "@entente/transport"
import { bothDoors, wires } from "../conversation/wires.js"
import { noted, reasonOf } from "../field/connected.js"
import { passUntil } from "../field/scripted-http.js"

const offers = { tools: [tool("a")], capabilities: { tools: {}, logging: {} } }
const accepts: Rule = { when: { method: "logging/setLevel" }, reply: [{ result: {} }] }
const legacy = withRules(legacyServer(offers), accepts)

const levelKey = "io.modelcontextprotocol/logLevel"

const log = (level: unknown, data: unknown = level): Step => ({
  message: notification("notifications/message", { level, data }),
})

const logs = (peer: Peer, ...levels: ReadonlyArray<unknown>): void =>
  peer.play([...levels.map((level) => log(level)), { silence: true }])

/** The data of every log message that is heard. */
const listening = (client: PromiseClient): ReadonlyArray<unknown> => {
  const heard: Array<unknown> = []
  client.onNotification(({ method, params }) => {
    if (method === "notifications/message") heard.push(params?.["data"])
  })
  return heard
}

const levelsSet = (peer: Peer): ReadonlyArray<unknown> =>
  peer.requests("logging/setLevel").map(({ message }) => message.params?.["level"])

const levelsAsked = (peer: Peer, method = "tools/call"): ReadonlyArray<unknown> =>
  peer
    .requests(method)
    .map(({ message }) => (message.params as { _meta: Record<string, unknown> })._meta[levelKey])

describe("the log level of a legacy server", () => {
  it.effect("V25-LOG-01 V25-LOG-02 is told to it, and kept to on this side as well", () =>
    Effect.gen(function* () {
      const peer = memoryPeer(legacy)
      const { promises: client } = yield* bothDoors(peer.transport)
      const heard = listening(client)
      const settle = Effect.promise(() => client.tools.list())
      // Nobody has said anything yet, so that whatever comes is shown.
      logs(peer, "debug", "emergency", "no level")
      yield* settle
      yield* Effect.promise(() => client.setLogLevel("warning"))
      expect(levelsSet(peer)).toEqual(["warning"])
      // Some are still on their way when the server hears of it.
      logs(peer, "debug", "info", "notice", "warning", "error", "critical", "alert", "emergency", 7)
      yield* settle
      expect(heard).toEqual([
        "debug",
        "emergency",
        "no level",
        "warning",
        "error",
        "critical",
        "alert",
        "emergency",
      ])
      expect(client.notes).toContainEqual(
        expect.objectContaining({ code: "log-below-level", count: 4 }),
      )
    }),
  )

  it.effect(
    "V25-LOG-01 undefined is as near to silence as a server can be told, and silence here",
    () =>
      Effect.gen(function* () {
        const peer = memoryPeer(legacy)
        const { promises: client } = yield* bothDoors(peer.transport)
        const heard = listening(client)
        yield* Effect.promise(() => client.setLogLevel(undefined))
        expect(levelsSet(peer)).toEqual(["emergency"])
        logs(peer, "emergency")
        yield* Effect.promise(() => client.tools.list())
        expect(heard).toEqual([])
        expect(noted(client)).toContain("log-unasked")
        yield* Effect.promise(() => client.setLogLevel("debug"))
        logs(peer, "debug")
        yield* Effect.promise(() => client.tools.list())
        expect(heard).toEqual(["debug"])
      }),
  )

  it.effect("V25-LOG-01 V25-CAP-02 is set only where logging was declared", () =>
    Effect.gen(function* () {
      const peer = memoryPeer(legacyServer({ tools: [tool("a")] }))
      const { promises: client } = yield* bothDoors(peer.transport)
      const error = yield* Effect.promise(() => reasonOf(client.setLogLevel("info")))
      expect(error).toMatchObject({ _tag: "CapabilityMissing", capability: "logging" })
      // There is nothing to switch off, and nobody to tell.
      yield* Effect.promise(() => client.setLogLevel(undefined))
      expect(peer.methods()).not.toContain("logging/setLevel")
    }),
  )

  it.effect("V25-LOG-01 stays what it was where the server refuses another", () =>
    Effect.gen(function* () {
      const refuses: Rule = {
        when: { method: "logging/setLevel", params: { level: "debug" } },
        reply: [{ error: { code: -32603, message: "no" } }],
      }
      const peer = memoryPeer(withRules(legacy, refuses))
      const { promises: client } = yield* bothDoors(peer.transport)
      const heard = listening(client)
      yield* Effect.promise(() => client.setLogLevel("error"))
      const error = yield* Effect.promise(() => reasonOf(client.setLogLevel("debug")))
      expect(error).toMatchObject({ _tag: "PeerError", rpcCode: -32603 })
      logs(peer, "debug", "error")
      yield* Effect.promise(() => client.tools.list())
      expect(heard).toEqual(["error"])
    }),
  )

  it.effect("V25-LOG-04 is told again to a server whose session was renewed, and once only", () =>
    Effect.gen(function* () {
      const script = withRules(legacyServer({ ...offers, sessionIds: ["S1", "S2", "S3"] }), accepts)
      const peer = yield* httpPeer(script)
      const { promises: client } = yield* bothDoors(http(peer.url), { listen: false })
      yield* Effect.promise(() => client.setLogLevel("error"))
      yield* Effect.promise(() => client.setLogLevel("notice"))
      peer.add({
        when: { headers: { "mcp-session-id": "S1" } },
        reply: [{ http: { status: 404 } }],
      })
      yield* Effect.promise(() => client.tools.list())
      yield* Effect.promise(() => peer.until(() => levelsSet(peer).length === 3))
      expect(levelsSet(peer)).toEqual(["error", "notice", "notice"])
      const last = peer.requests("logging/setLevel").at(-1)
      expect(last?.headers).toMatchObject({ "mcp-session-id": "S2" })
      yield* Effect.promise(() => client.tools.list())
      expect(levelsSet(peer)).toHaveLength(3)
    }),
  )

  it.effect("V25-LOG-04 is told again after a reconnection; where that fails there is a note", () =>
    Effect.gen(function* () {
      const once: Rule = { ...accepts, times: 2 }
      const refuses: Rule = {
        when: { method: "logging/setLevel" },
        reply: [{ error: { code: -32603, message: "no more" } }],
      }
      const peer = memoryPeer(withRules(legacyServer(offers), once, refuses))
      const { promises: client } = yield* bothDoors(peer.transport)
      yield* Effect.promise(() => client.setLogLevel(undefined))
      peer.play([{ destroy: true }])
      yield* passUntil(() => levelsSet(peer).length === 2)
      expect(levelsSet(peer)).toEqual(["emergency", "emergency"])
      expect(noted(client)).not.toContain("log-level-lost")
      peer.play([{ destroy: true }])
      yield* passUntil(() => noted(client).includes("log-level-lost"))
      expect(levelsSet(peer)).toHaveLength(3)
      expect(client.state).toBe("ready")
    }),
  )

  it.effect(
    "V25-LOG-04 that is being set while the connection recovers is not overwritten by the old one",
    () =>
      Effect.gen(function* () {
        const peer = memoryPeer(legacy)
        const { promises: client } = yield* bothDoors(peer.transport)
        yield* Effect.promise(() => client.setLogLevel("error"))
        peer.play([{ destroy: true }])
        yield* passUntil(() => client.state !== "ready", "1 millis")
        const setting = client.setLogLevel("debug")
        yield* passUntil(() => levelsSet(peer).length === 2)
        yield* Effect.promise(() => setting)
        yield* Effect.promise(() => client.tools.list())
        expect(levelsSet(peer)).toEqual(["error", "debug"])
      }),
  )

  it.effect("V25-LOG-02 is no matter before `initialized`, and data may be any JSON", () =>
    Effect.gen(function* () {
      const data = ["text", 7, null, [1], { deep: true }, false]
      const early: Rule = {
        when: { method: "initialize" },
        reply: [
          ...data.map((value) => log("info", value)),
          {
            result: {
              protocolVersion: "2025-11-25",
              capabilities: offers.capabilities,
              serverInfo: { name: "s", version: "1" },
            },
          },
        ],
      }
      const heard: Array<unknown> = []
      const peer = memoryPeer(withRules(legacy, early))
      yield* bothDoors(peer.transport, {
        mode: "legacy",
        onNotification: ({ params }) => heard.push(params?.["data"]),
      })
      expect(heard).toEqual(data)
    }),
  )
})

describe("the log level of a modern server", () => {
  const modern = modernServer(offers)

  it.effect("V26-LOG-01 V26-LOG-06 V26-ENV-12 is on every later request, and on none before", () =>
    Effect.gen(function* () {
      const peer = memoryPeer(modern)
      const { promises: client, effects } = yield* bothDoors(peer.transport)
      const call = (logLevel?: LoggingLevel) =>
        Effect.promise(() =>
          client.callTool({ name: "a" }, logLevel === undefined ? {} : { logLevel }),
        )
      yield* call()
      yield* effects.setLogLevel("warning")
      yield* call()
      yield* call("debug")
      yield* Effect.promise(() => client.tools.list())
      yield* effects.setLogLevel(undefined)
      yield* call()
      expect(levelsAsked(peer)).toEqual([undefined, "warning", "debug", undefined])
      expect(levelsAsked(peer, "tools/list")).toEqual(["warning"])
      expect(levelsAsked(peer, "server/discover")).toEqual([undefined])
      expect(peer.methods()).not.toContain("logging/setLevel")
    }),
  )

  it.effect.each(["stdio", "http"] as const)(
    "V26-LOG-02 V26-LOG-03 lets through what was asked for, and nothing else: over %s",
    (wire) =>
      Effect.gen(function* () {
        const chatty: Rule = {
          when: { method: "tools/call" },
          reply: [
            log("debug"),
            log("warning"),
            log("alert"),
            { result: { resultType: "complete", content: [] } },
          ],
        }
        const { transport } = yield* wires[wire](withRules(modern, chatty))
        const { promises: client } = yield* bothDoors(transport)
        const heard = listening(client)
        yield* Effect.promise(() => client.callTool({ name: "a" }))
        expect(heard).toEqual([])
        expect(client.notes).toContainEqual(
          expect.objectContaining({ code: "log-unasked", count: 3 }),
        )
        yield* Effect.promise(() => client.callTool({ name: "a" }, { logLevel: "warning" }))
        expect(heard).toEqual(["warning", "alert"])
        expect(client.notes).toContainEqual(
          expect.objectContaining({ code: "log-below-level", count: 1 }),
        )
      }),
  )

  it.effect("V26-LOG-02 over HTTP hears a request that asked, not its neighbour that did not", () =>
    Effect.gen(function* () {
      const hangs: Rule = { when: { method: "tools/call" }, reply: [{ silence: true }] }
      const peer = yield* httpPeer(withRules(modern, hangs))
      const { promises: client } = yield* bothDoors(http(peer.url))
      const heard = listening(client)
      const meta = { "com.example/quiet": true }
      const calls = [
        client.callTool({ name: "a" }, { logLevel: "info" }),
        client.callTool({ name: "a" }, { meta }),
      ]
      yield* Effect.promise(() => peer.until(() => peer.requests("tools/call").length === 2))
      const quiet = { method: "tools/call", params: { _meta: meta } }
      const loud = { method: "tools/call", params: { _meta: { [levelKey]: "info" } } }
      const result = { resultType: "complete", content: [] }
      peer.play([log("error", "not asked"), { result }], quiet)
      peer.play([log("error", "asked"), log("debug", "too low"), { result }], loud)
      yield* Effect.promise(() => Promise.all(calls))
      expect(heard).toEqual(["asked"])
    }),
  )

  it.effect("V26-LOG-03 is over with the answer: what comes later was not asked for", () =>
    Effect.gen(function* () {
      const late: Rule = {
        when: { method: "tools/call" },
        reply: [{ result: { resultType: "complete", content: [] } }, log("error")],
      }
      const peer = memoryPeer(withRules(modern, late))
      const { promises: client } = yield* bothDoors(peer.transport)
      const heard = listening(client)
      yield* Effect.promise(() => client.callTool({ name: "a" }, { logLevel: "debug" }))
      yield* Effect.promise(() => client.tools.list())
      expect(heard).toEqual([])
    }),
  )

  it.effect("V26-LOG-04 V25-LOG-01 is one of eight, or refused here, in both eras", () =>
    Effect.gen(function* () {
      for (const script of [modern, legacy]) {
        const peer = memoryPeer(script)
        const { promises: client } = yield* bothDoors(peer.transport)
        for (const bad of ["warn", "INFO", "", 3, null, {}]) {
          // As a caller without TypeScript would write it.
          const level = bad as unknown as LoggingLevel
          const set = yield* Effect.promise(() => reasonOf(client.setLogLevel(level)))
          expect(set).toMatchObject({ _tag: "InvalidInput" })
          const called = yield* Effect.promise(() =>
            reasonOf(client.callTool({ name: "a" }, { logLevel: level })),
          )
          expect(called).toMatchObject({ _tag: "InvalidInput" })
        }
        expect(peer.methods()).not.toContain("tools/call")
        expect(peer.methods()).not.toContain("logging/setLevel")
      }
    }),
  )

  it.effect("V26-LOG-06 V25-CAP-02 is not set where the server declares no logging", () =>
    Effect.gen(function* () {
      const peer = memoryPeer(modernServer({ tools: [tool("a")] }))
      const { promises: client } = yield* bothDoors(peer.transport)
      const error = yield* Effect.promise(() => reasonOf(client.setLogLevel("info")))
      expect(error).toMatchObject({ _tag: "CapabilityMissing", capability: "logging" })
      yield* Effect.promise(() => client.callTool({ name: "a" }))
      expect(levelsAsked(peer)).toEqual([undefined])
    }),
  )
})

describe("a server that floods the log", () => {
  it.effect.each(["legacy", "modern"] as const)(
    "V25-LOG-03 V26-LOG-05 is heard with 1,000 messages in a second, and the rest is a note: %s",
    (era) =>
      Effect.gen(function* () {
        const flood = Array.from({ length: 10_000 }, (_, at) => log("error", at))
        const script = { legacy, modern: modernServer(offers) }[era]
        const result = { resultType: "complete", content: [] }
        const floods: Rule = { when: { method: "tools/call" }, reply: [...flood, { result }] }
        const peer = memoryPeer(withRules(script, floods))
        const { promises: client } = yield* bothDoors(peer.transport)
        const heard = listening(client)
        yield* Effect.promise(() => client.callTool({ name: "a" }, { logLevel: "debug" }))
        expect(heard).toHaveLength(1_000)
        expect(client.notes).toContainEqual(
          expect.objectContaining({ code: "log-flood", count: 9_000 }),
        )
        // A second later it is heard again.
        yield* TestClock.adjust("1 second")
        yield* Effect.promise(() => client.callTool({ name: "a" }, { logLevel: "debug" }))
        expect(heard).toHaveLength(2_000)
      }),
  )
})
