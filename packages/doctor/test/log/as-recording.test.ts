import { connect, memoryVerdicts, type ConnectOptions } from "@entente/client"
import { replay } from "@entente/transport"
import type { TraceEvent } from "@entente/trace"
import { describe, expect, it } from "vitest"
import { asRecording, readLog } from "../../src/index.js"
import { fixture, fixtures, readFixture } from "./fixture.js"

const replayed = async (name: string, options: ConnectOptions = {}) => {
  const recording = asRecording(readFixture(name).events)
  await using client = await connect(replay(recording), {
    mode: "legacy",
    verdicts: memoryVerdicts(),
    ...options,
  })
  return { client, tools: await client.tools.list() }
}

describe("a log as a recording", () => {
  for (const name of [
    "claude-desktop-healthy.log",
    "har-healthy.har",
    "har-old-transport.har",
    "vscode-healthy.log",
    "inspector-protocol.json",
    "json-rpc-marked.log",
    "trace-healthy.jsonl",
  ]) {
    it(`${name} can be played to a client, which lists the tools`, async () => {
      const { client, tools } = await replayed(name)
      expect(client.server).toMatchObject({ name: "ledger" })
      expect(tools.items.map((tool) => tool.name)).toEqual(["open_ledger", "close_ledger"])
      expect(tools.status).toBe("complete")
    })
  }

  it("bodies in Base64 are played as well", async () => {
    const { tools } = await replayed("har-base64.har")
    expect(tools.items.map((tool) => tool.name)).toEqual(["öffnen"])
  })

  it("a trace of a client over HTTP, which tells no outcomes, is completed by its statuses", async () => {
    const events = readFixture("har-healthy.har").events.flatMap(
      (event): ReadonlyArray<TraceEvent> => {
        if (event.type === "http") return [event]
        if (event.type !== "frame") return []
        const { channel: _, send: __, headers: ___, ...bare } = event
        return [bare]
      },
    )
    await using client = await connect(replay(asRecording(events)), {
      mode: "legacy",
      verdicts: memoryVerdicts(),
      listen: false,
    })
    const { items } = await client.tools.list()
    expect(items.map(({ name }) => name)).toEqual(["open_ledger", "close_ledger"])
  })

  it("a server that died is found dead, with what it said on stderr", async () => {
    await expect(replayed("claude-desktop-dies.log", { reconnect: "never" })).rejects.toMatchObject(
      {
        message: expect.stringContaining("ended"),
      },
    )
  })

  it("of several conversations in a log the last is played", async () => {
    const twice =
      fixture("claude-desktop-healthy.log") +
      fixture("claude-desktop-healthy.log")
        .replaceAll("2026-10-12", "2026-10-13")
        .replaceAll("open_ledger", "third_ledger")
    const recording = asRecording(readLog(twice).events)
    await using client = await connect(replay(recording), {
      mode: "legacy",
      verdicts: memoryVerdicts(),
    })
    const { items } = await client.tools.list()
    expect(items.map(({ name }) => name)).toEqual(["third_ledger", "close_ledger"])
  })

  it("a recording stays what it is, and every log can be completed", () => {
    for (const name of fixtures) {
      const { events } = readFixture(name)
      const recording = asRecording(events)
      expect(recording.map(({ seq }) => seq)).toEqual(recording.map((_, index) => index))
      expect(asRecording(recording)).toEqual(recording)
      const frames = recording.filter(({ type }) => type === "frame")
      expect(frames).toHaveLength(events.filter(({ type }) => type === "frame").length)
    }
  })
})
