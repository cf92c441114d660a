import { describe, expect, it } from "vitest"
import type { CreateMessageParams, CreateMessageResult, JsonObject } from "@entente/protocol"
import { chooseModel, type SamplingHandler } from "@entente/client"
import { form, legacy, modern, registry, said, sample, under } from "./registry.js"

const question = "sampling/createMessage"
const tools = [{ name: "t", inputSchema: { type: "object" } }]

const use = (id: string, more: JsonObject = {}) => ({
  type: "tool_use",
  id,
  name: "t",
  input: {},
  ...more,
})
const result = (toolUseId: string, more: JsonObject = {}) => ({
  type: "tool_result",
  toolUseId,
  content: [],
  ...more,
})
const user = (...content: ReadonlyArray<JsonObject>) => ({ role: "user", content })
const assistant = (...content: ReadonlyArray<JsonObject>) => ({ role: "assistant", content })
const text = { type: "text", text: "hi" }

/** A registry whose handler keeps what it is asked and says something. */
const asked = (answer: unknown = said, tools?: true) => {
  const seen: Array<CreateMessageParams> = []
  const handler: SamplingHandler = (params) => {
    seen.push(params)
    return answer as CreateMessageResult // also what no type would allow
  }
  return { seen, ...registry({ sampling: tools === undefined ? handler : { handler, tools } }) }
}

describe("what a model is asked", () => {
  it("V25-SAMP-01 V26-SAMP-03 reaches the handler whole, maxTokens first of all", async () => {
    const params = sample({
      modelPreferences: { hints: [{ name: "x" }], speedPriority: 0.5 },
      systemPrompt: "Be brief",
      temperature: 0.2,
      stopSequences: ["END"],
      metadata: { a: 1 },
    })
    for (const circumstances of [legacy, modern]) {
      const { ask, seen } = asked()
      expect(await ask(question, params, circumstances)).toEqual(said)
      expect(seen).toEqual([params])
    }
  })

  it.each([
    ["maxTokens", { maxTokens: undefined }],
    ["messages", { messages: undefined }],
    ["whole tokens", { maxTokens: 1.5 }],
    ["a known role", { messages: [{ role: "system", content: text }] }],
    ["known content", { messages: [user({ type: "video", data: "" })] }],
    ["a known includeContext", { includeContext: "everything" }],
  ])(
    "V25-SAMP-01 V25-SAMP-09 V26-SAMP-12 without %s is -32602, and no model is asked",
    async (_, more) => {
      for (const circumstances of [legacy, modern]) {
        const { ask, seen } = asked()
        const params = JSON.parse(JSON.stringify(sample(more))) as JsonObject
        expect(await ask(question, params, circumstances)).toMatchObject({
          kind: "invalid-question",
          rpcCode: -32602,
        })
        expect(seen).toEqual([])
      }
    },
  )

  it.each([{ tools }, { toolChoice: { mode: "none" } }])(
    "V25-CAP-05 V25-SAMP-10 V26-SAMP-02 T-12: %j without sampling.tools is -32602",
    async (more) => {
      for (const circumstances of [legacy, modern]) {
        const { ask, seen } = asked()
        expect(await ask(question, sample(more), circumstances)).toMatchObject({
          kind: "undeclared",
          rpcCode: -32602,
        })
        expect(seen).toEqual([])
      }
    },
  )

  it("V25-SAMP-06 V26-SAMP-08 tools that were declared reach the model, and what it wants used goes back unused", async () => {
    const wants = { ...said, content: [use("u1"), use("u2")], stopReason: "toolUse" }
    for (const circumstances of [legacy, modern]) {
      const { ask, seen } = asked(wants, true)
      const params = sample({ tools, toolChoice: { mode: "required" } })
      expect(await ask(question, params, circumstances)).toEqual(wants)
      const next = [user(text), assistant(use("u1"), use("u2")), user(result("u2"), result("u1"))]
      await ask(question, sample({ tools, messages: next }), circumstances)
      expect(seen.map(({ messages }) => messages)).toEqual([params["messages"], next])
    }
  })

  it("V25-SAMP-10 before 2025-11-25 there are no tools, whatever was declared", async () => {
    const { ask } = asked(said, true)
    expect(await ask(question, sample({ tools }), under("2025-06-18"))).toMatchObject({
      kind: "undeclared",
      rpcCode: -32602,
    })
  })

  it("V25-SAMP-08 V26-SAMP-09 keeps _meta of blocks in both directions", async () => {
    const meta = { _meta: { "example.com/cache": "c1" } }
    const messages = [assistant(use("u1", meta)), user(result("u1", meta))]
    const answer = { ...said, content: [use("u2", meta)] }
    const { ask, seen } = asked(answer, true)
    expect(await ask(question, sample({ tools, messages }))).toEqual(answer)
    expect(seen[0]?.messages).toEqual(messages)
  })

  it("V26-SAMP-10 V26-SEC-02 no question knows of another", async () => {
    const { ask, seen } = asked()
    await ask(question, sample({ messages: [user(text), assistant(text)] }))
    await ask(question, sample({ messages: [] }))
    expect(seen.map(({ messages }) => messages.length)).toEqual([2, 0])
  })
})

describe("a history with tools", () => {
  it.each([
    ["results beside text", [assistant(use("a")), user(result("a"), text)]],
    ["no result", [assistant(use("a")), user(text)]],
    ["no result any more", [assistant(use("a"))]],
    ["a result too few", [assistant(use("a"), use("b")), user(result("a"))]],
    ["a result too many", [assistant(use("a")), user(result("a"), result("b"))]],
    ["another result", [assistant(use("a")), user(result("b"))]],
    ["the same result twice", [assistant(use("a"), use("b")), user(result("a"), result("a"))]],
    ["a late result", [assistant(use("a")), user(text), user(result("a"))]],
    ["results before the use", [user(result("a")), assistant(use("a"))]],
    ["results of the assistant", [assistant(use("a")), assistant(result("a"))]],
    ["tools used by the user", [user(use("a")), user(result("a"))]],
    ["the same id twice", [assistant(use("a"), use("a")), user(result("a"), result("a"))]],
  ])("V25-SAMP-07 V26-SAMP-07 %s is -32602", async (_, messages) => {
    for (const circumstances of [legacy, modern]) {
      const { ask, seen } = asked(said, true)
      expect(await ask(question, sample({ tools, messages }), circumstances)).toMatchObject({
        kind: "invalid-question",
        rpcCode: -32602,
        pointer: expect.stringMatching(/^\/messages\/\d\/content$/) as string,
      })
      expect(seen).toEqual([])
    }
  })

  it("V25-SAMP-07 V26-SAMP-07 text before and after is no fault", async () => {
    const { ask } = asked(said, true)
    const messages = [
      user(text),
      assistant(text, use("a")),
      user(result("a")),
      { role: "assistant", content: text },
    ]
    expect(await ask(question, sample({ messages }))).toEqual(said)
  })
})

describe("context of other conversations", () => {
  it.each([legacy, modern, under("2024-11-05")])(
    "V25-SAMP-05 is none for a server that was promised none, with a note ($revision)",
    async (circumstances) => {
      const { ask, seen, noted } = asked()
      const params = sample({ includeContext: "allServers", temperature: 1 })
      await ask(question, params, circumstances)
      expect(seen).toEqual([{ ...params, includeContext: "none" }])
      expect(noted()).toEqual(["context-not-shared"])
    },
  )

  it("V25-SAMP-05 is what was asked where the host declared it, and not made up where nobody asked", async () => {
    const seen: Array<CreateMessageParams> = []
    const { ask, noted } = registry({
      sampling: {
        context: true,
        handler: (params) => {
          seen.push(params)
          return said
        },
      },
    })
    await ask(question, sample({ includeContext: "thisServer" }))
    await ask(question, sample())
    expect(seen).toEqual([sample({ includeContext: "thisServer" }), sample()])
    expect(noted()).toEqual([])
  })
})

describe("what a model answers", () => {
  const audio = { type: "audio", data: "", mimeType: "audio/wav" }

  it("V25-SAMP-02 before 2025-11-25 is one block, never a list", async () => {
    const { ask } = asked({ ...said, content: [text] })
    expect(await ask(question, sample(), under("2025-06-18"))).toEqual({ ...said, content: text })
    const several = asked({ ...said, content: [text, text] })
    for (const revision of ["2024-11-05", "2025-03-26", "2025-06-18"] as const) {
      expect(await several.ask(question, sample(), under(revision))).toMatchObject({
        kind: "invalid-answer",
        pointer: "/content",
      })
    }
    const none = asked({ ...said, content: [] })
    expect(await none.ask(question, sample(), under("2025-06-18"))).toMatchObject({
      kind: "invalid-answer",
    })
  })

  it("V25-SAMP-02 is of a kind that the revision has", async () => {
    const sound = asked({ ...said, content: audio })
    expect(await sound.ask(question, sample(), under("2024-11-05"))).toMatchObject({
      kind: "invalid-answer",
    })
    expect(await sound.ask(question, sample(), under("2025-03-26"))).toMatchObject({
      content: audio,
    })
    const uses = asked({ ...said, content: use("a") })
    expect(await uses.ask(question, sample(), under("2025-06-18"))).toMatchObject({
      kind: "invalid-answer",
    })
  })

  it("V25-SAMP-02 V26-SAMP-05 V26-SAMP-06 V26-RTYPE-06 goes out as it is since: one block or several, any stopReason", async () => {
    for (const content of [text, [text, audio], use("a"), [result("a", { isError: true })]]) {
      const answer = { ...said, content, stopReason: "mood" }
      const { ask } = asked(answer)
      expect(await ask(question, sample(), legacy)).toEqual(answer)
      expect(await ask(question, sample(), modern)).toEqual(answer)
    }
  })

  it.each([
    ["nothing", null],
    ["no model", { ...said, model: undefined }],
    ["no role", { role: "system", content: text, model: "m" }],
    ["a bare text", "hello"],
    ["unknown content", { ...said, content: { type: "video" } }],
  ])("V25-SAMP-09 is never %s", async (_, answer) => {
    const { ask } = asked(answer)
    expect(await ask(question, sample())).toMatchObject({
      kind: "invalid-answer",
      rpcCode: -32603,
    })
  })
})

describe("choosing a model", () => {
  const models = [
    { name: "acme-large-3", intelligence: 1, cost: 0.1, speed: 0.2 },
    { name: "acme-small-3", intelligence: 0.3, cost: 0.9, speed: 0.9 },
    { name: "other-mid", intelligence: 0.6, cost: 0.5, speed: 0.5 },
  ] as const

  it.each([
    [
      "the first hint that fits, in their order",
      { hints: [{ name: "mid" }, { name: "large" }] },
      2,
    ],
    ["hints that fit nothing passed over", { hints: [{ name: "zeta" }, { name: "SMALL" }] }, 1],
    ["hints above priorities", { hints: [{ name: "large" }], costPriority: 1 }, 0],
    ["priorities where there is no hint", { speedPriority: 1 }, 1],
    ["priorities weighed", { costPriority: 0.1, intelligencePriority: 1 }, 0],
    [
      "priorities where no hint fits",
      { hints: [{}, { name: "" }, { name: "z" }], costPriority: 1 },
      1,
    ],
    ["the first without a wish", undefined, 0],
  ])("V25-SAMP-04 V26-SAMP-04 %s", (_, preferences, index) => {
    expect(chooseModel(preferences, models)).toBe(models[index])
  })
})

it("forms of other questions are no concern of sampling", async () => {
  const { ask } = asked()
  expect(await ask("elicitation/create", form({}))).toMatchObject({ kind: "unsupported" })
})
