import { describe, expect } from "vitest"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schedule from "effect/Schedule"
import * as TestClock from "effect/testing/TestClock"
import { Client, memoryVerdicts, type Middleware } from "@entente/client"
import { PeerError, explain } from "@entente/protocol"
import {
  legacyServer,
  memoryPeer,
  modernServer,
  notification,
  pages,
  tool,
  withRules,
  type Rule,
} from "@entente/testkit"
import { startHttpPeer } from "@entente/testkit/node"
import { http } from "@entente/transport"
import { connected, names, reasonOf } from "../field/connected.js"

const echo = { tools: [tool("echo")] }
const eras = [
  ["legacy", legacyServer(echo)],
  ["modern", modernServer(echo)],
] as const

const says = (text: string) => ({ content: [{ type: "text", text }] })
const called = (what: string, result: object): Rule => ({
  when: { method: "tools/call", params: { name: what } },
  reply: [{ result: { resultType: "complete", ...result } }],
})
const hangs: Rule = { when: { method: "tools/call" }, reply: [{ silence: true }] }

/** Writes down the methods that it sees, before and after. */
const follows = (log: Array<string>, name: string): Middleware => ({
  request: async (request, next) => {
    log.push(`${name} ${request.method}`)
    const result = await next()
    log.push(`${name} done`)
    return result
  },
})

const overEffect = (middleware: Middleware, script = legacyServer(echo)) =>
  Effect.gen(function* () {
    const peer = memoryPeer(script)
    const options = { verdicts: memoryVerdicts(), middleware }
    return { peer, client: yield* Client.connect(peer.transport, options) }
  })

describe.for(eras)("middleware around the calls of a %s connection", ([, script]) => {
  it("is passed from the outermost layer to the innermost and back, through the door of promises", async () => {
    const log: Array<string> = []
    const peer = memoryPeer(script)
    await using client = await connected(peer.transport, {
      middleware: [follows(log, "outer"), follows(log, "inner")],
    })
    await client.callTool({ name: "echo" })
    expect(log).toEqual(["outer tools/call", "inner tools/call", "inner done", "outer done"])
    expect(peer.requests("tools/call")).toHaveLength(1)
  })

  it.effect("is passed through the door of effects as well", () =>
    Effect.gen(function* () {
      const log: Array<string> = []
      const spoken: Middleware = {
        request: (request, next) =>
          Effect.tap(next.effect(), () => Effect.sync(() => log.push(request.method))),
      }
      const { client } = yield* overEffect(spoken, script)
      yield* client.callTool({ name: "echo" })
      yield* client.request("tools/list")
      expect(log).toEqual(["tools/call", "tools/list"])
    }),
  )

  it("sees neither the handshake nor anything that it would have to let pass", async () => {
    const log: Array<string> = []
    const peer = memoryPeer(script)
    await using client = await connected(peer.transport, { middleware: follows(log, "any") })
    expect(log).toEqual([])
    expect(peer.methods().length).toBeGreaterThan(0)
    await client.callTool({ name: "echo" })
    expect(log[0]).toBe("any tools/call")
  })

  it("replaces the method, the params and the options of what goes on", async () => {
    await using peer = await startHttpPeer(script)
    const rewrites: Middleware = {
      request: ({ params, options }, next) =>
        next({
          method: "tools/call",
          params: { ...params, name: "echo", arguments: { by: "layer" } },
          options: { ...options, headers: { "x-layer": "yes" }, meta: { "com.example/seen": 1 } },
        }),
    }
    await using client = await connected(peer.url, { middleware: rewrites })
    const result = await client.request("tools/unheard-of", { name: "other" })
    expect(result["content"]).toEqual(says('{"by":"layer"}').content)
    const [asked] = peer.requests("tools/call")
    expect(asked).toMatchObject({
      headers: { "x-layer": "yes" },
      message: { params: { name: "echo", _meta: { "com.example/seen": 1 } } },
    })
  })

  it("answers by itself, with a promise, an effect or a plain result, and nothing is sent", async () => {
    const result = { resultType: "complete", ...says("from here") }
    const shortCircuits: ReadonlyArray<Middleware["request"] & {}> = [
      async () => result,
      () => Effect.succeed(result),
      () => result,
    ]
    for (const request of shortCircuits) {
      const peer = memoryPeer(script)
      await using client = await connected(peer.transport, { middleware: { request } })
      expect(await client.callTool({ name: "echo" })).toMatchObject(says("from here"))
      expect(peer.requests("tools/call")).toEqual([])
    }
  })

  it("replaces results and turns errors into results", async () => {
    const peer = memoryPeer(script)
    const mends: Middleware = {
      request: async (request, next) => {
        try {
          return { ...(await next()), seen: request.method }
        } catch (error) {
          if (!(error instanceof PeerError)) throw error
          return { resultType: "complete", ...says(`${error.rpcCode}`) }
        }
      },
    }
    await using client = await connected(peer.transport, { middleware: mends })
    expect(await client.request("tools/call", { name: "echo" })).toMatchObject({
      seen: "tools/call",
    })
    expect(await client.callTool({ name: "none" })).toMatchObject(says("-32602"))
  })

  it("fails a call with an error of Entente that it makes itself", async () => {
    const refuses: Middleware = {
      request: ({ method }, _next, { target }) =>
        Effect.fail(
          new PeerError({
            ...explain("peer-error", "request", target, "Not today."),
            method,
            rpcCode: -1,
            rpcMessage: "not today",
          }),
        ),
    }
    await using client = await connected(memoryPeer(script).transport, { middleware: refuses })
    await expect(client.callTool({ name: "echo" })).rejects.toMatchObject({
      _tag: "PeerError",
      rpcCode: -1,
    })
  })

  it("fails a call with middleware-failed for anything else it ends in, and the connection goes on", async () => {
    const own = new Error("mine")
    const failing: ReadonlyArray<readonly [Middleware["request"] & {}, unknown]> = [
      [
        () => {
          throw own
        },
        own,
      ],
      [() => Promise.reject(own), own],
      [() => Effect.fail(own), own],
      [() => Effect.die(own), own],
      [() => Effect.interrupt, expect.anything()],
      // A program without types may forget the result.
      [(() => Promise.resolve()) as never, expect.any(TypeError)],
    ]
    for (const [request, cause] of failing) {
      let broken = true
      await using client = await connected(memoryPeer(script).transport, {
        middleware: { request: (...given) => (broken ? request(...given) : given[1]()) },
      })
      const reason = await reasonOf(client.callTool({ name: "echo" }))
      expect(reason).toMatchObject({
        _tag: "MiddlewareFailed",
        code: "middleware-failed",
        method: "tools/call",
      })
      expect((reason as Error).cause).toEqual(cause)
      broken = false
      expect(await client.callTool({ name: "echo" })).toBeDefined()
      expect(client.state).toBe("ready")
    }
  })

  it("sees every page of a list", async () => {
    const paged = withRules(
      script,
      ...pages("tools/list", [
        {
          resultType: "complete",
          ttlMs: 0,
          cacheScope: "private",
          tools: [tool("a")],
          nextCursor: "p2",
        },
        { resultType: "complete", ttlMs: 0, cacheScope: "private", tools: [tool("b")] },
      ]),
    )
    const seen: Array<unknown> = []
    const renames: Middleware = {
      request: async (request, next) => {
        seen.push(request.params)
        const { tools, ...page } = await next()
        return {
          ...page,
          tools: (tools as Array<{ name: string }>).map((one) => ({
            ...one,
            name: `x-${one.name}`,
          })),
        }
      },
    }
    await using client = await connected(memoryPeer(paged).transport, { middleware: renames })
    const listing = await client.tools.list()
    expect(listing.status).toBe("complete")
    expect(names(listing.items)).toEqual(["x-a", "x-b"])
    expect(seen).toEqual([undefined, { cursor: "p2" }])
  })

  it("V25-CANC-01 V25-CANC-07 V26-CANC-01 is aborted with its caller, and what it has under way is cancelled on the wire", async () => {
    const peer = memoryPeer(withRules(script, hangs))
    const signals: Array<AbortSignal> = []
    const waits: Middleware = {
      request: async (_request, next, { signal }) => {
        signals.push(signal)
        return await next()
      },
    }
    await using client = await connected(peer.transport, { middleware: [waits, waits] })
    const stop = new AbortController()
    const call = client.callTool({ name: "echo" }, { signal: stop.signal })
    const { message } = await peer.next("tools/call")
    stop.abort("enough")
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true])
    await expect(call).rejects.toMatchObject({ _tag: "RequestAborted" })
    const cancelled = await peer.next("notifications/cancelled")
    expect(cancelled.message).toMatchObject({
      params: { requestId: (message as { id: number }).id, reason: "enough" },
    })
  })

  it.effect("V25-CANC-01 V26-CANC-01 is interrupted with an effect, down to the wire", () =>
    Effect.gen(function* () {
      const told: Array<string> = []
      const guards: Middleware = {
        request: (_request, next) =>
          Effect.onInterrupt(next.effect(), () => Effect.sync(() => told.push("interrupted"))),
      }
      const { peer, client } = yield* overEffect(guards, withRules(script, hangs))
      const call = yield* Effect.forkChild(client.callTool({ name: "echo" }))
      yield* Effect.promise(() => peer.next("tools/call"))
      yield* Fiber.interrupt(call)
      expect(told).toEqual(["interrupted"])
      yield* Effect.promise(() => peer.next("notifications/cancelled"))
    }),
  )

  it("cancels what a layer did not wait for, once it has answered", async () => {
    const peer = memoryPeer(withRules(script, called("echo", says("quick")), hangs))
    let loser: Promise<unknown> | undefined
    const races: Middleware = {
      request: (request, next) => {
        const slow = next({ ...request, params: { name: "slow" } })
        loser = reasonOf(slow)
        return Promise.race([slow, next()])
      },
    }
    await using client = await connected(peer.transport, { middleware: races })
    expect(await client.callTool({ name: "echo" })).toMatchObject(says("quick"))
    const slow = peer.requests("tools/call")[0]?.message as { id: number }
    const cancelled = await peer.next("notifications/cancelled")
    expect(cancelled.message).toMatchObject({ params: { requestId: slow.id } })
    expect(await loser).toMatchObject({ _tag: "RequestAborted" })
  })

  it("sends nothing for a layer that goes on after everything is over", async () => {
    const peer = memoryPeer(script)
    const later: Array<() => Promise<unknown>> = []
    const keeps: Middleware = {
      request: async (_request, next) => {
        later.push(next, () => Effect.runPromise(next.effect()))
        return await next()
      },
    }
    await using client = await connected(peer.transport, { middleware: keeps })
    await client.callTool({ name: "echo" })
    for (const goOn of later) {
      expect(await reasonOf(goOn())).toMatchObject({ _tag: "RequestAborted" })
    }
    expect(peer.requests("tools/call")).toHaveLength(1)
  })

  it("hears of progress by what it puts in the place of the caller's", async () => {
    const tells: Rule = {
      when: { method: "tools/call" },
      reply: [
        {
          message: notification("notifications/progress", {
            progressToken: { $from: "/params/_meta/progressToken" },
            progress: 1,
          }),
        },
        { result: { resultType: "complete", content: [] } },
      ],
    }
    const doubles: Middleware = {
      request: (request, next) => {
        const { onProgress } = request.options
        return next({
          ...request,
          options: {
            ...request.options,
            onProgress: (progress) => onProgress?.({ progress: progress.progress * 2 }),
          },
        })
      },
    }
    await using client = await connected(memoryPeer(withRules(script, tells)).transport, {
      middleware: doubles,
    })
    const heard: Array<unknown> = []
    await client.callTool({ name: "echo" }, { onProgress: (progress) => heard.push(progress) })
    expect(heard).toEqual([{ progress: 2 }])
  })

  it.effect("ends with the connection, also where it waits for something else", () =>
    Effect.gen(function* () {
      const { client } = yield* overEffect({ request: () => Effect.never }, script)
      const call = yield* Effect.forkChild(Effect.flip(client.callTool({ name: "echo" })))
      yield* Effect.yieldNow
      yield* client.close
      expect(yield* Fiber.join(call)).toMatchObject({ _tag: "ConnectionClosed" })
      expect(yield* Effect.flip(client.callTool({ name: "echo" }))).toMatchObject({
        _tag: "ConnectionClosed",
      })
    }),
  )
})

describe("middleware", () => {
  it.effect("tries again with Effect's schedules, each try a request of its own", () =>
    Effect.gen(function* () {
      const fails: Rule = {
        when: { method: "tools/call" },
        times: 2,
        reply: [{ error: { code: -32_603, message: "busy" } }],
      }
      const retries: Middleware = {
        request: (_request, next) =>
          Effect.retry(next.effect(), { times: 2, schedule: Schedule.spaced("1 hour") }),
      }
      const { peer, client } = yield* overEffect(retries, withRules(legacyServer(echo), fails))
      const call = yield* Effect.forkChild(client.callTool({ name: "echo" }))
      for (const _try of [1, 2]) {
        yield* Effect.promise(() => peer.next("tools/call"))
        yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
        yield* TestClock.adjust("1 hour")
      }
      expect(yield* Fiber.join(call)).toMatchObject({ content: expect.any(Array) })
      expect(new Set(peer.requests("tools/call").map(({ message }) => message.id)).size).toBe(3)
    }),
  )

  it("V26-MRTR-08 sees each round of a request that the server asked in the middle of, by its own id", async () => {
    const asks: Rule = {
      when: { method: "tools/call", params: { requestState: { $present: false } } },
      reply: [{ result: { resultType: "input_required", requestState: "s" } }],
    }
    const peer = memoryPeer(withRules(modernServer(echo), asks))
    const states: Array<unknown> = []
    const watches: Middleware = {
      request: async (request, next) => {
        const result = await next()
        states.push([request.params?.["requestState"], result["resultType"]])
        return result
      },
    }
    await using client = await connected(peer.transport, { middleware: watches })
    await client.callTool({ name: "echo" })
    expect(states).toEqual([
      [undefined, "input_required"],
      ["s", "complete"],
    ])
    expect(new Set(peer.requests("tools/call").map(({ message }) => message.id)).size).toBe(2)
  })

  it("V26-XHDR-01 changes arguments before they are repeated in headers", async () => {
    const weather = tool("weather", {
      inputSchema: {
        type: "object",
        properties: { city: { type: "string", "x-mcp-header": "City" } },
      },
    })
    await using peer = await startHttpPeer(modernServer({ tools: [weather] }))
    const moves: Middleware = {
      request: (request, next) =>
        request.method === "tools/call"
          ? next({ ...request, params: { ...request.params, arguments: { city: "Oslo" } } })
          : next(),
    }
    await using client = await connected(peer.url, { middleware: moves })
    await client.tools.list()
    await client.callTool({ name: "weather", arguments: { city: "Bergen" } })
    expect(peer.requests("tools/call")[0]).toMatchObject({
      headers: { "mcp-param-city": "Oslo" },
      message: { params: { arguments: { city: "Oslo" } } },
    })
  })

  it.effect("keeps what belongs to a request also where it makes options of its own", () =>
    Effect.gen(function* () {
      const peer = yield* Effect.acquireRelease(
        Effect.promise(() => startHttpPeer(modernServer(echo))),
        (peer) => Effect.promise(() => peer.close()),
      )
      const client = yield* Client.connect(http(peer.url), {
        verdicts: memoryVerdicts(),
        middleware: { request: (request, next) => next({ ...request, options: {} }) },
      })
      const mirrored = { "Mcp-Param-City": "Oslo" }
      yield* client.connection.request("tools/call", { name: "echo" }, { mirrored } as object)
      expect(peer.requests("tools/call")[0]?.headers).toMatchObject({ "mcp-param-city": "Oslo" })
    }),
  )
})
