import { describe, expect, it } from "vitest"
import * as Effect from "effect/Effect"
import { Client, memoryVerdicts, type CompleteParams } from "@entente/client"
import type { LegacyRevision } from "@entente/protocol"
import {
  legacyServer,
  memoryPeer,
  modernServer,
  tool,
  withRules,
  type Rule,
  type Script,
} from "@entente/testkit"
import { startHttpPeer } from "@entente/testkit/node"
import { connected, reasonOf } from "../field/connected.js"

const capabilities = { completions: {}, prompts: {}, resources: {} }

const params: CompleteParams = {
  ref: { type: "ref/prompt", name: "review" },
  argument: { name: "framework", value: "fl" },
  context: { arguments: { language: "python" } },
}

const suggests = (completion: object): Rule => ({
  when: { kind: "request", method: "completion/complete" },
  reply: [{ result: { resultType: "complete", completion } }],
})

const modern = (completion: object): Script =>
  withRules(modernServer({ capabilities }), suggests(completion))

const legacy = (revision: LegacyRevision, completion: object): Script =>
  withRules(legacyServer({ revision, capabilities }), suggests(completion))

describe("complete", () => {
  it.each([
    ["a prompt", { type: "ref/prompt", name: "review" }],
    ["a prompt with its title", { type: "ref/prompt", name: "review", title: "Review" }],
    ["a resource template", { type: "ref/resource", uri: "file:///{path}" }],
  ] as const)("V25-COMP-01 V26-COMP-02 asks about an argument of %s", async (_, ref) => {
    const completion = { values: ["flask"], total: 1, hasMore: false }
    for (const script of [legacy("2025-11-25", completion), modern(completion)]) {
      const peer = memoryPeer(script)
      await using client = await connected(peer.transport)
      expect((await client.complete({ ...params, ref })).completion).toEqual(completion)
      const [asked] = peer.requests("completion/complete")
      expect(asked?.message.params).toMatchObject({ ...params, ref })
    }
  })

  it.each([
    ["2024-11-05", false],
    ["2025-03-26", false],
    ["2025-06-18", true],
    ["2025-11-25", true],
  ] as const)(
    "V25-COMP-01 tells a server of %s of the other arguments: %s",
    async (revision, told) => {
      const peer = memoryPeer(legacy(revision, { values: [] }))
      await using client = await connected(peer.transport)
      await client.complete(params)
      const [asked] = peer.requests("completion/complete")
      const { context: _, ...withoutContext } = params
      expect(asked?.message.params).toEqual(told ? params : withoutContext)
    },
  )

  it("V26-COMP-03 V25-COMP-01 keeps more than 100 values, and what is missing besides", async () => {
    const values = Array.from({ length: 101 }, (_, at) => `value ${at}`)
    for (const script of [legacy("2025-11-25", { values }), modern({ values })]) {
      const peer = memoryPeer(script)
      await using client = await connected(peer.transport)
      const { completion } = await client.complete(params)
      expect(completion).toEqual({ values })
    }
  })

  it("V26-COMP-01 V25-CAP-02 V25-CAP-11 sends nothing where the capability was not declared", async () => {
    for (const script of [
      modernServer({ tools: [tool("a")] }),
      ...(["2025-03-26", "2025-06-18", "2025-11-25"] as const).map((revision) =>
        legacyServer({ revision, tools: [tool("a")] }),
      ),
    ]) {
      const peer = memoryPeer(withRules(script, suggests({ values: [] })))
      await using client = await connected(peer.transport)
      expect(await reasonOf(client.complete(params))).toMatchObject({
        _tag: "CapabilityMissing",
        capability: "completions",
      })
      expect(peer.methods()).not.toContain("completion/complete")
    }
  })

  it("V25-CAP-11 V25-COMP-03 tries a server of 2024-11-05 once, and remembers that it does not know the method", async () => {
    const peer = memoryPeer(legacyServer({ revision: "2024-11-05", tools: [tool("a")] }))
    await using client = await connected(peer.transport)
    const expected = {
      _tag: "CapabilityMissing",
      code: "capability-missing",
      capability: "completions",
    }
    const first = await reasonOf(client.complete(params))
    expect(first).toMatchObject({ ...expected, cause: { _tag: "PeerError", rpcCode: -32601 } })
    expect(await reasonOf(client.complete(params))).toMatchObject(expected)
    expect(await reasonOf(client.request("completion/complete", { ...params }))).toMatchObject(
      expected,
    )
    expect(peer.requests("completion/complete")).toHaveLength(1)
    // Only for methods without a flag: another one may be unknown today and known tomorrow.
    await reasonOf(client.request("x/other"))
    await reasonOf(client.request("x/other"))
    expect(peer.requests("x/other")).toHaveLength(2)
  })

  it("V25-CAP-11 asks a new server again, and keeps other errors as they are", async () => {
    await using peer = await startHttpPeer(
      legacyServer({ revision: "2024-11-05", tools: [tool("a")], sessionIds: ["S1", "S2"] }),
    )
    await using client = await connected(peer.url, { listen: false })
    expect(await reasonOf(client.complete(params))).toMatchObject({ _tag: "CapabilityMissing" })
    // The session is gone; the server of the next one knows the method.
    peer.add({ when: { headers: { "mcp-session-id": "S1" } }, reply: [{ http: { status: 404 } }] })
    peer.add(suggests({ values: ["x"] }))
    peer.add({
      when: { kind: "request", method: "completion/complete" },
      times: 1,
      reply: [{ error: { code: -32602, message: "no such prompt" } }],
    })
    await client.tools.list()
    expect(await reasonOf(client.complete(params))).toMatchObject({ rpcCode: -32602 })
    expect((await client.complete(params)).completion.values).toEqual(["x"])
  })

  it("V25-COMP-01 is an effect as well", async () => {
    const peer = memoryPeer(modern({ values: ["flask"] }))
    const program = Effect.gen(function* () {
      const client = yield* Client.connect(peer.transport, { verdicts: memoryVerdicts() })
      return yield* client.complete(params)
    })
    const { completion } = await Effect.runPromise(Effect.scoped(program))
    expect(completion.values).toEqual(["flask"])
  })

  it("V25-COMP-03 a result without values is a fault of the server", async () => {
    const peer = memoryPeer(modern({ total: 3 }))
    await using client = await connected(peer.transport)
    expect(await reasonOf(client.complete(params))).toMatchObject({
      code: "invalid-result",
      pointer: "/completion/values",
    })
  })
})
