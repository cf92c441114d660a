import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { connect, type ConnectOptions, type Progress, type PromiseClient } from "@entente/client"
import { stdio } from "@entente/transport/stdio"
import { type Listening, freePort, installed, listening } from "@entente/published-servers"

const everything = "@modelcontextprotocol/server-everything"

/** Text of every block, one after the other. */
const said = async (
  client: PromiseClient,
  name: string,
  args: Readonly<Record<string, unknown>> = {},
): Promise<string> => {
  const { content } = await client.callTool({ name, arguments: args })
  return content.map((block) => String(block["text"])).join("\n")
}

const pages: Array<string> = []

/** What a person fills in, where there is such a field. */
const person = { name: "Ada", check: true, email: "ada@example.org" }

const handlers: NonNullable<ConnectOptions["handlers"]> = {
  roots: [{ uri: "file:///home/me/garden", name: "garden" }],
  sampling: ({ messages, maxTokens }) => ({
    role: "assistant",
    content: { type: "text", text: `${messages.length} message, ${maxTokens} tokens at most` },
    model: "by hand",
    stopReason: "endTurn",
  }),
  elicitation: {
    form: ({ requestedSchema: { properties } }) => ({
      action: "accept",
      content: Object.fromEntries(
        Object.entries(person).filter(([field]) => Object.hasOwn(properties, field)),
      ),
    }),
    url: ({ url }) => {
      pages.push(url)
      return { action: "accept" }
    },
  },
}

describe.each(["stdio", "http"] as const)("server-everything over %s", (way) => {
  let server: Listening
  let url = ""

  beforeAll(async () => {
    const port = String(await freePort())
    server = await listening(installed(everything, "streamableHttp"), /listening/i, { PORT: port })
    url = `http://127.0.0.1:${port}/mcp`
  })
  afterAll(() => server[Symbol.asyncDispose]())

  const open = (options: ConnectOptions = {}): Promise<PromiseClient> =>
    connect(way === "stdio" ? stdio(installed(everything, "stdio")) : url, {
      mode: "legacy",
      handlers,
      ...options,
    })

  it("V25-SAMP-01 asks a model", async () => {
    await using client = await open()
    const answer = await said(client, "trigger-sampling-request", { prompt: "Why?", maxTokens: 7 })
    expect(answer).toContain("1 message, 7 tokens at most")
    expect(answer).toContain("by hand")
  })

  it("V25-ELI-05 shows a form of every kind of field, and gets defaults for those left alone", async () => {
    await using client = await open()
    const answer = await said(client, "trigger-elicitation-request")
    for (const part of [
      "Ada",
      "ada@example.org",
      "dark and stormy night",
      "42",
      "3.14",
      "Monica",
    ]) {
      expect(answer).toContain(part)
    }
  })

  it("V25-ELI-10 asks for a page to be opened", async () => {
    pages.length = 0
    await using client = await open()
    const page = { url: "https://example.com/form", message: "Please look", elicitationId: "e 1" }
    const answer = await said(client, "trigger-url-elicitation", page)
    expect(answer).toContain("User completed the URL elicitation flow")
    expect(pages).toEqual(["https://example.com/form"])
  })

  it("V25-ELI-13 demands a page before a call, and the call is made again", async () => {
    pages.length = 0
    await using client = await open()
    const page = { url: "https://example.com/form", message: "Please look", elicitationId: "e 2" }
    const answer = await said(client, "trigger-url-elicitation", { ...page, errorPath: true })
    expect(answer).toContain("User completed the URL elicitation flow")
    expect(pages).toEqual(["https://modelcontextprotocol.io/", "https://example.com/form"])
  })

  it("V25-ROOT-01 asks for roots", async () => {
    await using client = await open()
    expect(await said(client, "get-roots-list")).toContain("file:///home/me/garden")
  })

  it("V25-PROG-02 V25-TIME-03 reports the progress of a long operation, which outlives its time-out", async () => {
    await using client = await open()
    const seen: Array<Progress> = []
    const result = await client.callTool(
      { name: "trigger-long-running-operation", arguments: { duration: 2, steps: 4 } },
      { timeoutMs: 1_500, onProgress: (progress) => seen.push(progress) },
    )
    expect(result.content[0]).toMatchObject({ text: expect.stringContaining("completed") })
    expect(seen).toEqual([1, 2, 3, 4].map((progress) => ({ progress, total: 4 })))
  })

  it("V25-CANC-01 V25-TIME-01 is told when a long operation takes too long, and goes on serving", async () => {
    await using client = await open()
    const slow = { name: "trigger-long-running-operation", arguments: { duration: 60, steps: 1 } }
    await expect(client.callTool(slow, { timeoutMs: 300 })).rejects.toMatchObject({
      _tag: "RequestTimeout",
    })
    expect(await said(client, "echo", { message: "still here" })).toContain("still here")
  })

  it.each([
    ["trigger-sampling-request-async", { prompt: "Why?", maxTokens: 7 }, "1 message, 7 tokens"],
    ["trigger-elicitation-request-async", {}, "accept"],
  ] as const)("V25-TASK-20 has %s answered as a task of ours", async (name, args, expected) => {
    await using client = await open({ handlers: { ...handlers, asTasks: true } })
    expect(await said(client, name, args)).toContain(expected)
  })

  it("V25-CAP-01 offers its asking tools only to those who have handlers", async () => {
    await using client = await open({ handlers: {} })
    const names = (await client.tools.list()).items.map(({ name }) => name)
    expect(names).not.toContain("trigger-sampling-request")
    expect(names).not.toContain("trigger-elicitation-request")
    expect(names).not.toContain("get-roots-list")
  })
})
