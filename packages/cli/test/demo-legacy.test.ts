import { afterEach, describe, expect, it } from "vitest"
import { initializeParams, StdioLinePeer } from "./stdio-line-peer.js"

const open: Array<StdioLinePeer> = []
const serve = (era: "dual" | "legacy" = "dual"): StdioLinePeer => {
  const peer = new StdioLinePeer(era)
  open.push(peer)
  return peer
}
afterEach(() => Promise.all(open.splice(0).map((peer) => peer.close())))

const initialized = async (version = "2025-11-25"): Promise<StdioLinePeer> => {
  const peer = serve()
  await peer.ask(1, "initialize", initializeParams(version))
  peer.send({ method: "notifications/initialized" })
  return peer
}

describe("the demo server, legacy over stdio", () => {
  it.each(["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"])(
    "V25-LIFE-07 agrees to %s",
    async (version) => {
      expect(await serve().ask(1, "initialize", initializeParams(version))).toMatchObject({
        id: 1,
        result: {
          protocolVersion: version,
          capabilities: { tools: { listChanged: true }, prompts: {}, resources: {} },
          serverInfo: { name: "reading-room", version: "0.0.0" },
        },
      })
    },
  )

  it("V25-LIFE-07 offers its newest revision for one it does not know", async () => {
    const answer = await serve("legacy").ask(1, "initialize", initializeParams("2099-01-01"))
    expect(answer).toMatchObject({ result: { protocolVersion: "2025-11-25" } })
  })

  it("asks for initialize before anything but ping", async () => {
    const peer = serve()
    expect(await peer.ask(1, "ping")).toMatchObject({ result: {} })
    expect(await peer.ask(2, "tools/list")).toMatchObject({ error: { code: -32600 } })
  })

  it("does not initialize twice", async () => {
    const peer = await initialized()
    const again = await peer.ask(2, "initialize", initializeParams("2025-11-25"))
    expect(again).toMatchObject({ error: { code: -32600 } })
  })

  it("answers server/discover like a server that never heard of it, when it is legacy only", async () => {
    expect(await serve("legacy").ask(1, "server/discover")).toMatchObject({
      error: { code: -32601 },
    })
  })

  it("gives its tools on two pages", async () => {
    const peer = await initialized()
    const first = await peer.ask(2, "tools/list")
    const { nextCursor } = first["result"] as { nextCursor: string }
    const second = await peer.ask(3, "tools/list", { cursor: nextCursor })
    expect(first).toMatchObject({
      result: { tools: ["echo", "add", "slow", "fail", "grow"].map((name) => ({ name })) },
    })
    expect(second).toMatchObject({
      result: {
        tools: ["search_books", "borrow_book", "return_book", "opening_hours"].map((name) => ({
          name,
        })),
      },
    })
    expect(second["result"]).not.toHaveProperty("nextCursor")
  })

  it.each(["", "bogus"])("V25-PAGE refuses the cursor %j with -32602", async (cursor) => {
    const peer = await initialized()
    expect(await peer.ask(2, "tools/list", { cursor })).toMatchObject({ error: { code: -32602 } })
  })

  it("lists prompts, resources and templates", async () => {
    const peer = await initialized()
    expect(await peer.ask(2, "prompts/list")).toMatchObject({
      result: { prompts: [{ name: "recommend_book" }, { name: "discuss_book" }] },
    })
    expect(await peer.ask(3, "resources/list")).toMatchObject({
      result: { resources: { length: 5 }, nextCursor: expect.any(String) },
    })
    expect(await peer.ask(4, "resources/templates/list")).toMatchObject({
      result: { resourceTemplates: [{ name: "book" }, { name: "shelf" }] },
    })
  })

  it("gives prompts, and refuses them without what they need", async () => {
    const peer = await initialized()
    const get = (id: number, name: string, args: unknown) =>
      peer.ask(id, "prompts/get", { name, arguments: args })
    expect(await get(2, "recommend_book", { mood: "calm" })).toMatchObject({
      result: { messages: [{ role: "user", content: { type: "text" } }] },
    })
    expect(await get(3, "recommend_book", {})).toMatchObject({ error: { code: -32602 } })
    expect(await get(4, "recommend_book", { mood: 1 })).toMatchObject({ error: { code: -32602 } })
    expect(await get(5, "nothing", {})).toMatchObject({ error: { code: -32602 } })
  })

  it("reads resources, by template too, and says -32002 for what is missing", async () => {
    const peer = await initialized()
    const read = (id: number, uri: unknown) => peer.ask(id, "resources/read", { uri })
    expect(await read(2, "library://book/flatland")).toMatchObject({
      result: {
        contents: [{ mimeType: "text/markdown", text: expect.stringContaining("Flatland") }],
      },
    })
    expect(await read(3, "library://shelf/poetry")).toMatchObject({
      result: { contents: [{ text: expect.stringContaining("Whitman") }] },
    })
    expect(await read(4, "library://book/none")).toMatchObject({
      error: { code: -32002, data: { uri: "library://book/none" } },
    })
    expect(await read(5, 7)).toMatchObject({ error: { code: -32602 } })
  })

  it("runs its tools", async () => {
    const peer = await initialized()
    const call = (id: number, name: string, args: unknown = {}) =>
      peer.ask(id, "tools/call", { name, arguments: args })
    const says = (text: string) => ({ result: { content: [{ type: "text", text }] } })
    expect(await call(2, "echo", { text: "hi" })).toMatchObject(says("hi"))
    expect(await call(3, "add", { a: 2, b: 3 })).toMatchObject({
      result: { structuredContent: { sum: 5 } },
    })
    expect(await call(4, "search_books", { query: "WHALE" })).toMatchObject({
      result: { content: [{ text: expect.stringContaining("Moby-Dick") }] },
    })
    expect(await call(5, "borrow_book", { id: "hound" })).not.toHaveProperty("result.isError")
    expect(await call(6, "borrow_book", { id: "hound" })).toMatchObject({
      result: { isError: true },
    })
    expect(await call(7, "return_book", { id: "hound" })).not.toHaveProperty("result.isError")
  })

  it("V25-TOOL tells trouble inside a tool from a call that makes no sense", async () => {
    const peer = await initialized()
    const call = (id: number, params: { readonly [member: string]: unknown }) =>
      peer.ask(id, "tools/call", params)
    expect(await call(2, { name: "fail" })).toMatchObject({ result: { isError: true } })
    expect(await call(3, { name: "add", arguments: { a: "1", b: 2 } })).toMatchObject({
      result: { isError: true, content: [{ text: '"a" must be a number.' }] },
    })
    expect(await call(4, { name: "none" })).toMatchObject({ error: { code: -32602 } })
    expect(await call(5, { name: "echo", arguments: [] })).toMatchObject({
      error: { code: -32602 },
    })
  })

  it("grows: the list is longer, and the client is told", async () => {
    const peer = await initialized()
    peer.send({ id: 2, method: "tools/call", params: { name: "grow" } })
    expect(await peer.next()).toMatchObject({ method: "notifications/tools/list_changed" })
    expect(await peer.next()).toMatchObject({ id: 2 })
    expect(await peer.ask(3, "tools/call", { name: "new_arrival_1" })).toMatchObject({
      result: { content: [{ type: "text" }] },
    })
  })

  it("reports progress only to who gave a token", async () => {
    const peer = await initialized()
    peer.send({
      id: 2,
      method: "tools/call",
      params: { name: "slow", arguments: { seconds: 0.01 }, _meta: { progressToken: "t" } },
    })
    for (const progress of [1, 2, 3, 4, 5]) {
      expect(await peer.next()).toMatchObject({
        method: "notifications/progress",
        params: { progressToken: "t", progress, total: 5 },
      })
    }
    expect(await peer.next()).toMatchObject({ id: 2, result: {} })
    const without = await peer.ask(3, "tools/call", { name: "slow", arguments: { seconds: 0.01 } })
    expect(without).toMatchObject({ id: 3, result: {} })
  })

  it("V25-CANC does not answer what was cancelled", async () => {
    const peer = await initialized()
    const slow = (id: number) => {
      const params = { name: "slow", arguments: { seconds: 0.05 } }
      peer.send({ id, method: "tools/call", params })
    }
    slow(2)
    peer.send({ method: "notifications/cancelled", params: { requestId: 2 } })
    slow(3) // takes as long, so the answer to the first would come before this one's
    expect(await peer.next()).toMatchObject({ id: 3 })
  })

  it("leaves out what an older revision does not know", async () => {
    const tools = async (version: string) => {
      const peer = await initialized(version)
      const { result } = await peer.ask(2, "tools/list")
      return (result as { tools: ReadonlyArray<object> }).tools[1] ?? {}
    }
    expect(Object.keys(await tools("2025-06-18"))).toContain("outputSchema")
    expect(Object.keys(await tools("2025-03-26"))).toEqual([
      "name",
      "description",
      "inputSchema",
      "annotations",
    ])
    expect(Object.keys(await tools("2024-11-05"))).toEqual(["name", "description", "inputSchema"])
    const peer = await initialized("2025-03-26")
    const sum = await peer.ask(3, "tools/call", { name: "add", arguments: { a: 1, b: 1 } })
    expect(sum).not.toHaveProperty("result.structuredContent")
  })

  it("answers what is no message with an error that has no id", async () => {
    const peer = serve()
    peer.write("{\n")
    expect(await peer.next()).toMatchObject({ id: null, error: { code: -32700 } })
    peer.write('{"jsonrpc":"1.0"}\n[]\n')
    expect(await peer.next()).toMatchObject({ id: null, error: { code: -32600 } })
    expect(await peer.next()).toMatchObject({ id: null, error: { code: -32600 } })
  })

  it("reads lines that arrive byte by byte, with characters of several bytes", async () => {
    const peer = await initialized()
    const text = "naïve 🦊 \u2028 line"
    const line = JSON.stringify({
      jsonrpc: "2.0",
      id: 2,
      method: "tools/call",
      params: { name: "echo", arguments: { text } },
    })
    for (const byte of new TextEncoder().encode(`${line}\r\n`)) peer.write(Uint8Array.of(byte))
    expect(await peer.next()).toMatchObject({ result: { content: [{ text }] } })
  })

  it("ends with its input, and when it is interrupted", async () => {
    const peer = await initialized()
    peer.send({ id: 2, method: "tools/call", params: { name: "slow", arguments: { seconds: 60 } } })
    await expect(peer.close()).resolves.toBeUndefined()
    const other = await initialized()
    other.stop()
    await expect(other.ended).resolves.toBeUndefined()
  })
})
