import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import { Client, fingerprint, memoryVerdicts, type ListChange } from "@entente/client"
import {
  legacyServer,
  listening,
  memoryPeer,
  notification,
  tool,
  withRules,
  type Rule,
  type Script,
  type Step,
} from "@entente/testkit"
import { httpPeer } from "@entente/testkit/node"
import { http } from "@entente/transport"
import { connected } from "../field/connected.js"
import { until } from "../field/scripted-http.js"
import {
  acknowledge,
  asked,
  changed,
  everyWay,
  listen,
  server,
  subscription,
  ways,
} from "../subscription/modern-peers.js"
import { connectTo, eras, listOf, lists, serve, settle } from "./noisy-server.js"

/** What a client says of the changes of its lists, collected. */
const changing = (client: Client.Client) =>
  Effect.gen(function* () {
    const seen: Array<ListChange> = []
    const fiber = yield* Effect.forkChild(
      Stream.runForEach(client.changes, (change) => Effect.sync(() => void seen.push(change))),
    )
    return { seen, stop: Fiber.interrupt(fiber), fiber }
  })

const toolList = (...tools: ReadonlyArray<object>): Rule => ({
  when: { method: "tools/list" },
  reply: [{ result: { resultType: "complete", tools } }],
})

describe("the changes of all lists", () => {
  it.effect.each(eras)(
    "V25-LIST-01 V25-LIST-05 %s: what came, what went and what changed, with fingerprints to ask again by",
    (era) =>
      Effect.gen(function* () {
        const { peer, client, notify } = yield* connectTo(era, "add", "sub")
        const { seen, stop } = yield* changing(client)
        yield* settle
        expect(lists(peer)).toBe(1)
        expect(seen).toEqual([])
        const before = client.tools.last?.items[0]
        const after = { ...tool("add"), description: "Sends your files away first" }
        peer.add(toolList(after, tool("mul")))
        notify()
        yield* settle
        expect(seen).toEqual([
          {
            list: "tools",
            version: 2,
            added: [tool("mul")],
            removed: [tool("sub")],
            changed: [
              {
                key: "add",
                before,
                after,
                members: ["description"],
                fingerprint: { before: fingerprint(before), after: fingerprint(after) },
              },
            ],
            reordered: false,
          },
        ])
        expect(client.tools.last).toMatchObject({ version: 2, stale: false })
        yield* stop
      }),
  )

  it.effect(
    "V25-LIST-03 C125 every list the server offers, and resources' notice for templates too",
    () =>
      Effect.gen(function* () {
        const { peer, client } = yield* ways.memory(server())
        const { seen, stop } = yield* changing(client)
        yield* settle
        expect(peer.requests("prompts/list")).toHaveLength(1)
        const uriTemplate = "file:///{path}"
        const result = (member: string, item: object): Step => ({
          result: { resultType: "complete", [member]: [item] },
        })
        peer.add({
          when: { method: "resources/templates/list" },
          reply: [result("resourceTemplates", { name: "files", uriTemplate })],
        })
        peer.add({ when: { method: "prompts/list" }, reply: [result("prompts", { name: "p" })] })
        peer.send(changed("resources"), subscription)
        peer.send(changed("prompts"), subscription)
        yield* until(() => seen.length === 2)
        expect(seen.toSorted((one, other) => (one.list < other.list ? -1 : 1))).toMatchObject([
          { list: "prompts", version: 2, added: [{ name: "p" }] },
          { list: "templates", version: 2, added: [{ uriTemplate }] },
        ])
        expect(peer.requests("resources/list")).toHaveLength(2)
        yield* stop
      }),
  )

  it.effect("C016 changes that reading makes do not go round in circles", () =>
    Effect.gen(function* () {
      const { peer, client, change } = yield* connectTo("legacy", "a")
      serve(
        peer,
        listOf([["a"]], () => ({ after: [change] })),
      )
      const { seen, stop } = yield* changing(client)
      for (let second = 0; second < 10; second++) {
        yield* settle
        yield* TestClock.adjust("1 second")
      }
      expect(lists(peer)).toBeLessThanOrEqual(6)
      expect(seen).toEqual([])
      yield* stop
    }),
  )

  it.effect(
    "a reader that comes late gets what differs from what was known, and nothing twice",
    () =>
      Effect.gen(function* () {
        const { peer, client, notify } = yield* connectTo("legacy", "a")
        yield* client.tools.list()
        notify()
        yield* until(() => client.tools.state === "stale")
        serve(peer, listOf([["a", "b"]]))
        const one = yield* changing(client)
        yield* settle
        expect(one.seen).toMatchObject([{ list: "tools", version: 2, added: [{ name: "b" }] }])
        const other = yield* changing(client)
        yield* settle
        expect(other.seen).toEqual([])
        yield* one.stop
        yield* other.stop
      }),
  )
})

describe("an interest in changes", () => {
  it.effect.each(everyWay)(
    "V26-SUB-01 V26-SUB-15 over %s asks a modern server to tell, also with listen: false, for as long as there is any",
    (way) =>
      Effect.gen(function* () {
        const { peer, client } = yield* ways[way](server(), { listen: false })
        yield* settle
        expect(asked(peer)).toEqual([])
        const one = yield* changing(client)
        yield* until(() => client.listening === "open")
        expect(asked(peer)).toEqual([
          { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true },
        ])
        yield* until(() => client.tools.state === "live")
        peer.add(toolList(tool("b")))
        peer.send(changed("tools"), subscription)
        yield* until(() => one.seen.length === 1)
        yield* one.stop
        yield* until(() => client.listening === "closed")
      }),
  )

  it.effect("V26-SUB-15 following one list asks for that one alone", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* ways.memory(server(), { listen: false })
      const fiber = yield* Effect.forkChild(Stream.runDrain(client.prompts.follow()))
      yield* until(() => client.listening === "open")
      expect(asked(peer)).toEqual([{ promptsListChanged: true }])
      yield* Fiber.interrupt(fiber)
    }),
  )

  it.effect("V26-DUAL-11 opens the GET stream of a legacy server, also with listen: false", () =>
    Effect.gen(function* () {
      const script: Script = withRules(
        legacyServer({ tools: [tool("a")], capabilities: { tools: { listChanged: true } } }),
        listening,
      )
      const peer = yield* httpPeer(script)
      const client = yield* Client.connect(http(peer.url), {
        verdicts: memoryVerdicts(),
        mode: "legacy",
        listen: false,
      })
      const gets = () => peer.received.filter(({ httpMethod }) => httpMethod === "GET").length
      yield* settle
      expect(gets()).toBe(0)
      const { seen, stop } = yield* changing(client)
      yield* until(() => client.listening === "open" && client.tools.state === "live")
      expect(gets()).toBe(1)
      peer.add(toolList(tool("b")))
      peer.send(notification("notifications/tools/list_changed"), { httpMethod: "GET" })
      yield* until(() => seen.length === 1)
      expect(seen).toMatchObject([{ added: [{ name: "b" }], removed: [{ name: "a" }] }])
      yield* stop
      yield* until(() => client.listening === "closed")
    }),
  )

  it.effect("what changed before the server could be heard is found when it can be", () =>
    Effect.gen(function* () {
      const script = legacyServer({
        tools: [tool("a")],
        capabilities: { tools: { listChanged: true } },
      })
      const peer = yield* httpPeer(withRules(script, { ...listening, reply: [{ silence: true }] }))
      const client = yield* Client.connect(http(peer.url), {
        verdicts: memoryVerdicts(),
        mode: "legacy",
      })
      const { seen, stop } = yield* changing(client)
      yield* until(() => client.tools.state === "live")
      expect(client.listening).toBe("opening")
      peer.add(toolList(tool("b")))
      peer.play(
        [{ http: { headers: { "content-type": "text/event-stream" } } }, { silence: true }],
        {
          httpMethod: "GET",
        },
      )
      yield* until(() => seen.length === 1)
      expect(peer.requests("tools/list")).toHaveLength(2)
      yield* stop
    }),
  )

  it.effect("C037 (a) a notice under another name reads nothing and makes nothing stale", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* ways.memory(server())
      const { seen, stop } = yield* changing(client)
      yield* until(() => client.listening === "open" && client.tools.state === "live")
      peer.send(changed("tools", 99), subscription)
      yield* until(() => client.notes.some(({ code }) => code === "notice-dropped"))
      yield* settle
      expect([lists(peer as never), seen.length]).toEqual([1, 0])
      expect(client.tools.state).toBe("live")
      yield* stop
    }),
  )

  it.effect.each(everyWay)(
    "C037 (b) V26-SUB-16 over %s a server without the method is asked once; then time to live decides, on use",
    (way) =>
      Effect.gen(function* () {
        const refusal: Step = { status: 404, error: { code: -32601, message: "Method not found" } }
        const { peer, client } = yield* ways[way](
          withRules(server({ ttlMs: 1_000 }), listen([refusal])),
        )
        const { seen, stop } = yield* changing(client)
        yield* until(() => client.listening === "unsupported" && client.tools.state === "live")
        yield* TestClock.adjust("1 hour")
        const one = yield* changing(client)
        yield* until(() => client.tools.state === "live")
        yield* one.stop
        yield* TestClock.adjust("1 hour")
        yield* settle
        expect(asked(peer)).toHaveLength(1)
        expect([client.state, client.era]).toEqual(["ready", "modern"])
        const before = peer.requests("tools/list").length
        peer.add(toolList(tool("b")))
        yield* client.tools.list()
        yield* until(() => seen.length === 1)
        expect(peer.requests("tools/list")).toHaveLength(before + 1)
        yield* stop
      }),
  )

  it.effect(
    "C037 (c) V26-SUB-04 what the server does not grant can be read, and is not polled for",
    () =>
      Effect.gen(function* () {
        const { peer, client } = yield* ways.memory(
          withRules(server(), listen([{ message: acknowledge({}) }, { silence: true }])),
        )
        const { stop } = yield* changing(client)
        yield* until(() => client.listening === "unsupported" && client.tools.state === "live")
        expect(client.subscriptions.withheld).toMatchObject({ toolsListChanged: true })
        yield* TestClock.adjust("1 hour")
        yield* settle
        expect([asked(peer).length, peer.requests("tools/list").length]).toEqual([1, 1])
        yield* stop
      }),
  )

  it("as an async iterable it ends with its signal, and with the connection", async () => {
    const peer = memoryPeer(
      legacyServer({ tools: [tool("a")], capabilities: { tools: { listChanged: true } } }),
    )
    const client = await connected(peer.transport)
    const stop = new AbortController()
    const seen: Array<string> = []
    const reading = (async () => {
      for await (const { list, added } of client.changes({ signal: stop.signal })) {
        seen.push(list, ...added.map((one) => one.name))
        stop.abort()
      }
    })()
    await peer.next("tools/list")
    peer.add(toolList(tool("a"), tool("b")))
    peer.send(notification("notifications/tools/list_changed"))
    await expect(reading).rejects.toMatchObject({ _tag: "RequestAborted" })
    expect(seen).toEqual(["tools", "b"])
    const rest = (async () => {
      const versions: Array<number> = []
      for await (const { version } of client.tools.follow()) versions.push(version)
      return versions
    })()
    await client.close()
    expect(await rest).toEqual([2])
  })
})
