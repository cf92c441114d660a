import { describe, expect, it } from "vitest"
import type { TraceEvent } from "@entente/trace"
import { replayCharts, type ReplayStep } from "@entente/doctor"
import { answer, notice, recordingOf, request, type Line } from "./recording-of.js"

const stepsFor = async (events: ReadonlyArray<TraceEvent>): Promise<ReadonlyArray<ReplayStep>> => {
  const steps: Array<ReplayStep> = []
  for await (const step of replayCharts(events)) steps.push(step)
  return steps
}

const messages = (steps: ReadonlyArray<ReplayStep>) =>
  steps.flatMap((step) => (step.kind === "frame" ? [step.frame.message] : []))

const diverged = (steps: ReadonlyArray<ReplayStep>) =>
  steps.flatMap((step) => (step.kind === "diverged" ? [[step.reason, step.detail]] : []))

const handshake = (
  capabilities: unknown = { tools: {} },
  declared: unknown = {},
  revision = "2025-06-18",
  agreed = revision,
): ReadonlyArray<Line> => [
  [
    "out",
    request("init-1", "initialize", {
      protocolVersion: revision,
      capabilities: declared,
      clientInfo: { name: "other-client", version: "3" },
    }),
  ],
  [
    "in",
    answer("init-1", {
      protocolVersion: agreed,
      capabilities,
      serverInfo: { name: "s", version: "1" },
    }),
    20,
  ],
  ["out", notice("notifications/initialized")],
]

const tools = { tools: [{ name: "a", inputSchema: { type: "object" } }] }

describe("a recording of another client", () => {
  it("is driven again under its name, with its revision and whatever ids it had", async () => {
    const steps = await stepsFor(
      recordingOf([
        ...handshake(),
        ["out", request("list", "tools/list")],
        ["in", answer("list", tools)],
        ["out", request("ping", "ping"), 40_000],
        ["in", answer("ping", {})],
        ["out", request("call", "tools/call", { name: "a", arguments: { x: 1 } }), 90_000],
        ["in", answer("call", { content: [] }), 80_000],
      ]),
    )
    expect(diverged(steps)).toEqual([])
    expect(messages(steps)[0]).toMatchObject({
      params: { protocolVersion: "2025-06-18", clientInfo: { name: "other-client", version: "3" } },
    })
    expect(steps.at(-1)).toMatchObject({
      kind: "frame",
      answers: "tools/call",
      states: { connection: "ready.legacy", negotiation: "agreed", listing: "live" },
    })
  })

  it("goes on where the server named another revision than was asked for, and the client took it", async () => {
    const steps = await stepsFor(
      recordingOf([
        ...handshake({ tools: {} }, {}, "2025-06-18", "2024-11-05"),
        ["out", request(1, "tools/list")],
        ["in", answer(1, tools)],
      ]),
    )
    expect(diverged(steps)).toEqual([])
    expect(steps.at(-1)?.states["connection"]).toBe("ready.legacy")
  })

  it("answers the questions of the server as they were answered, after the same time", async () => {
    const declared = { roots: { listChanged: true }, sampling: {}, elicitation: {} }
    const lines: ReadonlyArray<Line> = [
      ...handshake({ tools: {} }, declared),
      ["in", request("q1", "roots/list")],
      ["out", answer("q1", { roots: [{ uri: "file:///home/me" }] }), 5],
      ["in", request("q2", "sampling/createMessage", { messages: [], maxTokens: 1 })],
      ["in", notice("notifications/tools/list_changed"), 50],
      ["out", { jsonrpc: "2.0", id: "q2", error: { code: -1, message: "no" } }, 30_000],
    ]
    const steps = await stepsFor(recordingOf(lines))
    expect(diverged(steps)).toEqual([])
    const shown = messages(steps)
    expect(shown.slice(3)).toEqual(lines.slice(3).map(([, message]) => message))
  })

  it("gives a call up when it was given up", async () => {
    const steps = await stepsFor(
      recordingOf([
        ...handshake(),
        ["out", request(7, "tools/call", { name: "a" })],
        ["out", notice("notifications/cancelled", { requestId: 7, reason: "enough" }), 3_000],
        ["out", request(8, "ping"), 1_000],
        ["in", answer(8, {})],
      ]),
    )
    expect(diverged(steps)).toEqual([])
    expect(messages(steps)).toContainEqual(
      expect.objectContaining({ method: "notifications/cancelled" }),
    )
    expect(messages(steps)).toHaveLength(7)
  })

  it("reads further pages that were asked for by hand", async () => {
    const page = { tools: [{ name: "b", inputSchema: { type: "object" } }] }
    const steps = await stepsFor(
      recordingOf([
        ...handshake(),
        ["out", request(1, "tools/list")],
        ["in", answer(1, { ...tools, nextCursor: "p2" })],
        ["out", request(2, "tools/list", { cursor: "p2" }), 5_000],
        ["in", answer(2, page)],
      ]),
    )
    expect(diverged(steps)).toEqual([])
    expect(steps.at(-1)?.states["listing"]).toBe("live")
  })

  it("says what our client does not do, and goes on", async () => {
    const steps = await stepsFor(
      recordingOf([
        ...handshake({ tools: {} }),
        ["out", request(1, "prompts/list")],
        ["in", { jsonrpc: "2.0", id: 1, error: { code: -32601, message: "no prompts" } }],
        ["out", request(2, "tools/list")],
        ["in", answer(2, tools)],
      ]),
    )
    expect(diverged(steps)).toEqual([
      ["missing", expect.stringContaining("prompts/list was not sent again")],
      ["missing", expect.stringContaining("did not come again")],
    ])
    expect(messages(steps)).toContainEqual(expect.objectContaining({ method: "tools/list" }))
    expect(steps.at(-1)?.states["listing"]).toBe("live")
  })

  it("V26-DISC-01 takes the capabilities for granted where a modern client discovered nothing", async () => {
    const meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
      "io.modelcontextprotocol/clientInfo": { name: "modern-client", version: "1" },
    }
    const steps = await stepsFor(
      recordingOf(
        [
          ["out", request("x", "tools/list", { _meta: meta })],
          [
            "in",
            answer("x", { ...tools, resultType: "complete", ttlMs: 0, cacheScope: "private" }),
          ],
        ],
        "per-request",
      ),
    )
    expect(diverged(steps)).toEqual([["assumed", expect.any(String)]])
    expect(steps.at(-1)?.states).toMatchObject({ connection: "ready.modern", listing: "live" })
  })

  it("gives up on a first message when the recorded client did, although its answer came later", async () => {
    const meta = { "io.modelcontextprotocol/clientInfo": { name: "other-client", version: "3" } }
    const [initialize, initialized, ...rest] = handshake()
    const lines: ReadonlyArray<Line> = [
      ["out", request("probe", "server/discover", { _meta: meta })],
      ["out", initialize?.[1], 800],
      ["in", { jsonrpc: "2.0", id: "probe", error: { code: -32601, message: "no" } }, 100],
      ["in", initialized?.[1], 100],
      ...rest,
    ]
    const steps = await stepsFor(recordingOf(lines))
    expect(diverged(steps)).toEqual([])
    expect(steps.map(({ sinceStartMs }) => sinceStartMs)).toEqual([0, 0, 800, 900, 1000, 1000])
  })

  it("ends where nobody was answered any more", async () => {
    const steps = await stepsFor(recordingOf([...handshake(), ["out", request(1, "tools/list")]]))
    expect(diverged(steps)).toEqual([])
    expect(steps.at(-1)?.states).toMatchObject({ connection: "ready.legacy", listing: "fetching" })
  })

  it("ends where the handshake had no answer", async () => {
    const [initialize] = handshake()
    const steps = await stepsFor(recordingOf(initialize === undefined ? [] : [initialize]))
    expect(diverged(steps)).toEqual([])
    expect(steps.at(-1)?.states).toMatchObject({ negotiation: "initializing" })
  })

  it("fails with InvalidInput where there is no recording", async () => {
    await expect(stepsFor([])).rejects.toMatchObject({ _tag: "InvalidInput" })
  })
})
