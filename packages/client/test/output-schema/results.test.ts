import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import * as z from "zod"
import {
  Client,
  memoryVerdicts,
  structuredContentOf,
  type ConnectOptions,
  type PromiseClient,
} from "@entente/client"
import type {
  CallToolResult,
  EntenteError,
  JsonObject,
  StructuredContentInvalid,
} from "@entente/protocol"
import {
  legacyServer,
  memoryPeer,
  modernServer,
  notification,
  refusal,
  tool,
  withRules,
  type MemoryPeer,
  type Rule,
  type Script,
} from "@entente/testkit"
import { Trace } from "@entente/trace"
import { typedCall } from "../../src/call/typed-result.js"
import { OutputSchemas } from "../../src/output-schema/output-schemas.js"
import { NoteBook } from "../../src/wire/note-book.js"
import { connected, noted, reasonOf } from "../field/connected.js"

const outputSchema = {
  type: "object",
  properties: { celsius: { type: "number" }, place: { type: "string" } },
  required: ["celsius"],
}
const content = [{ type: "text", text: "21 °C" }]
const good = { celsius: 21, place: "Ghent" }
const bad = { celsius: "21", place: "Ghent" }

const tools = [
  tool("weather", { outputSchema }),
  tool("other", { outputSchema: { type: "object" } }),
  tool("plain"),
]

const eras = {
  legacy: { script: legacyServer({ tools }), options: { mode: "legacy" }, complete: {} },
  modern: {
    script: modernServer({ tools }),
    options: { mode: "modern" },
    complete: { resultType: "complete" },
  },
} as const

type EraName = keyof typeof eras
const both = ["legacy", "modern"] as const

const answering = (result: JsonObject): Rule => ({
  when: { method: "tools/call" },
  reply: [{ result }],
})

/** A server of that era whose tools answer just this. */
const server = (era: EraName, result: JsonObject): Script => {
  const { script, complete } = eras[era]
  return withRules(script, answering({ ...complete, ...result }))
}

/** Connects to it, lists its tools, and hands out the client. */
const listed = async (
  era: EraName,
  script: Script | MemoryPeer,
  options: ConnectOptions = {},
): Promise<PromiseClient> => {
  const { transport } = "transport" in script ? script : memoryPeer(script)
  const client = await connected(transport, { ...eras[era].options, ...options })
  await client.tools.list()
  return client
}

const weather = { name: "weather" }

describe.each(both)("the result of a tool with an output schema: %s", (era) => {
  it("V25-TOOL-07 V26-TOOL-08 V25-TOOL-08 V26-TOOL-09 that conforms is handed out as it came, text or no text", async () => {
    for (const parts of [content, []]) {
      await using client = await listed(
        era,
        server(era, { content: parts, structuredContent: good }),
      )
      const result = await client.callTool(weather)
      expect(result).toMatchObject({ content: parts, structuredContent: good })
      expect(structuredContentOf(result)).toEqual({ status: "valid", value: good })
      expect(noted(client)).toEqual([])
    }
  })

  it("V25-TOOL-07 V26-TOOL-08 that does not conform rejects, with all that the tool answered", async () => {
    await using client = await listed(era, server(era, { content, structuredContent: bad }))
    const reason = await reasonOf(client.callTool(weather))
    expect(reason).toMatchObject({
      _tag: "StructuredContentInvalid",
      code: "structured-content-invalid",
      tool: "weather",
      pointer: "/celsius",
      result: { content, structuredContent: bad },
    })
    expect((reason as StructuredContentInvalid).message).toContain("must be number at /celsius")
    expect((reason as StructuredContentInvalid).message).not.toContain("Ghent")
  })

  it("V25-TOOL-07 V26-TOOL-08 and the same through the door of Effect", async () => {
    const { transport } = memoryPeer(server(era, { content, structuredContent: bad }))
    const program = Effect.gen(function* () {
      const options = { ...eras[era].options, verdicts: memoryVerdicts() }
      const client = yield* Client.connect(transport, options)
      yield* client.tools.list()
      return yield* Effect.flip(client.callTool(weather))
    })
    expect(await Effect.runPromise(Effect.scoped(program))).toMatchObject({
      _tag: "StructuredContentInvalid",
      pointer: "/celsius",
    })
  })

  it("that does not conform can be let pass, with a note and a mark", async () => {
    const tolerances = { "structured-content-invalid": true }
    const script = server(era, { content, structuredContent: bad })
    await using client = await listed(era, script, { tolerances })
    const result = await client.callTool(weather)
    expect(structuredContentOf(result)).toEqual({
      status: "invalid",
      value: bad,
      pointer: "/celsius",
      reason: "must be number",
    })
    expect(client.notes).toEqual([
      {
        code: "structured-content-invalid",
        detail: '"weather": must be number at /celsius',
        count: 1,
      },
    ])
  })

  it("C086 V25-TOOL-07 V26-TOOL-08 without structured content resolves, with a note; under strict it is an error", async () => {
    await using client = await listed(era, server(era, { content }))
    const result = await client.callTool(weather)
    expect(result).toMatchObject({ content })
    expect(structuredContentOf(result)).toEqual({ status: "absent" })
    expect(client.notes).toEqual([
      { code: "structured-content-missing", detail: '"weather": text alone', count: 1 },
    ])
    await using strict = await listed(era, server(era, { content }), { strict: true })
    expect(await reasonOf(strict.callTool(weather))).toMatchObject({
      _tag: "NotTolerated",
      tolerance: "structured-content-missing",
    })
  })

  it("V25-TOOL-05 V25-TOOL-07 V26-TOOL-08 V26-TOOL-10 that reports an error is never hidden", async () => {
    for (const structuredContent of [undefined, bad]) {
      const sent = { content, isError: true, ...(structuredContent && { structuredContent }) }
      await using client = await listed(era, server(era, sent), { strict: true })
      const result = await client.callTool(weather)
      expect(result).toMatchObject(sent)
      expect(structuredContentOf(result).status).toBe(structuredContent ? "unchecked" : "absent")
      expect(noted(client)).toEqual([])
    }
  })

  it.each([-32602, -32603])(
    "V25-TOOL-05 V25-TOOL-06 V26-TOOL-10 the protocol error %i rejects, with its code",
    async (code) => {
      const script = withRules(eras[era].script, {
        when: { method: "tools/call" },
        reply: refusal(200, code, "no such tool"),
      })
      await using client = await listed(era, script)
      expect(await reasonOf(client.callTool(weather))).toMatchObject({
        _tag: "PeerError",
        rpcCode: code,
        rpcMessage: "no such tool",
      })
    },
  )

  it("is not checked where its tool was never listed, has no schema, or nobody wants it", async () => {
    const script = server(era, { content, structuredContent: bad })
    const unlisted = await connected(memoryPeer(script).transport, eras[era].options)
    const ignoring = await listed(era, script, { outputSchemas: "ignore" })
    const client = await listed(era, script)
    for (const result of [
      await unlisted.callTool(weather),
      await ignoring.callTool(weather),
      await client.callTool({ name: "plain" }),
      await client.callTool(weather, { outputSchemas: "ignore" }),
    ]) {
      expect(structuredContentOf(result)).toMatchObject({ status: "unchecked", value: bad })
    }
    expect(await reasonOf(ignoring.callTool(weather, { outputSchemas: "check" }))).toMatchObject({
      code: "structured-content-invalid",
    })
    for (const each of [unlisted, ignoring, client]) {
      expect(noted(each)).toEqual([])
      await each.close()
    }
  })

  it("is checked as soon as any page named its tool, and by what was listed last", async () => {
    const peer = memoryPeer(server(era, { content, structuredContent: bad }))
    await using client = await connected(peer.transport, eras[era].options)
    for await (const { name } of client.tools.all()) if (name === "weather") break
    expect(await reasonOf(client.callTool(weather))).toMatchObject({ pointer: "/celsius" })
    const relaxed = { ...eras[era].complete, tools: [tool("weather")] }
    peer.add({ when: { method: "tools/list" }, reply: [{ result: relaxed }] })
    await client.tools.list()
    expect(structuredContentOf(await client.callTool(weather)).status).toBe("unchecked")
  })

  it("only the first call of a tool waits for anything", async () => {
    const script = server(era, { content, structuredContent: good })
    await using client = await listed(era, script)
    const first = await client.callTool(weather)
    const again = await Promise.all(Array.from({ length: 20 }, () => client.callTool(weather)))
    for (const result of [first, ...again]) {
      expect(structuredContentOf(result)).toEqual({ status: "valid", value: good })
    }
  })

  it("C013 V26-SCHEMA-08 V26-SCHEMA-09 a schema that is not valid costs validation of that tool alone", async () => {
    const orders = tool("orders", {
      outputSchema: {
        type: "object",
        properties: { list: { type: "array", items: { type: "long" } } },
      },
    })
    const honest = { legacy: legacyServer, modern: modernServer }[era]
    const script = withRules(
      honest({ tools: [orders, ...tools] }),
      answering({ ...eras[era].complete, content, structuredContent: bad }),
    )
    await using client = await connected(memoryPeer(script).transport, eras[era].options)
    const listing = await client.tools.list()
    expect(listing.items.map(({ name }) => name)).toEqual(["orders", "weather", "other", "plain"])
    expect(listing.quarantined).toEqual([])
    const result = await client.callTool({ name: "orders" })
    expect(result).toMatchObject({ content, structuredContent: bad })
    expect(structuredContentOf(result)).toMatchObject({
      status: "unchecked",
      value: bad,
      reason: expect.stringContaining("/outputSchema/properties/list/items/type"),
    })
    expect(client.notes).toEqual([
      {
        code: "output-schema-unusable",
        detail: expect.stringMatching(
          /^"orders": \/outputSchema\/properties\/list\/items\/type is not one/,
        ),
        count: 1,
      },
    ])
    expect(await reasonOf(client.callTool(weather))).toMatchObject({ pointer: "/celsius" })
    await using strict = await listed(era, script, { strict: true })
    expect(await reasonOf(strict.callTool({ name: "orders" }))).toMatchObject({
      _tag: "NotTolerated",
      tolerance: "output-schema-unusable",
    })
  })

  it.each([
    [
      "V26-SCHEMA-02 V25-META-07 V25-META-08 in another dialect, which the note names",
      { $schema: "urn:x", type: "object" },
      'names the dialect "urn:x"',
    ],
    [
      "V26-SCHEMA-04 V26-SCHEMA-05 V25-META-08 that refers to the network",
      { type: "object", properties: { a: { $ref: "https://canary.test/a.json" } } },
      "/outputSchema/properties/a/$ref leads to nothing",
    ],
    [
      "V26-SCHEMA-06 V25-META-08 over a limit",
      { type: "object", enum: Array.from({ length: 30_000 }, (_, index) => index) },
      "more than 20000 values",
    ],
  ])("an output schema %s is not used", async (_, schema, reason) => {
    const script = withRules(eras[era].script, {
      when: { method: "tools/list" },
      reply: [
        { result: { ...eras[era].complete, tools: [tool("odd", { outputSchema: schema })] } },
      ],
    })
    await using client = await listed(
      era,
      withRules(script, answering({ ...eras[era].complete, content, structuredContent: good })),
    )
    const result = await client.callTool({ name: "odd" })
    expect(structuredContentOf(result).status).toBe("unchecked")
    expect(client.notes).toMatchObject([
      { code: "output-schema-unusable", detail: expect.stringContaining(reason) },
    ])
  })
})

describe("what structured content may be", () => {
  it.each([[null], [[1, "two"]], [7], ["text"], [false]])(
    "V26-TOOL-07 %j is a value in the modern era, checked and kept",
    async (structuredContent) => {
      const type = ["null", "array", "number", "string", "boolean"]
      const script = withRules(modernServer({ tools: [tool("any", { outputSchema: { type } })] }))
      const peer = memoryPeer(
        withRules(script, answering({ resultType: "complete", content, structuredContent })),
      )
      await using client = await listed("modern", peer)
      const result = await client.callTool({ name: "any" })
      expect("structuredContent" in result).toBe(true)
      expect(result.structuredContent).toEqual(structuredContent)
      expect(structuredContentOf(result)).toEqual({ status: "valid", value: structuredContent })
      expect(noted(client)).toEqual([])
    },
  )

  it("V26-TOOL-07 null does not pass for absence: it has to conform", async () => {
    const script = server("modern", { content, structuredContent: null })
    await using client = await listed("modern", script)
    expect(await reasonOf(client.callTool(weather))).toMatchObject({
      code: "structured-content-invalid",
      pointer: "",
    })
  })

  it.each([[[1]], [7], ["text"]])(
    "V25-TOOL-08 %j is none in the legacy era, where only an object is",
    async (structuredContent) => {
      const script = server("legacy", { content, structuredContent })
      await using client = await listed("legacy", script)
      expect(await reasonOf(client.callTool({ name: "plain" }))).toMatchObject({
        code: "invalid-result",
        pointer: "/structuredContent",
      })
    },
  )
})

describe("doubt", () => {
  it("V26-TOOL-08 a schema that may have changed since convicts nobody", async () => {
    const peer = memoryPeer(server("legacy", { content, structuredContent: bad }))
    await using client = await listed("legacy", peer)
    const heard = new Promise((resolve) => client.onNotification(resolve))
    peer.send(notification("notifications/tools/list_changed"))
    await heard
    const result = await client.callTool(weather)
    expect(structuredContentOf(result)).toMatchObject({ status: "unchecked", value: bad })
    expect(client.notes).toMatchObject([
      {
        code: "structured-content-unchecked",
        detail: expect.stringMatching(/^"weather": must be number at \/celsius, by a schema/),
      },
    ])
    // Read again it counts as before.
    await client.tools.list()
    expect(await reasonOf(client.callTool(weather))).toMatchObject({ pointer: "/celsius" })
  })

  it("V26-SCHEMA-06 content that would take too long to check is passed on, with a note", async () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => {
        const next = { $ref: `#/$defs/d${index + 1}` }
        return [`d${index}`, { allOf: [next, next] }]
      }),
    )
    const slow = tool("slow", {
      outputSchema: { type: "object", $ref: "#/$defs/d0", $defs: { ...$defs, d60: {} } },
    })
    const script = withRules(
      modernServer({ tools: [slow] }),
      answering({ resultType: "complete", content, structuredContent: good }),
    )
    await using client = await listed("modern", script)
    expect(structuredContentOf(await client.callTool({ name: "slow" })).status).toBe("unchecked")
    expect(client.notes).toMatchObject([
      { code: "structured-content-unchecked", detail: expect.stringContaining("steps") },
    ])
  })
})

describe("the compiler", () => {
  const { outputSchema: schema } = tool("weather", { outputSchema }) as { outputSchema: JsonObject }

  const checked = (schemas: OutputSchemas, result: CallToolResult) =>
    new Promise<EntenteError | undefined>((resolve) => {
      schemas.check("weather", result, undefined, resolve)
    })

  const schemasWith = (load: ConstructorParameters<typeof OutputSchemas>[3]) => {
    const notes = new NoteBook({}, new Trace(), "test")
    const schemas = new OutputSchemas(notes, "test", "check", load)
    schemas.learn([{ name: "weather", outputSchema: schema }])
    return { notes, schemas }
  }

  it("that cannot be loaded leaves content unchecked, and is asked for again by the next call", async () => {
    let loads = 0
    const { notes, schemas } = schemasWith(() => {
      loads++
      return loads === 1
        ? Promise.reject(new Error("gone"))
        : import("../../src/output-schema/compile.js")
    })
    const result: CallToolResult = { content: [], structuredContent: bad }
    expect(await checked(schemas, result)).toBeUndefined()
    expect(structuredContentOf(result).status).toBe("unchecked")
    expect(notes.all).toMatchObject([{ code: "output-schema-unusable" }])
    expect(await checked(schemas, result)).toMatchObject({ code: "structured-content-invalid" })
  })

  it("is asked once for each schema, however many results come, and once more when it was forgotten", async () => {
    const compiled: Array<unknown> = []
    const { schemas } = schemasWith(async () => {
      const { compile } = await import("../../src/output-schema/compile.js")
      return {
        compile: (given) => {
          compiled.push(given)
          return compile(given)
        },
      }
    })
    const results = Array.from({ length: 5 }, (): CallToolResult => ({
      content: [],
      structuredContent: good,
    }))
    await Promise.all(results.map((result) => checked(schemas, result)))
    expect(compiled).toEqual([schema])
    for (let tools = 0; tools < 100; tools++) {
      schemas.learn([{ name: "other", outputSchema: { type: "object" } }])
      const result: CallToolResult = { content: [], structuredContent: good }
      await new Promise((resolve) => schemas.check("other", result, undefined, resolve))
    }
    await Promise.all(results.map((result) => checked(schemas, result)))
    expect(compiled.filter((one) => one === schema)).toHaveLength(2)
  })

  it("is not waited for by a tool without a schema", () => {
    let settled = false
    const { schemas } = schemasWith(() => new Promise(() => {}))
    schemas.check("plain", { content: [] }, undefined, () => (settled = true))
    expect(settled).toBe(true)
  })

  it("is not waited for by a caller who cancels: the call is over at once, and once only", async () => {
    let load = (): void => {}
    const { schemas } = schemasWith(
      () =>
        new Promise((_, reject) => {
          load = () => reject(new Error("too late"))
          reached()
        }),
    )
    let reached = (): void => {}
    const loading = new Promise<void>((resolve) => (reached = resolve))
    const { transport } = memoryPeer(server("legacy", { content, structuredContent: bad }))
    const program = Effect.gen(function* () {
      const client = yield* Client.connect(transport, {
        mode: "legacy",
        verdicts: memoryVerdicts(),
      })
      Object.defineProperty(client.connection, "outputSchemas", { value: schemas })
      const outcomes: Array<unknown> = []
      const cancel = typedCall(client.connection, "tools/call", weather, {}, (outcome) =>
        outcomes.push(outcome),
      )
      yield* Effect.promise(() => loading)
      cancel()
      expect(outcomes).toMatchObject([{ ok: false, error: { _tag: "RequestAborted" } }])
      load()
      yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      expect(outcomes).toHaveLength(1)
    })
    await Effect.runPromise(Effect.scoped(program))
  })
})

describe("a typed view", () => {
  const Weather = Schema.Struct({ celsius: Schema.Finite })

  const answered = async (result: JsonObject) => {
    const client = await listed("modern", server("modern", result), { outputSchemas: "ignore" })
    return { client, result: await client.callTool(weather) }
  }

  it("reads structured content with a schema of Effect or of another library", async () => {
    const { client, result } = await answered({ content, structuredContent: good })
    const byEffect: { readonly celsius: number } = await client.readStructured(result, Weather)
    expect(byEffect.celsius).toBe(21)
    const byZod = await client.readStructured(result, z.object({ place: z.string().toUpperCase() }))
    expect(byZod).toEqual({ place: "GHENT" })
    expect(result.structuredContent).toEqual(good)
    await client.close()
  })

  it("says where it does not fit, and that there is none", async () => {
    const { client, result } = await answered({ content, structuredContent: bad })
    expect(await reasonOf(client.readStructured(result, Weather))).toMatchObject({
      code: "invalid-result",
      pointer: "/celsius",
    })
    const empty: CallToolResult = { content: [], isError: true }
    expect(await reasonOf(client.readStructured(empty, Weather))).toMatchObject({
      code: "invalid-result",
      pointer: "/structuredContent",
      message: expect.stringContaining("the tool reports an error"),
    })
    await client.close()
  })
})

describe("what a call of a tool sends and lists keep", () => {
  it("V25-TOOL-10 arguments that are not given are not sent, and never as null", async () => {
    const peer = memoryPeer(server("legacy", { content }))
    await using client = await listed("legacy", peer)
    await client.callTool({ name: "plain" })
    await client.callTool({ name: "plain", arguments: {} })
    await client.callTool({ name: "plain", arguments: { a: { b: [null] } } })
    const sent = peer.requests("tools/call").map(({ message }) => {
      const { _meta: _, ...params } = message.params ?? {}
      return params
    })
    expect(sent).toEqual([
      { name: "plain" },
      { name: "plain", arguments: {} },
      { name: "plain", arguments: { a: { b: [null] } } },
    ])
  })

  it("V26-TOOL-06 V26-SCHEMA-08 schemas are kept with every keyword, known or not", async () => {
    const rich = tool("rich", {
      inputSchema: {
        type: "object",
        $defs: { a: { $anchor: "a", type: "string" } },
        properties: { a: { $ref: "#a" }, b: { oneOf: [{ const: 1 }, { const: null }] } },
        if: { required: ["a"] },
        // oxlint-disable-next-line unicorn/no-thenable -- a keyword; nobody awaits this schema
        then: { required: ["b"] },
        "x-vendor": { nested: [null, { deep: true }] },
      },
      outputSchema: { $id: "urn:rich", type: ["object", "null"], "x-order": ["b", "a"] },
    })
    const peer = memoryPeer(modernServer({ tools: [rich] }))
    await using client = await connected(peer.transport)
    const { items } = await client.tools.list()
    expect(JSON.stringify(items)).toBe(JSON.stringify([rich]))
  })

  it("C088 V25-TOOL-04 blocks of unknown kinds come through the call, with one note", async () => {
    const blocks = [
      { type: "text", text: "ok" },
      { type: "json", json: { a: 1 } },
      { type: "hologram", x: 1 },
    ]
    await using client = await listed("legacy", server("legacy", { content: blocks }))
    expect((await client.callTool({ name: "plain" })).content).toEqual(blocks)
    expect(client.notes).toMatchObject([
      {
        code: "unknown-content",
        detail: expect.stringMatching(/\/content\/1.*\/content\/2/),
        count: 1,
      },
    ])
    await using strict = await listed("legacy", server("legacy", { content: blocks }), {
      strict: true,
    })
    expect(await reasonOf(strict.callTool({ name: "plain" }))).toMatchObject({
      _tag: "NotTolerated",
      tolerance: "unknown-content",
    })
  })

  it("V25-PROMPT-05 V25-RES-09 what cannot be decoded in prompts and resources is reported, not thrown", async () => {
    const image = { type: "image", data: "!", mimeType: "image/png" }
    const messages = [{ role: "user", content: image }]
    const contents = [
      { uri: "u:1", blob: "!" },
      { uri: "u:2", text: "two" },
    ]
    const script = withRules(
      legacyServer({ tools, prompts: [{ name: "p" }], resources: [] }),
      { when: { method: "prompts/get" }, reply: [{ result: { messages } }] },
      { when: { method: "resources/read" }, reply: [{ result: { contents } }] },
    )
    await using client = await listed("legacy", script)
    expect(await client.getPrompt({ name: "p" })).toEqual({ messages })
    expect(client.notes).toMatchObject([
      { code: "broken-base64", detail: expect.stringContaining("/messages/0/content"), count: 1 },
    ])
    expect(await client.readResource({ uri: "u:1" })).toEqual({ contents })
    expect(client.notes).toMatchObject([
      { code: "broken-base64", detail: expect.stringContaining("/contents/0"), count: 2 },
    ])
  })

  it("V26-TOOL-11 V25-TOOL-12 a resource that only a link names can be read", async () => {
    const link = { type: "resource_link", uri: "note:7", name: "seven" }
    const script = withRules(
      legacyServer({ tools, resources: [] }),
      answering({ content: [link] }),
      {
        when: { method: "resources/read", params: { uri: "note:7" } },
        reply: [{ result: { contents: [{ uri: "note:7", text: "7" }] } }],
      },
    )
    await using client = await listed("legacy", script)
    expect((await client.resources.list()).items).toEqual([])
    const { content: blocks } = await client.callTool({ name: "plain" })
    expect(blocks).toEqual([link])
    const { contents } = await client.readResource({ uri: link.uri })
    expect(contents).toEqual([{ uri: "note:7", text: "7" }])
  })
})
