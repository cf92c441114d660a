import { describe, expect, expectTypeOf } from "vitest"
import { it } from "@effect/vitest"
import process from "node:process"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { Client, memoryVerdicts, type PromiseClient } from "@entente/client"
import type { JsonObject, LoggingLevel } from "@entente/protocol"
import { legacyServer, memoryPeer, modernServer, notification, tool } from "@entente/testkit"
import { connected } from "./field/connected.js"
import { until } from "./field/scripted-http.js"

const server = legacyServer({ tools: [tool("a")] })

const open = Effect.gen(function* () {
  const peer = memoryPeer(server)
  const client = yield* Client.connect(peer.transport, {
    verdicts: memoryVerdicts(),
    mode: "legacy",
  })
  return { peer, client }
})

const message = (data: unknown, level: unknown = "info") =>
  notification("notifications/message", { level, data })

/** A method of no specification: a flood of log messages would be stopped before it comes to readers. */
const said = "x/said"
const saying = (data: unknown) => notification(said, { data })

/** Waits in a test without a clock of its own. */
const eventually = (holds: () => boolean): Promise<void> => Effect.runPromise(until(holds))

describe("client.on", () => {
  it.effect.each(["effect", "promise"])(
    "tells the params of one method, in order, to each of several listeners (%s)",
    (door) =>
      Effect.gen(function* () {
        const peer = memoryPeer(server)
        const client: Pick<PromiseClient, "on" | "notes"> =
          door === "effect"
            ? yield* Client.connect(peer.transport, { verdicts: memoryVerdicts() })
            : yield* Effect.acquireRelease(
                Effect.promise(() => connected(peer.transport)),
                (promised) => Effect.promise(() => promised.close()),
              )
        const told: Array<string> = []
        const one = client.on("notifications/message", ({ data }) => told.push(`one ${data}`))
        client.on("notifications/message", ({ data }) => told.push(`other ${data}`))
        peer.send(message(1))
        peer.send(notification("notifications/tools/list_changed"))
        peer.send(message(2))
        yield* until(() => told.length === 4)
        one()
        one()
        peer.send(message(3))
        yield* until(() => told.length === 5)
        expect(told).toEqual(["one 1", "other 1", "one 2", "other 2", "other 3"])
        expect(client.notes).toEqual([])
      }),
  )

  it("has the types of known methods, and tells of others what they came with", async () => {
    const peer = memoryPeer(server)
    await using client = await connected(peer.transport)
    client.on("notifications/message", (params) => {
      expectTypeOf(params.level).toEqualTypeOf<LoggingLevel>()
      expectTypeOf(params.data).toEqualTypeOf<unknown>()
    })
    client.on("notifications/resources/updated", ({ uri }) => {
      expectTypeOf(uri).toEqualTypeOf<string>()
    })
    const custom: Array<JsonObject | undefined> = []
    client.on("window/logMessage", (params) => {
      expectTypeOf(params).toEqualTypeOf<JsonObject | undefined>()
      custom.push(params)
    })
    peer.send(notification("window/logMessage", { type: 3, extra: null }))
    peer.send(notification("window/logMessage"))
    await eventually(() => custom.length === 2)
    expect(custom).toEqual([{ type: 3, extra: null }, undefined])
  })

  it("C058 notes what is not of its method's shape, once, and tells it to nobody but the generic listener", async () => {
    const peer = memoryPeer(server)
    await using client = await connected(peer.transport)
    const typed: Array<unknown> = []
    const all: Array<string> = []
    client.onNotification(({ method }) => all.push(method))
    for (const _ of [1, 2]) client.on("notifications/message", ({ data }) => typed.push(data))
    client.on("notifications/tools/list_changed", (params) => typed.push(params))
    peer.send(message("a", "loud"))
    peer.send(notification("notifications/message"))
    peer.send(message("b"))
    peer.send(notification("notifications/tools/list_changed"))
    await eventually(() => typed.length === 3)
    expect(typed).toEqual(["b", "b", {}])
    expect(all).toHaveLength(4)
    expect(client.notes).toMatchObject([
      { code: "invalid-notification", count: 2, detail: expect.stringContaining("/level") },
    ])
    // It never quotes what was sent.
    expect(JSON.stringify(client.notes)).not.toContain("loud")
  })

  it("takes null for absent with a note, unless that is not tolerated", async () => {
    for (const strict of [false, true]) {
      const peer = memoryPeer(server)
      await using client = await connected(peer.transport, { strict })
      const loggers: Array<unknown> = []
      client.on("notifications/message", (params) => loggers.push("logger" in params))
      peer.send(notification("notifications/message", { level: "info", logger: null, data: 1 }))
      await eventually(() => client.notes.length === 1)
      expect(loggers).toEqual(strict ? [] : [false])
      expect(client.notes).toMatchObject([
        { code: strict ? "invalid-notification" : "null-is-absent" },
      ])
    }
  })

  it("V25-CAP-10 hears what the server has not declared, and nothing fails of it", async () => {
    const peer = memoryPeer(legacyServer({ capabilities: {} }))
    await using client = await connected(peer.transport)
    const heard: Array<string> = []
    const methods = [
      "notifications/tools/list_changed",
      "notifications/prompts/list_changed",
      "notifications/resources/list_changed",
      "notifications/resources/updated",
      "notifications/message",
    ] as const
    for (const method of methods) client.on(method, () => heard.push(method))
    for (const method of methods) {
      peer.send(notification(method, { uri: "x://1", level: "info", data: 1 }))
    }
    await eventually(() => heard.length === methods.length)
    expect(heard).toEqual(methods)
    expect([client.state, client.notes]).toEqual(["ready", []])
  })

  it("knows a method of the other era by its shape there", async () => {
    const peer = memoryPeer(modernServer({ tools: [] }))
    await using client = await connected(peer.transport, { mode: "modern" })
    const heard: Array<unknown> = []
    client.on("notifications/tasks/status", ({ status }) => heard.push(status))
    peer.send(notification("notifications/tasks/status", { status: 7 }))
    await eventually(() => client.notes.length === 1)
    expect([heard, client.notes[0]?.code]).toEqual([[], "invalid-notification"])
  })

  it("a listener that throws harms neither the others nor the connection", async () => {
    const peer = memoryPeer(server)
    await using client = await connected(peer.transport)
    const watching = process.listeners("uncaughtException")
    process.removeAllListeners("uncaughtException")
    const uncaught: Array<unknown> = []
    process.on("uncaughtException", (error) => uncaught.push(error))
    try {
      const told: Array<unknown> = []
      client.on("notifications/message", () => {
        throw new Error("a fault of the host")
      })
      client.on("notifications/message", ({ data }) => told.push(data))
      peer.send(message(1))
      peer.send(message(2))
      await eventually(() => told.length === 2 && uncaught.length === 2)
      expect(told).toEqual([1, 2])
      expect((await client.tools.list()).status).toBe("complete")
      // It is reported like any other uncaught error, not swallowed.
      expect(uncaught).toMatchObject([
        { message: "a fault of the host" },
        { message: "a fault of the host" },
      ])
    } finally {
      process.removeAllListeners("uncaughtException")
      for (const listener of watching) process.on("uncaughtException", listener)
    }
  })
})

describe("notifications as streams", () => {
  it.effect("tell the params of one method, and end with the connection", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* open
      const reading = yield* Effect.forkChild(
        Effect.all(
          [
            Stream.runCollect(client.notificationsOf("notifications/message")),
            Stream.runCollect(client.notifications),
          ],
          { concurrency: 2 },
        ),
        { startImmediately: true },
      )
      peer.send(message(1))
      peer.send(notification("notifications/tools/list_changed"))
      peer.send(message(2))
      yield* client.tools.list()
      yield* client.close
      const [messages, all] = yield* Fiber.join(reading)
      expect(messages.map(({ data }) => data)).toEqual([1, 2])
      expect(all.map(({ method }) => method)).toEqual([
        "notifications/message",
        "notifications/tools/list_changed",
        "notifications/message",
      ])
      // Nothing waits for what can't come any more.
      expect(yield* Stream.runCollect(client.notifications)).toEqual([])
    }),
  )

  it.effect(
    "a slow reader loses the oldest, with a note, and holds up neither the socket nor other readers",
    () =>
      Effect.gen(function* () {
        const { peer, client } = yield* open
        const slow: Array<unknown> = []
        const quick: Array<unknown> = []
        const heard: Array<unknown> = []
        const gate = yield* Deferred.make<void>()
        const read = (take: (data: unknown) => Effect.Effect<void>) =>
          Effect.forkChild(
            Stream.runForEach(client.notificationsOf(said), (params) => take(params?.["data"])),
            { startImmediately: true },
          )
        yield* read((data) => {
          slow.push(data)
          return Deferred.await(gate)
        })
        yield* read((data) => Effect.sync(() => void quick.push(data)))
        client.on(said, (params) => heard.push(params?.["data"]))
        peer.send(saying(0))
        yield* until(() => slow.length === 1 && quick.length === 1)
        for (let batch = 0; batch < 15; batch++) {
          for (let at = 1; at <= 100; at++) peer.send(saying(batch * 100 + at))
          yield* until(() => quick.length === 1 + (batch + 1) * 100)
        }
        expect(slow).toEqual([0])
        expect((yield* client.tools.list()).status).toBe("complete")
        expect(client.notes).toEqual([
          {
            code: "notifications-dropped",
            count: 1,
            detail: "x/said: a reader is 1024 behind",
          },
        ])
        yield* Deferred.succeed(gate, undefined)
        yield* until(() => slow.length === 1 + 1_024)
        const newest = Array.from({ length: 1_024 }, (_, index) => 1_500 - 1_023 + index)
        expect(slow).toEqual([0, ...newest])
        peer.send(saying("last"))
        yield* until(() => slow.at(-1) === "last" && quick.at(-1) === "last")
        expect(client.notes).toEqual([
          {
            code: "notifications-dropped",
            count: 2,
            detail: "x/said: a reader has lost 476",
          },
        ])
        const everything = [0, ...Array.from({ length: 1_500 }, (_, index) => index + 1), "last"]
        expect(quick).toEqual(everything)
        expect(heard).toEqual(everything)
      }),
  )

  it.effect("a reader that goes away while it is behind leaves the number of what it lost", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* open
      const seen: Array<unknown> = []
      const reading = yield* Effect.forkChild(
        Stream.runForEach(client.notifications, (one) => {
          seen.push(one)
          return Effect.never
        }),
        { startImmediately: true },
      )
      peer.send(saying(0))
      yield* until(() => seen.length === 1)
      for (let at = 0; at < 1_030; at++) peer.send(saying(at))
      yield* until(() => client.notes.length === 1)
      yield* client.tools.list()
      yield* Fiber.interrupt(reading)
      expect(client.notes).toMatchObject([
        { code: "notifications-dropped", count: 2, detail: "notifications: a reader has lost 6" },
      ])
    }),
  )
})
