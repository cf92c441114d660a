import * as Effect from "effect/Effect"
import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { dualServer, legacyServer, memoryPeer, tool } from "@entente/testkit"
import { startHttpPeer } from "@entente/testkit/node"
import { explainFailure } from "./explain-failure.js"
import { firstTools } from "./list-tools-effect.js"
import { listTools } from "./list-tools.js"
import { watchConnection } from "./watch-connection.js"

const printed: Array<string> = []

beforeEach(() => {
  printed.length = 0
  vi.spyOn(console, "log").mockImplementation((line: unknown) => void printed.push(String(line)))
})

afterEach(() => {
  vi.restoreAllMocks()
})

const server = dualServer({
  serverInfo: { name: "library", version: "1" },
  tools: [tool("borrow"), tool("return")],
})

it("list-tools prints the tools of a server over HTTP", async () => {
  await using peer = await startHttpPeer(server)
  await listTools(peer.url)
  expect(printed).toEqual(["library speaks 2026-07-28", "- borrow", "- return"])
})

it("list-tools-effect does the same with Effect", async () => {
  await Effect.runPromise(firstTools(memoryPeer(server).transport))
  expect(printed).toEqual(["library speaks 2026-07-28", "- borrow", "- return"])
})

it("explain-failure says what was tried", async () => {
  await using peer = await startHttpPeer({
    rules: [{ when: {}, reply: [{ http: { status: 404 } }] }],
  })
  await explainFailure(peer.url)
  expect(printed[0]).toMatch(/^handshake-refused: /)
  expect(printed.join("\n")).toContain("server/discover: HTTP 404")
  expect(printed.at(-1)).toMatch(/^hint: /)
})

it("watch-connection sees a server go and come back", async () => {
  const peer = memoryPeer(legacyServer({ tools: [tool("borrow")] }))
  await watchConnection(peer.transport, async () => {
    peer.play([{ destroy: true }])
    await vi.waitUntil(() => printed.includes("now ready, its list is stale"))
  })
  expect(printed[0]).toBe("now recovering, its list is stale")
})
