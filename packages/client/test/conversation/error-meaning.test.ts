import { describe, expect, it } from "vitest"
import * as Effect from "effect/Effect"
import { Client, memoryVerdicts, type PromiseClient } from "@entente/client"
import {
  legacyServer,
  memoryPeer,
  modernServer,
  notification,
  request,
  withRules,
  type Rule,
  type Script,
} from "@entente/testkit"
import { startHttpPeer } from "@entente/testkit/node"
import { connected, reasonOf } from "../field/connected.js"

const offers = {
  tools: [{ name: "a", inputSchema: { type: "object" } }],
  prompts: [{ name: "p" }],
  resources: [{ uri: "x://r", name: "r" }],
  capabilities: { tools: {}, prompts: {}, resources: {}, completions: {} },
}

const servers = { legacy: legacyServer(offers), modern: modernServer(offers) } as const
const both = ["legacy", "modern"] as const

const refusing = (script: Script, method: string, error: object): Script =>
  withRules(script, { when: { kind: "request", method }, reply: [{ error }] })

const calls: Readonly<Record<string, (client: PromiseClient) => Promise<unknown>>> = {
  "tools/call": (client) => client.callTool({ name: "a" }),
  "prompts/get": (client) => client.getPrompt({ name: "p" }),
  "resources/read": (client) => client.readResource({ uri: "x://gone" }),
  "completion/complete": (client) =>
    client.complete({
      ref: { type: "ref/prompt", name: "p" },
      argument: { name: "x", value: "" },
    }),
  "x/other": (client) => client.request("x/other"),
}

describe("an error of the server", () => {
  it.each(both)(
    "V25-TOOL-06 V25-PROMPT-04 V25-COMP-03 V26-PROM-05 V26-COMP-05 V26-TOOL-10 V26-ERR-03 V26-ERR-04 keeps code, message and data: %s",
    async (era) => {
      for (const [method, call] of Object.entries(calls)) {
        for (const code of [-32602, -32603, -32601, -32700, 1, -32002]) {
          const data = { method, deep: [code] }
          const peer = memoryPeer(refusing(servers[era], method, { code, message: "Why", data }))
          await using client = await connected(peer.transport)
          const error = await reasonOf(call(client))
          const missing = method === "resources/read" && (code === -32602 || code === -32002)
          expect({ method, ...(error as object) }).toMatchObject({
            method,
            _tag: "PeerError",
            code: missing ? "resource-not-found" : "peer-error",
            rpcCode: code,
            rpcMessage: "Why",
            data,
          })
        }
      }
    },
    60_000,
  )

  it.each(both)(
    "V26-ERR-01 from -32000 to -32019, and of drafts, means nothing in particular: %s",
    async (era) => {
      for (const code of [-32000, -32001, -32003, -32004, -32019]) {
        const peer = memoryPeer(refusing(servers[era], "tools/call", { code, message: "x" }))
        await using client = await connected(peer.transport)
        expect(await reasonOf(client.callTool({ name: "a" }))).toMatchObject({
          _tag: "PeerError",
          code: "peer-error",
          rpcCode: code,
        })
        expect(client.era).toBe(era)
        expect(peer.requests("tools/call")).toHaveLength(1)
      }
    },
  )

  it("V26-ERR-04 keeps the HTTP status and the headers, without secrets", async () => {
    const refusal: Rule = {
      when: { method: "tools/call" },
      reply: [
        {
          status: 400,
          headers: { "x-request-id": "r-17", "set-cookie": "session=secret", "retry-after": "7" },
          error: { code: -32603, message: "<b>Not now</b>" },
        },
      ],
    }
    await using peer = await startHttpPeer(withRules(servers.modern, refusal))
    await using client = await connected(peer.url)
    const error = await reasonOf(client.callTool({ name: "a" }))
    expect(error).toMatchObject({
      _tag: "PeerError",
      status: 400,
      rpcMessage: "<b>Not now</b>",
      headers: { "x-request-id": "r-17", "retry-after": "7" },
    })
    expect(JSON.stringify(error)).not.toContain("secret")
  })
})

describe("a resource that is not there", () => {
  it.each([-32002, -32602])(
    "V25-RES-05 V26-RES-01 is not found, by the code %i, through both doors",
    async (code) => {
      for (const script of Object.values(servers)) {
        const error = { code, message: "Resource not found", data: { uri: "x://gone" } }
        const peer = memoryPeer(refusing(script, "resources/read", error))
        await using client = await connected(peer.transport)
        const expected = { _tag: "PeerError", code: "resource-not-found", uri: "x://gone" }
        expect(await reasonOf(client.readResource({ uri: "x://gone" }))).toMatchObject(expected)
        const failure = Effect.gen(function* () {
          const own = yield* Client.connect(peer.transport, { verdicts: memoryVerdicts() })
          return yield* Effect.flip(own.readResource({ uri: "x://gone" }))
        })
        expect(await Effect.runPromise(Effect.scoped(failure))).toMatchObject(expected)
      }
    },
  )

  it("V25-RES-05 V26-RES-01 is not found also where the server does not name it, or names nonsense", async () => {
    for (const data of [undefined, null, { uri: 7 }, ["x://gone"]]) {
      const error = { code: -32602, message: "no", ...(data === undefined ? {} : { data }) }
      const peer = memoryPeer(refusing(servers.modern, "resources/read", error))
      await using client = await connected(peer.transport)
      const found = await reasonOf(client.readResource({ uri: "x://gone" }))
      expect(found).toMatchObject({ code: "resource-not-found" })
      expect(found).not.toHaveProperty("uri")
    }
  })

  it("V26-RES-02 V26-ERR-03 is nothing that another method, or another code, speaks of", async () => {
    for (const [method, code] of [
      ["tools/call", -32602],
      ["tools/call", -32002],
      ["prompts/get", -32602],
      ["resources/read", -32603],
    ] as const) {
      const peer = memoryPeer(refusing(servers.modern, method, { code, message: "no" }))
      await using client = await connected(peer.transport)
      expect(await reasonOf(calls[method]?.(client) ?? Promise.resolve())).toMatchObject({
        code: "peer-error",
      })
    }
  })
})

describe("what this client itself answers", () => {
  it("V26-ERR-02 never carries a code that is not its to give", async () => {
    const peer = memoryPeer(servers.legacy)
    await using client = await connected(peer.transport, {
      handlers: {
        elicitation: {
          form: () => {
            throw new Error("broken")
          },
        },
        sampling: {
          handler: () => Promise.reject(new Error("broken")),
        },
      },
    })
    const asked = [
      ["ping", {}],
      ["roots/list", {}],
      ["sampling/createMessage", { messages: [], maxTokens: 1 }],
      ["sampling/createMessage", {}],
      ["elicitation/create", { message: "?", requestedSchema: { type: "object", properties: {} } }],
      ["elicitation/create", { mode: "url", message: "?", url: "https://x", elicitationId: "1" }],
      ["elicitation/create", 7],
      ["tasks/get", { taskId: "t" }],
      ["x/unknown", {}],
    ] as const
    for (const [id, [method, params]] of asked.entries()) {
      peer.send(
        typeof params === "number" ? { jsonrpc: "2.0", id, method } : request(id, method, params),
      )
    }
    peer.send(notification("x/unknown"))
    const responses = () => peer.received.filter(({ kind }) => kind === "response")
    await peer.until(() => responses().length === asked.length)
    expect(client.state).toBe("ready")
    const codes = responses().flatMap(({ message }) => {
      const { error } = message as { error?: { code: number } }
      return error === undefined ? [] : [error.code]
    })
    expect(codes.length).toBeGreaterThan(4)
    const standard = new Set([-32700, -32600, -32601, -32602, -32603])
    for (const code of codes) {
      // Its own lie outside what JSON-RPC has reserved; -1 is MCP's for what a person has rejected.
      const isOurs = code > -32000 || code < -32768
      expect({ code, allowed: standard.has(code) || isOurs }).toEqual({ code, allowed: true })
    }
  })
})
