import { describe, expect, it } from "vitest"
import type { JsonObject } from "@entente/protocol"
import {
  legacyServer,
  memoryPeer,
  modernServer,
  refusal,
  tool,
  withRules,
  type LegacyServerOptions,
  type ModernServerOptions,
  type Rule,
  type Script,
} from "@entente/testkit"
import { startHttpPeer } from "@entente/testkit/node"
import type { Transport } from "@entente/transport"
import { connected, names, noted, reasonOf } from "./connected.js"

type Offers = LegacyServerOptions & ModernServerOptions

const servers: Readonly<Record<string, (offers: Offers) => Script>> = {
  legacy: legacyServer,
  modern: modernServer,
}

const ways = {
  memory: async (script: Script) => {
    const peer = memoryPeer(script)
    const target: Transport | string = peer.transport
    return { peer, target, [Symbol.asyncDispose]: async () => {} }
  },
  HTTP: async (script: Script) => {
    const peer = await startHttpPeer(script)
    const target: Transport | string = peer.url
    return { peer, target, [Symbol.asyncDispose]: () => peer[Symbol.asyncDispose]() }
  },
}

const rows = Object.entries(servers).flatMap(([era, server]) =>
  Object.entries(ways).map(([way, start]) => [era, way, server, start] as const),
)

const listing = (method: string, result: JsonObject): Rule => ({
  when: { method },
  reply: [{ result: { resultType: "complete", ...result } }],
})

describe.each(rows)("lists of a %s server over %s", (era, _, server, start) => {
  const others = ["resources/list", "resources/templates/list", "prompts/list"]

  it("C007 only what is declared is asked for; the rest is unsupported, and no error", async () => {
    const refusing = others.map((method): Rule => ({
      when: { method },
      reply: refusal(200, -32601, "Method not found"),
    }))
    const script = withRules(
      server({ tools: [tool("a")], capabilities: { tools: {} } }),
      ...refusing,
    )
    await using started = await start(script)
    await using client = await connected(started.target)
    expect(client.era).toBe(era)
    const { lists } = await client.snapshot()
    expect(lists).toMatchObject({
      tools: { status: "complete", items: [{ name: "a" }] },
      resources: { status: "unsupported", reason: { code: "capability-missing" } },
      templates: { status: "unsupported" },
      prompts: { status: "unsupported" },
    })
    expect(client.state).toBe("ready")
    expect(started.peer.methods().filter((method) => others.includes(method))).toEqual([])
    // A stream has no other way to say so than to fail; nothing is sent for it either.
    const items = client.prompts.all()[Symbol.asyncIterator]()
    expect(await reasonOf(items.next())).toMatchObject({ code: "capability-missing" })
    expect(started.peer.requests("prompts/list")).toEqual([])
  })

  it.each([
    ["resources", "resources/list", { resources: {} }],
    ["templates", "resources/templates/list", { resources: {} }],
    ["prompts", "prompts/list", { prompts: {} }],
  ] as const)(
    "C008 %s that are declared and not implemented cost the tools nothing, and one request",
    async (name, method, declared) => {
      const capabilities = { tools: { listChanged: true }, ...declared }
      const script = withRules(server({ tools: [tool("a")], resources: [], capabilities }), {
        when: { method },
        reply: refusal(200, -32601, "Method not found"),
      })
      await using started = await start(script)
      await using client = await connected(started.target)
      const { lists } = await client.snapshot()
      expect(lists.tools).toMatchObject({ status: "complete", items: [{ name: "a" }] })
      expect(lists[name]).toMatchObject({
        status: "unavailable",
        items: [],
        reason: {
          code: "peer-error",
          rpcCode: -32601,
          message: expect.stringContaining("advertised"),
        },
      })
      expect(client.state).toBe("ready")
      const list = name === "templates" ? client.resources.templates : client[name]
      await client.snapshot()
      expect(await list.list()).toMatchObject({ status: "unavailable" })
      expect(started.peer.requests(method)).toHaveLength(1)
      await list.list({ refresh: true })
      expect(started.peer.requests(method)).toHaveLength(2)
      expect(
        client.notes.filter(({ code }) => code === "advertised-but-unimplemented"),
      ).toMatchObject([{ detail: expect.stringContaining(method) }])
    },
  )

  const anyOf = [{ type: "object", properties: { k: { const: "a" } } }, { type: "object" }]

  it.each<
    [
      what: string,
      list: "tools" | "prompts" | "resources" | "templates",
      broken: JsonObject,
      at: string,
    ]
  >([
    ["a root union", "tools", { name: "bad", inputSchema: { anyOf } }, "/inputSchema/type"],
    ["another type", "tools", { name: "bad", inputSchema: { type: "array" } }, "/inputSchema/type"],
    ["no schema", "tools", { name: "bad" }, "/inputSchema"],
    ["a schema that is none", "tools", { name: "bad", inputSchema: "{}" }, "/inputSchema"],
    ["arguments that are none", "prompts", { name: "bad", arguments: [{}] }, "/arguments/0/name"],
    ["a size that is none", "resources", { uri: "bad", name: "b", size: "1" }, "/size"],
    ["no template", "templates", { name: "bad" }, "/uriTemplate"],
  ])(
    "C011 an item with %s is set aside from %s, with name, index, pointer and reason",
    async (_what, list, broken, at) => {
      const table = {
        tools: ["tools/list", "tools", tool("ok"), "name"],
        prompts: ["prompts/list", "prompts", { name: "ok" }, "name"],
        resources: ["resources/list", "resources", { uri: "ok", name: "o" }, "uri"],
        templates: [
          "resources/templates/list",
          "resourceTemplates",
          { uriTemplate: "ok", name: "o" },
          "uriTemplate",
        ],
      } as const
      const [method, member, good, key] = table[list]
      const script = withRules(
        server({ tools: [], prompts: [], resources: [], resourceTemplates: [] }),
        listing(method, { [member]: [good, broken] }),
      )
      await using started = await start(script)
      await using client = await connected(started.target)
      const read = list === "templates" ? client.resources.templates : client[list]
      const set = {
        page: 0,
        index: 1,
        name: typeof broken[key] === "string" ? broken[key] : undefined,
        pointer: at,
        reason: expect.stringMatching(/./),
      }
      expect(await read.list()).toMatchObject({
        status: "complete",
        items: [good],
        quarantined: [set],
      })
      const streamed: Array<unknown> = []
      for await (const item of read.all()) streamed.push(item)
      expect(streamed).toEqual([good])
      const { lists } = await client.snapshot()
      expect(lists[list]).toMatchObject({ items: [good], quarantined: [set] })
      expect(noted(client)).toContain("item-quarantined")

      await using strict = await connected(started.target, { strict: true })
      const careful = list === "templates" ? strict.resources.templates : strict[list]
      const items = careful.all()[Symbol.asyncIterator]()
      expect(await reasonOf(items.next())).toMatchObject({
        _tag: "NotTolerated",
        tolerance: "item-quarantined",
        message: expect.stringContaining(`/${member}/1${at}`),
      })
      expect(await careful.list()).toMatchObject({
        status: "unavailable",
        reason: { code: "not-tolerated" },
      })
    },
  )

  it("C097 a list of which no two readings agree is delivered as the last one, partial", async () => {
    const walks = [1, 2, 3].map((nth): Rule => ({
      when: { method: "tools/list", nth },
      reply: [{ result: { resultType: "complete", tools: [tool(`only-in-${nth}`)] } }],
    }))
    await using started = await start(withRules(server({ tools: [] }), ...walks))
    await using client = await connected(started.target)
    const read = await client.tools.list({ verify: true })
    expect(read).toMatchObject({ status: "partial", reason: { code: "walks-disagree" } })
    expect(names(read.items)).toEqual(["only-in-3"])
    expect(started.peer.requests("tools/list")).toHaveLength(3)
  })

  it("C103 an empty array where an object belongs costs no tool, and under strict the whole list", async () => {
    const info = tool("info", { inputSchema: { type: "object", properties: [] } })
    const full = tool("full", { inputSchema: { type: "object", properties: [1] } })
    await using started = await start(server({ tools: [info, tool("b"), full] }))
    await using client = await connected(started.target)
    const { items, quarantined } = await client.tools.list()
    expect(names(items)).toEqual(["info", "b"])
    expect(items[0]?.inputSchema).toEqual({ type: "object", properties: {} })
    expect(quarantined).toMatchObject([
      { index: 2, name: "full", pointer: "/inputSchema/properties" },
    ])
    expect(client.notes).toContainEqual({
      code: "empty-array-as-object",
      detail: "/tools/0/inputSchema/properties",
      count: 1,
    })
    await using strict = await connected(started.target, { strict: true })
    for (const [tolerance, tools] of [
      ["empty-array-as-object", [info, tool("b")]],
      ["item-quarantined", [full, tool("b")]],
    ] as const) {
      started.peer.add(listing("tools/list", { tools }))
      const all = strict.tools.all()[Symbol.asyncIterator]()
      expect(await reasonOf(all.next())).toMatchObject({ _tag: "NotTolerated", tolerance })
    }
  })
})

describe("C097 a list of a modern server that changes between two pages", () => {
  const meta = { "io.modelcontextprotocol/subscriptionId": { $from: "/id" } }
  const subscription = { method: "subscriptions/listen" }
  const says = (method: string, params: JsonObject = {}) => ({
    message: { jsonrpc: "2.0", method, params: { ...params, _meta: meta } },
  })
  const page = (name: string, nextCursor?: string): JsonObject => ({
    resultType: "complete",
    tools: [tool(name)],
    ...(nextCursor === undefined ? {} : { nextCursor }),
  })
  const at = (cursor: unknown, nth?: number) => ({
    method: "tools/list",
    params: { cursor },
    ...(nth === undefined ? {} : { nth }),
  })

  it("starts again from page one, and splices nothing", async () => {
    const peer = memoryPeer(
      withRules(
        modernServer({ tools: [], capabilities: { tools: { listChanged: true } } }),
        {
          when: subscription,
          reply: [
            says("notifications/subscriptions/acknowledged", {
              notifications: { $from: "/params/notifications" },
            }),
            { silence: true },
          ],
        },
        { when: at({ $present: false }, 1), reply: [{ result: page("old", "2") }] },
        { when: at("2", 1), reply: [{ silence: true }] },
        { when: at({ $present: false }), reply: [{ result: page("new", "2") }] },
        { when: at("2"), reply: [{ result: page("newer") }] },
      ),
    )
    await using client = await connected(peer.transport)
    await new Promise<void>((resolve) => {
      if (client.listening === "open") return resolve()
      client.onListening((state) => state === "open" && resolve())
    })
    const read = client.tools.list()
    await peer.next({ method: "tools/list", params: { cursor: "2" } })
    const { message } = says("notifications/tools/list_changed")
    peer.send(message, subscription)
    peer.play([{ result: page("older") }], at("2"))
    const { status, stale, items } = await read
    expect({ status, stale, names: names(items) }).toEqual({
      status: "complete",
      stale: false,
      names: ["new", "newer"],
    })
    expect(noted(client)).toContain("walk-restarted")
  })
})
