import { describe, expect, it } from "vitest"
import * as Effect from "effect/Effect"
import type { CompleteParams, GetPromptParams, PromiseClient } from "@entente/client"
import { legacyServer, memoryPeer, withRules, type Rule } from "@entente/testkit"
import { connected, reasonOf } from "../field/connected.js"

const everything = legacyServer({
  tools: [],
  prompts: [],
  resources: [],
  capabilities: { tools: {}, prompts: {}, resources: {}, completions: {} },
})

/** As a caller without TypeScript would write it. */
const untyped = <A>(value: unknown): A => value as A

const refusals: ReadonlyArray<
  readonly [string, (client: PromiseClient) => Promise<unknown>, string]
> = [
  [
    "V25-PROMPT-01 V26-PROM-01 a prompt's argument that is a number",
    (client) =>
      client.getPrompt(untyped<GetPromptParams>({ name: "p", arguments: { year: 2026, ok: "x" } })),
    'the value of "year" is no string',
  ],
  [
    "V25-PROMPT-01 V26-PROM-01 a prompt's arguments that are a list",
    (client) => client.getPrompt(untyped({ name: "p", arguments: ["x"] })),
    "arguments is no object",
  ],
  [
    "V25-TOOL-10 V25-TOOL-01 a tool's arguments that are null",
    (client) => client.callTool(untyped({ name: "a", arguments: null })),
    "arguments is no object",
  ],
  [
    "V25-TOOL-01 a tool's arguments that are a list",
    (client) => client.callTool(untyped({ name: "a", arguments: [1] })),
    "arguments is no object",
  ],
  [
    "V25-TOOL-01 a tool without a name",
    (client) => client.callTool(untyped({ arguments: {} })),
    "name is no string",
  ],
  [
    "V25-RES-01 a resource whose URI is an object",
    (client) => client.readResource(untyped({ uri: new URL("x://y") })),
    "uri is no string",
  ],
  ["nothing at all", (client) => client.callTool(untyped(null)), "params are no object"],
  ...(
    [
      [{ argument: { name: "x", value: "" } }, "ref is no object"],
      [{ ref: { type: "ref/tool" }, argument: {} }, "ref.type is none of"],
      [{ ref: { type: "constructor" }, argument: {} }, "ref.type is none of"],
      [{ ref: { type: "ref/prompt", uri: "x" }, argument: {} }, "ref.name is no string"],
      [{ ref: { type: "ref/resource", name: "x" }, argument: {} }, "ref.uri is no string"],
      [{ ref: { type: "ref/prompt", name: "x" } }, "argument is no object"],
      [
        { ref: { type: "ref/prompt", name: "x" }, argument: { name: "y", value: 1 } },
        "argument.value is no string",
      ],
      [
        {
          ref: { type: "ref/prompt", name: "x" },
          argument: { name: "y", value: "" },
          context: { arguments: { z: 3 } },
        },
        'context.arguments: the value of "z" is no string',
      ],
    ] as const
  ).map(
    ([params, why]) =>
      [
        `V25-COMP-02 V26-COMP-06 V26-COMP-02 ${why}`,
        (client: PromiseClient) => client.complete(untyped<CompleteParams>(params)),
        why,
      ] as const,
  ),
]

describe("params that no server could make sense of are refused before anything is sent", () => {
  it.each(refusals)("%s", async (_, call, why) => {
    const peer = memoryPeer(everything)
    await using client = await connected(peer.transport)
    const before = peer.received.length
    expect(await reasonOf(call(client))).toMatchObject({
      _tag: "InvalidInput",
      code: "invalid-input",
      message: expect.stringContaining(why),
    })
    await client.tools.list()
    expect(peer.received).toHaveLength(before + 1)
  })

  it("V26-PROM-01 fail the effect in the same way", async () => {
    const peer = memoryPeer(everything)
    await using client = await connected(peer.transport)
    const { Client, memoryVerdicts } = await import("@entente/client")
    const error = await Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const own = yield* Client.connect(peer.transport, { verdicts: memoryVerdicts() })
          return yield* Effect.flip(own.getPrompt(untyped({ name: "p", arguments: { n: 1 } })))
        }),
      ),
    )
    expect(error).toMatchObject({ _tag: "InvalidInput" })
    expect(client.state).toBe("ready")
  })
})

describe("params that are the server's to judge", () => {
  it("V26-TOOL-14 V25-TOOL-05 V26-TOOL-10 arguments that its schema forbids are sent, and its own error comes back as a result", async () => {
    const strict = {
      name: "a",
      inputSchema: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
    }
    const failed = { isError: true, content: [{ type: "text", text: "n is missing" }] }
    const judges: Rule = {
      when: { method: "tools/call", params: { arguments: { n: { $present: false } } } },
      reply: [{ result: failed }],
    }
    const peer = memoryPeer(withRules(legacyServer({ tools: [strict] }), judges))
    await using client = await connected(peer.transport)
    await client.tools.list()
    expect(await client.callTool({ name: "a", arguments: { m: "x" } })).toEqual(failed)
    const [call] = peer.requests("tools/call")
    expect(call?.message.params).toMatchObject({ arguments: { m: "x" } })
  })

  it("V25-TOOL-01 V25-TOOL-10 a call without arguments has none, and nested ones arrive as they are", async () => {
    const peer = memoryPeer(
      legacyServer({ tools: [{ name: "a", inputSchema: { type: "object" } }] }),
    )
    await using client = await connected(peer.transport)
    const nested = { deep: [{ er: null }, { __proto__: null, "": 0 }], text: "ü\u2028" }
    await client.callTool({ name: "a" })
    await client.callTool({ name: "a", arguments: {} })
    await client.callTool({ name: "a", arguments: nested })
    const sent = peer.requests("tools/call").map(({ message }) => message.params)
    expect(sent[0]).not.toHaveProperty("arguments")
    expect(sent[1]).toMatchObject({ arguments: {} })
    expect(sent[2]).toMatchObject({ arguments: JSON.parse(JSON.stringify(nested)) })
  })
})
