import { describe, expect, it } from "vitest"
import { metaKey, type JsonObject } from "@entente/protocol"
import { connect, type ConnectOptions, type Handlers } from "@entente/client"
import { memoryPeer, modernServer, type MemoryPeer, type Script } from "@entente/testkit"
import { connected, reasonOf } from "../field/connected.js"
import { capabilitiesWith } from "../../src/question/capabilities.js"
import { offers, server } from "./asking-server.js"
import { root, said } from "./registry.js"

const form = () => ({ action: "decline" }) as const
const url = form
const sampling = () => said

/** What a connection declares to a server of either era. */
const declared = async (options: ConnectOptions) => {
  const legacy = await during(server, { mode: "legacy", ...options })
  const modern = await during(modernServer(offers), options)
  return {
    legacy: at(legacy, "initialize", ["capabilities"]),
    modern: at(modern, "tools/list", ["_meta", metaKey.clientCapabilities]),
  }
}

const during = async (script: Script, options: ConnectOptions): Promise<MemoryPeer> => {
  const peer = memoryPeer(script)
  await using client = await connected(peer.transport, options)
  await client.tools.list()
  return peer
}

const at = (peer: MemoryPeer, method: string, path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>(
    (value, name) => (value as JsonObject | undefined)?.[name],
    peer.requests(method)[0]?.message.params,
  )

describe("what is declared follows from the handlers", () => {
  const cases: ReadonlyArray<readonly [string, Handlers | undefined, JsonObject, JsonObject]> = [
    ["nothing without any", undefined, {}, {}],
    ["roots", { roots: [root] }, { roots: { listChanged: true } }, { roots: {} }],
    ["roots, also none of them", { roots: [] }, { roots: { listChanged: true } }, { roots: {} }],
    ["sampling", { sampling }, { sampling: {} }, { sampling: {} }],
    [
      "sampling, in its longer form",
      { sampling: { handler: sampling } },
      { sampling: {} },
      { sampling: {} },
    ],
    [
      "sampling with tools",
      { sampling: { handler: sampling, tools: true } },
      { sampling: { tools: {} } },
      { sampling: { tools: {} } },
    ],
    [
      "sampling with context",
      { sampling: { handler: sampling, context: true } },
      { sampling: { context: {} } },
      { sampling: { context: {} } },
    ],
    [
      "forms",
      { elicitation: { form } },
      { elicitation: { form: {} } },
      { elicitation: { form: {} } },
    ],
    ["pages", { elicitation: { url } }, { elicitation: { url: {} } }, { elicitation: { url: {} } }],
    [
      "both",
      { elicitation: { form, url } },
      { elicitation: { form: {}, url: {} } },
      { elicitation: { form: {}, url: {} } },
    ],
  ]

  it.each(cases)(
    "V25-CAP-01 V25-CAP-07 V25-ELI-01 V26-ELIC-01 V26-SAMP-01 V26-ROOT-01 V26-ELIC-07 V26-DUAL-07 T-36 trap 40: %s",
    async (_, handlers, legacy, modern) => {
      expect(await declared(handlers === undefined ? {} : { handlers })).toEqual({ legacy, modern })
    },
  )

  it("V25-CAP-09 besides what the host says itself, which stays as it is", async () => {
    const besides = {
      experimental: { "example.com/x": { deep: [1] } },
      extensions: { "example.com/y": {} },
      somethingNew: {},
    }
    expect(await declared({ handlers: { roots: [root] }, capabilities: besides })).toEqual({
      legacy: { ...besides, roots: { listChanged: true } },
      modern: { ...besides, roots: {} },
    })
  })

  it("V26-DUAL-07 V26-META-05 is on every modern request, whole", async () => {
    const peer = await during(modernServer(offers), { handlers: { sampling } })
    for (const { message } of peer.requests()) {
      expect(message.params?.["_meta"]).toHaveProperty([metaKey.clientCapabilities], {
        sampling: {},
      })
    }
  })
})

describe("a promise that no handler keeps", () => {
  const promises: ReadonlyArray<readonly [string, JsonObject, Handlers]> = [
    ["roots", { roots: {} }, {}],
    ["sampling", { sampling: {} }, {}],
    ["sampling.tools", { sampling: { tools: {} } }, { sampling }],
    [
      "sampling.context",
      { sampling: { context: {} } },
      { sampling: { handler: sampling, tools: true } },
    ],
    ["elicitation", { elicitation: {} }, {}],
    ["elicitation.url", { elicitation: { url: {} } }, { elicitation: { form } }],
    ["tasks", { tasks: { requests: { sampling: { createMessage: {} } } } }, { sampling }],
  ]

  it.each(promises)(
    "V25-CAP-01 V25-CAP-08 %s is refused before anything is sent",
    async (name, capabilities, handlers) => {
      const peer = memoryPeer(server)
      const reason = await reasonOf(connect(peer.transport, { capabilities, handlers }))
      expect(reason).toMatchObject({ _tag: "InvalidInput", code: "invalid-input", stage: "input" })
      expect(reason).toHaveProperty("message", expect.stringContaining(`"${name}"`))
      expect(peer.received).toEqual([])
    },
  )

  it("one that is kept may be repeated", async () => {
    const kept = { roots: {}, sampling: { tools: {} }, elicitation: { form: {} } }
    const handlers: Handlers = {
      roots: [root],
      sampling: { handler: sampling, tools: true },
      elicitation: { form, url },
    }
    expect(await declared({ capabilities: kept, handlers })).toEqual(await declared({ handlers }))
  })
})

describe("handlers that are none", () => {
  const broken: ReadonlyArray<readonly [string, unknown]> = [
    ["roots", { roots: "file:///a" }],
    ["roots", { roots: [{ uri: "https://example.com/" }] }],
    ["roots", { roots: [{ uri: "file:///a/../b" }] }],
    ["sampling", { sampling: {} }],
    ["sampling", { sampling: "yes" }],
    ["elicitation", { elicitation: {} }],
    ["elicitation", { elicitation: form }],
    ["elicitation", { elicitation: { form: true } }],
  ]

  it.each(broken)(
    "V25-ROOT-01 V25-ROOT-02 %s: %j is refused before anything is sent",
    async (name, handlers) => {
      const peer = memoryPeer(server)
      const reason = await reasonOf(connect(peer.transport, { handlers: handlers as Handlers }))
      expect(reason).toMatchObject({ _tag: "InvalidInput" })
      expect(reason).toHaveProperty("message", expect.stringContaining(`handlers.${name}`))
      expect(peer.received).toEqual([])
    },
  )
})

describe("the capabilities of one request", () => {
  const own = { roots: {}, elicitation: { form: {} }, extensions: { x: {} } }

  it.each([
    ["may leave one out", { elicitation: false }, { roots: {}, extensions: { x: {} } }],
    ["may narrow one", { elicitation: { url: {} } }, { ...own, elicitation: { url: {} } }],
    ["may add one", { sampling: {} }, { ...own, sampling: {} }],
    ["are the connection's without a wish", {}, own],
  ] as const)("V26-META-05 T-37 %s", (_, wish, expected) => {
    expect(capabilitiesWith(own, wish)).toEqual(expected)
  })

  it("V26-META-05 T-37 are declared with that request, and with no other", async () => {
    const peer = memoryPeer(modernServer(offers))
    const handlers: Handlers = { roots: [root], elicitation: { form } }
    await using client = await connected(peer.transport, { handlers })
    const capabilities = client.declaring({ elicitation: false })
    await client.callTool({ name: "a" }, { capabilities })
    await client.callTool({ name: "a" })
    const declared = peer
      .requests("tools/call")
      .map(
        ({ message }) =>
          (message.params?.["_meta"] as JsonObject | undefined)?.[metaKey.clientCapabilities],
      )
    expect(declared).toEqual([{ roots: {} }, { roots: {}, elicitation: { form: {} } }])
  })
})
