import { describe, expect, it } from "vitest"
import type { ConnectOptions } from "@entente/client"
import { memoryPeer, modernServer, tool, withRules } from "@entente/testkit"
import { startHttpPeer } from "@entente/testkit/node"
import { connected, reasonOf } from "../field/connected.js"
import { asking, deferred, done, form, inputRequired, paramsOf, sampling } from "./asking-server.js"

const accepts: ConnectOptions["handlers"] = {
  elicitation: { form: () => ({ action: "accept", content: { ok: true } }) },
}
const book = { name: "book", arguments: { day: "2026-09-01" } }
const askOnce = inputRequired({ inputRequests: { q: form("?") }, requestState: "s1" })

describe("a modern server that asks in the middle of a call", () => {
  it("C034 V26-MRTR-04 V26-MRTR-08 V26-MRTR-09 V26-ENV-11 gets the answers in a new request with the same params", async () => {
    const peer = memoryPeer(asking([askOnce, done]))
    await using client = await connected(peer.transport, { handlers: accepts })
    await expect(client.callTool(book)).resolves.toMatchObject(done)
    const calls = peer.requests("tools/call")
    expect(new Set(calls.map(({ message }) => message.id)).size).toBe(2)
    expect(paramsOf(calls)).toEqual([
      book,
      {
        ...book,
        inputResponses: { q: { action: "accept", content: { ok: true } } },
        requestState: "s1",
      },
    ])
  })

  it("C034 V26-MRTR-07 gets no requestState where it gave none", async () => {
    const peer = memoryPeer(asking([inputRequired({ inputRequests: { q: form("?") } }), done]))
    await using client = await connected(peer.transport, { handlers: accepts })
    await client.callTool(book)
    expect(paramsOf(peer.requests("tools/call"))[1]).not.toHaveProperty("requestState")
  })

  it.each([
    "plain",
    'q7-"α"',
    "\ud83d\ude00 \u0000 \\ / \n",
    '{"looks":"like json"}',
    "eyJhbGciOiJub25lIn0.e30.",
    "",
  ])("V26-MRTR-05 V26-MRTR-06 gets its state back byte for byte: %j", async (requestState) => {
    const peer = memoryPeer(asking([inputRequired({ requestState }), done]))
    await using client = await connected(peer.transport)
    await client.callTool(book)
    expect(paramsOf(peer.requests("tools/call"))[1]).toEqual({ ...book, requestState })
  })

  it("V26-MRTR-07 V26-MRTR-10 gets state and answers of the latest round alone", async () => {
    const rounds = [
      inputRequired({ inputRequests: { a: form("a") }, requestState: "one" }),
      inputRequired({ inputRequests: { b: form("b") } }),
      done,
    ]
    const peer = memoryPeer(asking(rounds))
    await using client = await connected(peer.transport, { handlers: accepts })
    await client.callTool(book)
    const [, second, third] = paramsOf(peer.requests("tools/call"))
    const answer = { action: "accept", content: { ok: true } }
    expect(second).toEqual({ ...book, inputResponses: { a: answer }, requestState: "one" })
    expect(third).toEqual({ ...book, inputResponses: { b: answer } })
  })

  it("V26-MRTR-11 gets nothing of it on another call of the same tool", async () => {
    const peer = memoryPeer(
      withRules(
        modernServer({ tools: [tool("book")] }),
        ...["x", "y"].map((day) => ({
          when: {
            method: "tools/call",
            params: { arguments: { day }, requestState: { $present: false } },
          },
          reply: [{ result: inputRequired({ requestState: `state of ${day}` }) }],
        })),
        { when: { method: "tools/call" }, reply: [{ result: done }] },
      ),
    )
    await using client = await connected(peer.transport)
    const days = ["x", "y", "z"]
    await Promise.all(days.map((day) => client.callTool({ name: "book", arguments: { day } })))
    const retried = paramsOf(peer.requests("tools/call"))
    for (const day of ["x", "y"]) {
      const own = retried.filter(
        (params) => (params["arguments"] as { readonly day: string }).day === day,
      )
      expect(own.map((params) => params["requestState"])).toEqual([undefined, `state of ${day}`])
    }
    expect(retried.at(2)).not.toHaveProperty("requestState")
  })

  it("V26-MRTR-22 V26-META-01 V26-XHDR-15 carries full metadata, a token of its own and the same name on every round", async () => {
    await using peer = await startHttpPeer(asking([askOnce, done]))
    await using client = await connected(peer.url, { handlers: accepts })
    await client.callTool(book)
    const calls = peer.requests("tools/call")
    const metas = calls.map(
      ({ message }) => message.params?.["_meta"] as Readonly<Record<string, unknown>>,
    )
    expect(metas[0]?.["progressToken"]).not.toBe(metas[1]?.["progressToken"])
    for (const meta of metas) {
      expect(meta).toMatchObject({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } },
      })
    }
    expect(calls.map(({ headers }) => headers?.["mcp-name"])).toEqual(["book", "book"])
  })

  it("V26-MRTR-19 asks everything at once, and answers under the server's own keys", async () => {
    let open = 0
    let most = 0
    const peer = memoryPeer(
      asking([
        inputRequired({
          inputRequests: { a: form("a"), ["__proto__x"]: form("b"), c: sampling() },
        }),
        done,
      ]),
    )
    const both = deferred<void>()
    const wait = async (): Promise<void> => {
      open++
      most = Math.max(most, open)
      if (open === 3) both.resolve()
      await both.promise
    }
    await using client = await connected(peer.transport, {
      handlers: {
        elicitation: {
          form: async () => {
            await wait()
            return { action: "decline" as const }
          },
        },
        sampling: async () => {
          await wait()
          return {
            role: "assistant" as const,
            content: { type: "text" as const, text: "hi" },
            model: "m",
          }
        },
      },
    })
    await client.callTool(book)
    expect(most).toBe(3)
    expect(paramsOf(peer.requests("tools/call"))[1]).toEqual({
      ...book,
      inputResponses: {
        a: { action: "decline" },
        ["__proto__x"]: { action: "decline" },
        // V26-RTYPE-06: no resultType inside.
        c: { role: "assistant", content: { type: "text", text: "hi" }, model: "m" },
      },
    })
  })

  it("V26-SEC-17 a key called __proto__ is a key like any other", async () => {
    const inputRequests = JSON.parse(`{"__proto__": ${JSON.stringify(form("?"))}}`) as object
    const peer = memoryPeer(asking([inputRequired({ inputRequests }), done]))
    await using client = await connected(peer.transport, { handlers: accepts })
    await client.callTool(book)
    const sent = JSON.stringify(peer.requests("tools/call")[1]?.message.params?.["inputResponses"])
    expect(sent).toBe('{"__proto__":{"action":"accept","content":{"ok":true}}}')
  })

  it.each([
    ["prompts/get", { name: "p" }, { messages: [] }],
    ["resources/read", { uri: "x://y" }, { contents: [], ttlMs: 0, cacheScope: "private" }],
  ] as const)(
    "V26-PROM-06 V26-RES-10 is answered on %s as well",
    async (method, params, result) => {
      const script = withRules(
        modernServer({ prompts: [{ name: "p" }], resources: [{ uri: "x://y", name: "y" }] }),
        { when: { method }, times: 1, reply: [{ result: askOnce }] },
        { when: { method }, reply: [{ result: { resultType: "complete", ...result } }] },
      )
      const peer = memoryPeer(script)
      await using client = await connected(peer.transport, { handlers: accepts })
      const call =
        method === "prompts/get"
          ? client.getPrompt(params as { name: string })
          : client.readResource(params as { uri: string })
      await expect(call).resolves.toMatchObject(result)
      expect(paramsOf(peer.requests(method))[1]).toMatchObject({ ...params, requestState: "s1" })
    },
  )

  it("V26-MRTR-03 may be another instance of it that answers the retry", async () => {
    await using first = await startHttpPeer(asking([askOnce]))
    await using client = await connected(first.url, { handlers: accepts })
    const call = client.callTool(book)
    await first.next("tools/call")
    first.replace(asking([done]).rules)
    await expect(call).resolves.toMatchObject(done)
  })
})

describe("a question that is not answered", () => {
  it("C034 without a handler is a typed outcome that names its keys, and nothing is sent again", async () => {
    const peer = memoryPeer(asking([askOnce]))
    await using client = await connected(peer.transport)
    await expect(client.callTool(book)).rejects.toMatchObject({
      _tag: "InputRequired",
      code: "input-required",
      method: "tools/call",
      keys: ["q"],
    })
    expect(peer.requests("tools/call")).toHaveLength(1)
  })

  it("V26-MRTR-12 V26-ELIC-03 for a mode, or tools, that were not declared is not shown to anybody", async () => {
    let asked = 0
    const url = {
      method: "elicitation/create",
      params: { mode: "url", message: "?", url: "https://x.example/" },
    }
    const tools = sampling({ tools: [tool("calculator")] })
    for (const question of [url, tools, sampling()]) {
      const peer = memoryPeer(
        asking([inputRequired({ inputRequests: { q: question, f: form("?") } })]),
      )
      await using client = await connected(peer.transport, {
        handlers: {
          elicitation: {
            form: () => {
              asked++
              return { action: "accept" }
            },
          },
        },
      })
      await expect(client.callTool(book)).rejects.toMatchObject({ code: "input-required" })
      expect(peer.requests("tools/call")).toHaveLength(1)
    }
    expect(asked).toBe(0)
  })

  it("V26-META-05 V26-ELIC-07 left out of the capabilities of one call is not asked of the handler", async () => {
    const peer = memoryPeer(asking([askOnce]))
    await using client = await connected(peer.transport, { handlers: accepts })
    await expect(client.callTool(book, { capabilities: {} })).rejects.toMatchObject({
      code: "input-required",
    })
  })

  it("V26-MRTR-14 V26-MRTR-17 V26-SAMP-11 that a person refuses ends the call without another message", async () => {
    const peer = memoryPeer(asking([inputRequired({ inputRequests: { q: sampling() } })]))
    await using client = await connected(peer.transport, {
      handlers: {
        sampling: () => {
          throw new Error("no")
        },
      },
    })
    await expect(client.callTool(book)).rejects.toMatchObject({ code: "question-refused" })
    const before = peer.received.length
    await client.tools.list()
    expect(peer.requests("tools/call")).toHaveLength(1)
    expect(peer.received.slice(before).every(({ kind }) => kind === "request")).toBe(true)
  })

  it("C034 V26-CANC-09 aborted between the rounds rejects at once and sends nothing more", async () => {
    const peer = memoryPeer(asking([askOnce]))
    const shown = deferred<AbortSignal>()
    await using client = await connected(peer.transport, {
      handlers: {
        elicitation: {
          form: (_params, { signal }) => {
            shown.resolve(signal)
            return new Promise(() => {})
          },
        },
      },
    })
    const stop = new AbortController()
    const call = client.callTool(book, { signal: stop.signal })
    const signal = await shown.promise
    stop.abort()
    await expect(call).rejects.toMatchObject({ _tag: "RequestAborted" })
    expect(signal.aborted).toBe(true)
    await client.tools.list()
    expect(peer.methods().filter((method) => method !== "server/discover")).toEqual([
      "tools/call",
      "tools/list",
    ])
  })

  it("whose dialog is open when the connection is closed ends with it", async () => {
    const peer = memoryPeer(asking([askOnce]))
    const shown = deferred<void>()
    const client = await connected(peer.transport, {
      handlers: {
        elicitation: {
          form: () => {
            shown.resolve()
            return new Promise(() => {})
          },
        },
      },
    })
    const reason = reasonOf(client.callTool(book))
    await shown.promise
    await client.close()
    expect(await reason).toMatchObject({ _tag: "ConnectionClosed" })
  })
})

describe("answers in the middle that are none", () => {
  it.each([
    ["C035 V26-MRTR-02 with neither questions nor state", inputRequired({})],
    ["C035 V26-RTYPE-03 of an unknown type", { resultType: "foo" }],
    [
      "V26-MRTR-13 with an unknown method",
      inputRequired({ inputRequests: { q: { method: "x/y", params: {} } } }),
    ],
    [
      "V26-RTYPE-04 V26-TASK-05 that are a task nobody asked for",
      { resultType: "task", taskId: "t" },
    ],
  ])("%s fail the call and are not answered", async (_, result) => {
    const peer = memoryPeer(asking([result]))
    await using client = await connected(peer.transport, { handlers: accepts })
    await expect(client.callTool(book)).rejects.toMatchObject({ code: "invalid-result" })
    expect(peer.requests("tools/call")).toHaveLength(1)
  })

  it("V26-MRTR-01 V26-RTYPE-04 to a list make it unavailable", async () => {
    const peer = memoryPeer(asking([askOnce], "tools/list"))
    await using client = await connected(peer.transport, { handlers: accepts })
    await expect(client.tools.list()).resolves.toMatchObject({ status: "unavailable" })
    expect(peer.requests("tools/list")).toHaveLength(1)
  })

  it("V26-RTYPE-01 V26-RTYPE-05 V26-MRTR-21 questions beside a complete or missing type are no questions", async () => {
    for (const type of [{ resultType: "complete" }, {}]) {
      const odd = { ...type, content: [], inputRequests: { q: form("?") }, taskId: "t" }
      const peer = memoryPeer(asking([odd]))
      await using client = await connected(peer.transport, { handlers: accepts })
      await expect(client.callTool(book)).resolves.toEqual(odd)
    }
  })

  it("V26-MRTR-18 V26-MRTR-21 an error in a later round is the server's error", async () => {
    const script = withRules(asking([askOnce]), {
      when: { method: "tools/call", nth: 2 },
      reply: [{ error: { code: -32602, message: "state expired" } }],
    })
    const peer = memoryPeer(script)
    await using client = await connected(peer.transport, { handlers: accepts })
    await expect(client.callTool(book)).rejects.toMatchObject({
      _tag: "PeerError",
      rpcCode: -32602,
    })
    expect(peer.requests("tools/call")).toHaveLength(2)
  })
})
