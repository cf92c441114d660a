import { it as itEffect } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { describe, expect, it } from "vitest"
import { Catalog, openCatalog, type CatalogOptions, type Servers } from "@entente/catalog"
import { memoryVerdicts } from "@entente/client"
import { legacyServer, memoryPeer, modernServer, tool, withRules } from "@entente/testkit"
import { startHttpPeer, startStdioPeer } from "@entente/testkit/node"
import { http, type Transport } from "@entente/transport"
import { stdio } from "@entente/transport/stdio"
import { ids, openedCatalog, standing } from "./server/peers.js"

const offer = { tools: [tool("echo")] }
const good = () => memoryPeer(legacyServer(offer)).transport
const hanging: Transport = { ...good(), key: "hanging", open: Effect.never }
const dead = http("http://127.0.0.1:9/mcp")
const connect = { verdicts: memoryVerdicts() }

describe("a catalog is ready", () => {
  itEffect.effect("with the first server's tools, and settled when each has had an outcome", () =>
    Effect.gen(function* () {
      const late = yield* Deferred.make<void>()
      const slow = good()
      const catalog = yield* Catalog.make({
        slow: {
          transport: { ...slow, open: Effect.andThen(Deferred.await(late), slow.open) },
          connect,
        },
        quick: { transport: good(), connect },
        off: { transport: hanging, disabled: true },
      })
      expect(catalog.tools).toMatchObject({ version: 0, tools: [], collisions: [] })
      const settled = yield* Effect.forkChild(catalog.settled)
      yield* catalog.ready
      expect(catalog.tools.tools.map(({ id }) => id)).toEqual(["quick__echo"])
      expect(settled.pollUnsafe()).toBeUndefined()
      expect(yield* Effect.flip(catalog.call("slow__echo"))).toMatchObject({
        _tag: "ServerUnavailable",
        server: "slow",
        state: "starting",
        since: 0,
      })
      yield* Deferred.succeed(late, undefined)
      yield* Fiber.join(settled)
      // In the order in which they were configured, not in which they came.
      expect(catalog.tools.tools.map(({ id }) => id)).toEqual(["slow__echo", "quick__echo"])
      expect(catalog.status.map(({ id, state }) => [id, state])).toEqual([
        ["slow", "live"],
        ["quick", "live"],
        ["off", "disabled"],
      ])
    }),
  )

  it("when nothing has come of any, and never rejects because of a server", async () => {
    await using catalog = await openedCatalog({
      one: dead,
      two: stdio({ command: "no-such-command-here" }),
    })
    expect(catalog.tools.tools).toEqual([])
    expect(catalog.status.map(({ trouble }) => trouble?.code)).toEqual([
      "unreachable",
      "command-not-found",
    ])
  })

  it("at once without servers, or where all are disabled", async () => {
    await using none = await openCatalog({})
    await none.settled()
    await using off = await openCatalog({ off: { transport: hanging, disabled: true } })
    await off.settled()
    expect(off.status).toMatchObject([{ id: "off", state: "disabled" }])
    await expect(off.call("off__echo")).rejects.toMatchObject({
      code: "server-unavailable",
      state: "disabled",
    })
  })

  it("not because of a server that offers no tools, where another is still on its way", async () => {
    const bare = memoryPeer(legacyServer({ prompts: [] })).transport
    await using peer = await startHttpPeer(
      withRules(legacyServer(offer), {
        when: { method: "initialize" },
        times: 1,
        reply: [{ delay: 50 }, { destroy: true }],
      }),
    )
    await using catalog = await openedCatalog(
      { bare, late: http(peer.url) },
      { retry: { baseMs: 1 } },
    )
    expect(["late__echo", undefined]).toContain(ids(catalog)[0])
    await standing(catalog, "late", "live")
    expect(ids(catalog)).toEqual(["late__echo"])
  })
})

describe("a call that is off", () => {
  it("rejects openCatalog, and leaves nothing open", async () => {
    const reason = new Error("enough")
    const opening = openCatalog({ one: hanging }, { signal: AbortSignal.abort(reason) })
    await expect(opening).rejects.toMatchObject({ code: "aborted", cause: reason })
    const later = new AbortController()
    const second = openCatalog({ one: hanging }, { signal: later.signal })
    later.abort(reason)
    await expect(second).rejects.toMatchObject({ code: "aborted", cause: reason })
  })

  it("ends a wait and nothing else", async () => {
    await using catalog = await openedCatalog({ one: hanging, two: good() })
    const signal = AbortSignal.timeout(1)
    await expect(catalog.settled({ signal })).rejects.toMatchObject({ code: "aborted" })
    expect((await catalog.call("two__echo")).content).toHaveLength(1)
  })
})

describe("what a catalog is given", () => {
  const transport = good()
  it.each<[string, unknown]>([
    ["id of a server is empty", { "": transport }],
    ["id of a server is empty", { "  ": transport }],
    ["cannot be shown", { "a\u0007b": transport }],
    ["has no transport", { one: {} }],
    ["has no transport", { one: null }],
    ["has no transport", { one: "http://example.com" }],
    ["allow takes a list", { one: { transport, allow: "a" } }],
    ["deny takes a list", { one: { transport, deny: [""] } }],
    ["tags takes a list", { one: { transport, tags: [7] } }],
    ["disabled takes", { one: { transport, disabled: "yes" } }],
    ["no glob", { one: { transport, allow: ["a".repeat(70_000)] } }],
    ["takes an object of servers", null],
  ])("is refused where it cannot be used: %s", async (message, servers) => {
    await expect(openCatalog(servers as Servers)).rejects.toMatchObject({
      code: "invalid-input",
      stage: "input",
      message: expect.stringContaining(message),
    })
  })

  it.each<[string, unknown]>([
    ["retry.baseMs", { retry: { baseMs: 0 } }],
    ["retry.maxMs", { retry: { maxMs: Number.NaN } }],
    ["starting.processes", { starting: { processes: 0 } }],
    ["revalidateMs", { revalidateMs: -1 }],
    ["listMs", { listMs: "1" }],
    ["closeMs", { closeMs: -1 }],
  ])("so is the option %s", async (name, options) => {
    await expect(openCatalog({}, options as CatalogOptions)).rejects.toMatchObject({
      code: "invalid-input",
      message: expect.stringContaining(`${name} takes a number`),
    })
  })

  it("may have ids of any kind that can be shown", async () => {
    const odd = ["__proto__", "constructor", "a b", "ü/ö", "1", "a__b"]
    const servers = Object.fromEntries(odd.map((id) => [id, { transport: good(), connect }]))
    await using catalog = await openCatalog(servers)
    await catalog.settled()
    expect(catalog.status.map(({ id }) => id).toSorted()).toEqual(odd.toSorted())
    for (const { id, server } of catalog.tools.tools) {
      expect(catalog.resolve(id).server).toBe(server)
      await catalog.call(id)
    }
  })
})

describe("allow, deny and tags", () => {
  it("say what is taken of a server, and what it is found by", async () => {
    const tools = ["read_file", "read_secret", "write_file"].map((name) => tool(name))
    const peer = memoryPeer(legacyServer({ tools }))
    await using catalog = await openedCatalog({
      files: { transport: peer.transport, allow: ["read_*"], deny: ["*_secret"], tags: ["disk"] },
      other: { transport: good(), tags: ["misc"] },
    })
    await catalog.settled()
    expect(ids(catalog)).toEqual(["files__read_file", "other__echo"])
    expect(catalog.search("", { tags: ["disk"] }).map(({ tool }) => tool.id)).toEqual([
      "files__read_file",
    ])
    expect(catalog.server("files")?.status).toMatchObject({
      tags: ["disk"],
      counts: { listed: 3, accepted: 3, exposed: 1 },
      withheld: [
        { kind: "filtered", tool: "read_secret", reason: 'deny has "*_secret"' },
        { kind: "filtered", tool: "write_file", reason: "allow does not name it" },
      ],
    })
  })
})

describe("closing a catalog", () => {
  it("ends every connection and process, those on their way and those that wait included", async () => {
    const timers = () =>
      process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length
    await using one = await startStdioPeer(legacyServer(offer))
    await using two = await startStdioPeer({ rules: [] })
    await using three = await startHttpPeer(modernServer(offer))
    const before = timers()
    const catalog = await openedCatalog({
      one: stdio(one),
      mute: stdio(two),
      three: http(three.url),
      dead,
      hanging,
    })
    const opened = [await one.next({ kind: "open" }), await two.next({ kind: "open" })]
    await standing(catalog, "dead", "waiting")
    await catalog.close()
    for (const { pid = 0 } of opened) {
      expect(() => process.kill(pid, 0)).toThrow(expect.objectContaining({ code: "ESRCH" }))
    }
    expect(catalog.status.map(({ state }) => state)).toEqual(Array(5).fill("closed"))
    expect(timers()).toBeLessThanOrEqual(before)
    await expect(catalog.call("one__echo")).rejects.toMatchObject({
      code: "server-unavailable",
      state: "closed",
    })
    await catalog.close()
  })

  it("does not wait longer than closeMs for one that does not end", async () => {
    const release = Effect.runSync(Deferred.make<void>())
    const peer = good()
    const clinging: Transport = {
      ...peer,
      open: Effect.andThen(
        Effect.addFinalizer(() => Deferred.await(release)),
        peer.open,
      ),
    }
    const catalog = await openedCatalog({ clinging }, { closeMs: 1 })
    await catalog.close()
    expect(catalog.server("clinging")?.client).toBeUndefined()
    await Effect.runPromise(Deferred.succeed(release, undefined))
  })
})
