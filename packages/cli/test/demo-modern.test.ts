import { afterEach, describe, expect, it } from "vitest"
import type { DemoEra } from "../src/demo/identity.js"
import { initializeParams, modernMeta, StdioLinePeer } from "./stdio-line-peer.js"

const open: Array<StdioLinePeer> = []
const serve = (era: DemoEra = "dual"): StdioLinePeer => {
  const peer = new StdioLinePeer(era)
  open.push(peer)
  return peer
}
afterEach(() => Promise.all(open.splice(0).map((peer) => peer.close())))

const ask = (peer: StdioLinePeer, id: number, method: string, params = {}) =>
  peer.ask(id, method, { ...params, _meta: modernMeta() })

describe("the demo server, modern over stdio", () => {
  it.each([
    ["dual", ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]],
    ["modern", ["2026-07-28"]],
  ] as const)("V26-DISC-02 is discovered: %s", async (era, supportedVersions) => {
    expect(await ask(serve(era), 1, "server/discover")).toEqual({
      jsonrpc: "2.0",
      id: 1,
      result: {
        resultType: "complete",
        supportedVersions,
        capabilities: { tools: {}, prompts: {}, resources: {} },
        instructions: expect.any(String),
        ttlMs: 60_000,
        cacheScope: "public",
        _meta: {
          "io.modelcontextprotocol/serverInfo": expect.objectContaining({ name: "reading-room" }),
        },
      },
    })
  })

  it.each([
    ["no _meta", {}],
    ["no version", { "io.modelcontextprotocol/clientCapabilities": {} }],
    ["no capabilities", { "io.modelcontextprotocol/protocolVersion": "2026-07-28" }],
    [
      "capabilities that are no object",
      { ...modernMeta(), "io.modelcontextprotocol/clientCapabilities": 1 },
    ],
  ])("V26-META-04 refuses a request with %s", async (_, meta) => {
    const answer = await serve("modern").ask(1, "server/discover", { _meta: meta })
    expect(answer).toMatchObject({ error: { code: -32602 } })
  })

  it.each(["2099-01-01", "2025-11-25"])("V26-VER-02 refuses the version %s", async (version) => {
    const answer = await serve("modern").ask(1, "tools/list", { _meta: modernMeta(version) })
    expect(answer).toMatchObject({
      error: { code: -32022, data: { supported: ["2026-07-28"], requested: version } },
    })
  })

  it("V26-ERA-15 tells a legacy client what it speaks", async () => {
    const answer = await serve("modern").ask(1, "initialize", initializeParams("2025-11-25"))
    expect(answer).toMatchObject({
      error: { code: -32022, data: { supported: ["2026-07-28"], requested: "2025-11-25" } },
    })
  })

  it("V26-ENV-12 does not know the methods that are gone", async () => {
    const peer = serve("modern")
    for (const [index, method] of ["ping", "logging/setLevel", "resources/subscribe"].entries()) {
      expect(await ask(peer, index, method)).toMatchObject({ error: { code: -32601 } })
    }
  })

  it("V26-CACHE-01 says of each list how long it stays fresh", async () => {
    const peer = serve()
    const fresh = { cacheScope: "public", ttlMs: 60_000, resultType: "complete" }
    expect(await ask(peer, 1, "tools/list")).toMatchObject({ result: { ...fresh, ttlMs: 0 } })
    expect(await ask(peer, 2, "prompts/list")).toMatchObject({ result: fresh })
    expect(await ask(peer, 3, "resources/list")).toMatchObject({ result: fresh })
    expect(await ask(peer, 4, "resources/templates/list")).toMatchObject({ result: fresh })
    const read = await ask(peer, 5, "resources/read", { uri: "library://book/hound" })
    expect(read).toMatchObject({ result: fresh })
    const called = await ask(peer, 6, "tools/call", { name: "opening_hours" })
    expect(called).toMatchObject({ result: { resultType: "complete" } })
    expect(called).not.toHaveProperty("result.ttlMs")
  })

  it("V26-RES-01 says -32602 for a resource that is missing", async () => {
    const answer = await ask(serve(), 1, "resources/read", { uri: "library://book/none" })
    expect(answer).toMatchObject({ error: { code: -32602, data: { uri: "library://book/none" } } })
  })

  it("grows without a notice: nobody has asked for one", async () => {
    const peer = serve("modern")
    expect(await ask(peer, 1, "tools/call", { name: "grow" })).toMatchObject({ id: 1 })
    const first = await ask(peer, 2, "tools/list")
    const { nextCursor } = first["result"] as { nextCursor: string }
    expect(await ask(peer, 3, "tools/list", { cursor: nextCursor })).toMatchObject({
      result: {
        tools: expect.arrayContaining([expect.objectContaining({ name: "new_arrival_1" })]),
      },
    })
  })

  it("V26-CANC-04 does not answer what was cancelled", async () => {
    const peer = serve()
    const slow = (id: number) => {
      const params = { name: "slow", arguments: { seconds: 0.05 }, _meta: modernMeta() }
      peer.send({ id, method: "tools/call", params })
    }
    slow(1)
    peer.send({ method: "notifications/cancelled", params: { requestId: 1 } })
    slow(2) // takes as long, so the answer to the first would come before this one's
    expect(await peer.next()).toMatchObject({ id: 2 })
  })

  it("V26-ERA-17 serves both eras side by side", async () => {
    const peer = serve("dual")
    expect(await ask(peer, 1, "tools/list")).toHaveProperty("result.resultType")
    await peer.ask(2, "initialize", initializeParams("2025-06-18"))
    expect(await peer.ask(3, "tools/list")).not.toHaveProperty("result.resultType")
    expect(await ask(peer, 4, "tools/list")).toHaveProperty("result.resultType")
  })
})
