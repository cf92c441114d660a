import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { expect, it as plainIt } from "vitest"
import { Client, memoryVerdicts } from "@entente/client"
import {
  legacyServer,
  memoryPeer,
  modernServer,
  request,
  tool,
  withRules,
  type Rule,
} from "@entente/testkit"
import { startHttpPeer } from "@entente/testkit/node"
import { connected, names, noted, reasonOf } from "./connected.js"

const code = "empty-array-as-object"
const one = legacyServer({ tools: [tool("a")] })
const nothing = (method: string): Rule => ({ when: { method }, reply: [{ result: [] }] })

const legacy = { mode: "legacy" } as const
const strict = { ...legacy, strict: true, reconnect: "never" } as const

describe("an empty array where an object belongs", () => {
  plainIt("C103 costs no tool of a list", async () => {
    const info = tool("info", { inputSchema: { type: "object", properties: [] } })
    const peer = memoryPeer(legacyServer({ tools: [info, tool("b")] }))
    await using client = await connected(peer.transport, legacy)
    const { items } = await client.tools.list()
    expect(names(items)).toEqual(["info", "b"])
    expect(items[0]?.inputSchema).toEqual({ type: "object", properties: {} })
    expect(client.notes).toContainEqual({
      code,
      detail: "/tools/0/inputSchema/properties",
      count: 1,
    })
  })

  plainIt("C103 one that is not empty gets no such mercy: its tool is set aside", async () => {
    const info = tool("info", { inputSchema: { type: "object", properties: [1] } })
    const peer = memoryPeer(legacyServer({ tools: [info, tool("b")] }))
    await using client = await connected(peer.transport, legacy)
    const { items, quarantined } = await client.tools.list()
    expect(names(items)).toEqual(["b"])
    expect(quarantined).toMatchObject([{ name: "info", pointer: "/inputSchema/properties" }])
    expect(noted(client)).not.toContain(code)
  })

  plainIt.each([
    ["capabilities.tools of initialize", { tools: [] }, "/capabilities/tools of initialize"],
    ["capabilities of initialize", [], "/capabilities of initialize"],
  ])("C103 %s counts as declared", async (_, capabilities, detail) => {
    const script = withRules(one, {
      when: { method: "initialize" },
      reply: [
        {
          result: {
            protocolVersion: "2025-11-25",
            capabilities,
            serverInfo: { name: "php", version: "1" },
          },
        },
      ],
    })
    await using client = await connected(memoryPeer(script).transport, legacy)
    expect(client.capabilities).toEqual(Array.isArray(capabilities) ? {} : { tools: {} })
    expect(client.notes).toContainEqual({ code, detail, count: 1 })
    const status = Array.isArray(capabilities) ? "unsupported" : "complete"
    expect(await client.tools.list()).toMatchObject({ status })
    expect(await reasonOf(connected(memoryPeer(script).transport, strict))).toMatchObject({
      attempts: [{ outcome: expect.stringContaining(code) }],
    })
  })

  plainIt("C103 and so it does of server/discover", async () => {
    const discover = { supportedVersions: ["2026-07-28"], capabilities: { tools: [] } }
    const script = withRules(modernServer({ tools: [tool("a")] }), {
      when: { method: "server/discover" },
      reply: [{ result: discover }],
    })
    await using client = await connected(memoryPeer(script).transport)
    expect(client.era).toBe("modern")
    expect(client.capabilities).toEqual({ tools: {} })
    expect(noted(client)).toContain(code)
  })

  plainIt("C103 _meta of a result is put right in a copy", async () => {
    const content = [{ type: "text", text: "a" }]
    const script = withRules(one, {
      when: { method: "tools/call" },
      reply: [{ result: { content, _meta: [] } }],
    })
    await using client = await connected(memoryPeer(script).transport, legacy)
    expect(await client.callTool({ name: "a" })).toEqual({ content, _meta: {} })
    expect(client.notes).toContainEqual({ code, detail: "/_meta", count: 1 })
    await using careful = await connected(memoryPeer(script).transport, strict)
    expect(await reasonOf(careful.callTool({ name: "a" }))).toMatchObject({
      _tag: "NotTolerated",
      tolerance: code,
    })
  })

  plainIt("C103 params of a notification are none", async () => {
    const peer = memoryPeer(one)
    await using client = await connected(peer.transport, legacy)
    const heard = new Promise((resolve) => client.onNotification(resolve))
    peer.send({ jsonrpc: "2.0", method: "notifications/tools/list_changed", params: [] })
    expect(await heard).toEqual({
      jsonrpc: "2.0",
      method: "notifications/tools/list_changed",
      params: {},
    })
    expect(noted(client)).toContain(code)
  })

  plainIt("C103 params of a request of the server are none", async () => {
    const peer = memoryPeer(one)
    await using client = await connected(peer.transport, legacy)
    peer.send({ ...request(7, "ping"), params: [] })
    expect((await peer.next({ kind: "response" })).message).toEqual({
      jsonrpc: "2.0",
      id: 7,
      result: {},
    })
    expect(noted(client)).toContain(code)
  })
})

describe("result: []", () => {
  plainIt.each(["json", "sse"] as const)(
    "C086 C103 is {} where {} is a whole result: %s",
    async (answers) => {
      const server = legacyServer({ tools: [tool("a")], answers })
      await using peer = await startHttpPeer(withRules(server, nothing("ping")))
      await using client = await connected(peer.url, legacy)
      expect(await client.request("ping")).toEqual({})
      expect(client.notes).toContainEqual({ code, detail: "/result of ping", count: 1 })
    },
  )

  it.effect("C086 C103 to a ping means alive: nothing is renewed", () =>
    Effect.gen(function* () {
      const peer = memoryPeer(withRules(one, nothing("ping")))
      const client = yield* Client.connect(peer.transport, {
        ...legacy,
        verdicts: memoryVerdicts(),
        keepAlive: { intervalMs: 1_000, timeoutMs: 500 },
      })
      yield* TestClock.adjust("3500 millis")
      expect(client.state).toBe("ready")
      expect(peer.methods().slice(2)).toEqual(["ping", "ping", "ping"])
      expect(client.notes).toEqual([{ code, detail: "/result of ping", count: 3 }])
    }),
  )

  plainIt.each(["tools/list", "tools/call", "vendor/own"])(
    "C103 is no result of %s, which needs more than that or is nobody's",
    async (method) => {
      const peer = memoryPeer(withRules(one, nothing(method)))
      await using client = await connected(peer.transport, legacy)
      expect(await reasonOf(client.request(method))).toMatchObject({
        _tag: "ProtocolViolation",
        code: "invalid-message",
      })
      expect(noted(client)).not.toContain(code)
    },
  )

  plainIt("C103 one that is not empty is no result of anything", async () => {
    const script = withRules(one, { when: { method: "ping" }, reply: [{ result: [1] }] })
    await using client = await connected(memoryPeer(script).transport, legacy)
    expect(await reasonOf(client.request("ping"))).toMatchObject({ code: "invalid-message" })
  })

  plainIt("C103 under strict it is an error of that request alone", async () => {
    const peer = memoryPeer(withRules(one, nothing("ping")))
    await using client = await connected(peer.transport, strict)
    expect(await reasonOf(client.request("ping"))).toMatchObject({
      _tag: "NotTolerated",
      tolerance: code,
    })
    expect(client.state).toBe("ready")
    expect(noted(client)).toEqual([])
  })
})
