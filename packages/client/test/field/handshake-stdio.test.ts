import { describe, expect, it } from "vitest"
import { connect, memoryVerdicts } from "@entente/client"
import {
  legacyServer,
  memoryPeer,
  modernServer,
  notification,
  refusal,
  request,
  tool,
  withRules,
  type Rule,
} from "@entente/testkit"
import { startStdioPeer } from "@entente/testkit/node"
import { Trace } from "@entente/trace"
import { stdio } from "@entente/transport/stdio"
import { connected, names, noted } from "./connected.js"

const legacy = legacyServer({ tools: [tool("a")] })
const modern = modernServer({ tools: [tool("a")] })

const silent: Rule = { when: { method: "server/discover" }, reply: [{ silence: true }] }
const dies: Rule = { when: { method: "server/discover" }, reply: [{ exit: 1 }] }

describe("the probe over stdio", () => {
  it("C029 silence ends at the probe's own deadline, and no cancellation is sent", async () => {
    await using peer = await startStdioPeer(withRules(legacy, silent))
    await using client = await connected(stdio(peer), { probeMs: 50 })
    expect(client.era).toBe("legacy")
    expect(names((await client.tools.list()).items)).toEqual(["a"])
    expect(peer.methods()).not.toContain("notifications/cancelled")
    peer.play([{ error: { code: -32601, message: "at last" } }], { method: "server/discover" })
    await client.tools.list()
    expect(noted(client)).toContain("late-reply")
    expect(client.state).toBe("ready")
  })

  it("C029 a process that exits on the probe is started again once, with initialize", async () => {
    await using peer = await startStdioPeer(withRules(legacy, dies))
    await using client = await connected(stdio(peer), { probeMs: 60_000 })
    expect(client.era).toBe("legacy")
    await peer.next("notifications/initialized")
    expect(peer.methods()).toEqual(["server/discover", "initialize", "notifications/initialized"])
    expect(peer.received.filter(({ kind }) => kind === "open")).toHaveLength(2)
  })

  it("C029 a process that exits on initialize too is not started a third time", async () => {
    const both: Rule = { when: { method: "initialize" }, reply: [{ exit: 2 }] }
    await using peer = await startStdioPeer(withRules(legacy, dies, both))
    const failed = connected(stdio(peer), { probeMs: 60_000, reconnect: "never" })
    await expect(failed).rejects.toMatchObject({ process: { exitCode: 2 } })
    expect(peer.methods()).toEqual(["server/discover", "initialize"])
    expect(peer.received.filter(({ kind }) => kind === "open")).toHaveLength(2)
  })

  it.each([-32601, -32602, -32600, -32000, -32002, -32004, 0, 1])(
    "V26-ERA-03 error %i means legacy",
    async (code) => {
      const peer = memoryPeer(
        withRules(legacy, {
          when: { method: "server/discover" },
          reply: [{ error: { code, message: "what?" } }],
        }),
      )
      await using client = await connected(peer.transport)
      expect(client.era).toBe("legacy")
    },
  )

  it("C029 the verdict is kept with its date, and the next start sends no probe", async () => {
    const verdicts = memoryVerdicts()
    const peer = memoryPeer(withRules(legacy, { ...dies, reply: refusal(200, -32601, "unknown") }))
    await (await connect(peer.transport, { verdicts })).close()
    const verdict = verdicts.get(peer.transport.key)
    expect(verdict).toMatchObject({ era: "legacy", revision: "2025-11-25" })
    expect(Date.parse(verdict?.at ?? "")).not.toBeNaN()
    await (await connect(peer.transport, { verdicts })).close()
    expect(peer.requests("server/discover")).toHaveLength(1)
    expect(peer.requests("initialize")).toHaveLength(2)
  })

  it("C029 a remembered verdict that fails is renewed by one new probe", async () => {
    const verdicts = memoryVerdicts()
    const peer = memoryPeer(withRules(legacy))
    await (await connect(peer.transport, { verdicts })).close()
    peer.replace(modern.rules)
    await using client = await connect(peer.transport, { verdicts })
    expect(client.era).toBe("modern")
    expect(noted(client)).toContain("verdict-renewed")
    expect(peer.requests("server/discover")).toHaveLength(2)
    expect(verdicts.get(peer.transport.key)).toMatchObject({ era: "modern" })
  })

  it("C029 a DiscoverResult that comes after the handshake is remembered for the next start", async () => {
    const verdicts = memoryVerdicts()
    const peer = memoryPeer(withRules(legacy, silent))
    await using client = await connect(peer.transport, { verdicts, probeMs: 20 })
    expect(client.era).toBe("legacy")
    const fresh = { ttlMs: 60_000, cacheScope: "public" }
    const discover = { supportedVersions: ["2026-07-28"], capabilities: { tools: {} }, ...fresh }
    peer.play([{ result: discover }], { method: "server/discover" })
    await client.tools.list()
    expect(noted(client)).toContain("late-discover")
    expect(verdicts.get(peer.transport.key)).toMatchObject({ era: "modern", discover })
  })

  it("V26-ERA-05 a DiscoverResult that comes while initialize waits decides if that is refused", async () => {
    const peer = memoryPeer(
      withRules(modern, silent, { when: { method: "initialize" }, reply: [{ silence: true }] }),
    )
    const opening = connected(peer.transport, { probeMs: 20 })
    await peer.next("initialize")
    const discover = { supportedVersions: ["2026-07-28"], capabilities: { tools: {} } }
    peer.play([{ result: discover }], { method: "server/discover" })
    peer.play([{ error: { code: -32601, message: "no such method" } }], { method: "initialize" })
    await using client = await opening
    expect(client.era).toBe("modern")
    expect(names((await client.tools.list()).items)).toEqual(["a"])
  })

  it("C127 the probe carries version, capabilities and client", async () => {
    const peer = memoryPeer(
      withRules(modern, {
        when: {
          method: "server/discover",
          params: { _meta: { "io.modelcontextprotocol/clientInfo": { $present: false } } },
        },
        reply: [{ silence: true }],
      }),
    )
    await using client = await connected(peer.transport)
    expect(client.era).toBe("modern")
    await client.tools.list()
    for (const { message } of peer.requests()) {
      expect(message.params?.["_meta"]).toMatchObject({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": { name: "entente" },
      })
    }
  })

  it("C127 silence, then a refused initialize: both attempts in order, and no verdict", async () => {
    const verdicts = memoryVerdicts()
    const peer = memoryPeer(
      withRules(legacy, silent, {
        when: { method: "initialize" },
        reply: refusal(200, -32603, "not today"),
      }),
    )
    const failed = connect(peer.transport, { verdicts, probeMs: 20 })
    await expect(failed).rejects.toMatchObject({
      code: "handshake-refused",
      attempts: [
        { what: expect.stringContaining("server/discover") },
        { what: expect.stringContaining("initialize") },
      ],
    })
    expect(verdicts.get(peer.transport.key)).toBeUndefined()
  })
})

describe("what servers say by themselves", () => {
  it("V26-STDIO-03 noise on stdout is noted, and under strict it ends the connection", async () => {
    const noisy = withRules(legacy, {
      when: { method: "tools/list" },
      reply: [{ raw: "Server started!\n" }, { result: { tools: [tool("a")] } }],
    })
    await using peer = await startStdioPeer(noisy)
    await using lenient = await connected(stdio(peer))
    expect(names((await lenient.tools.list()).items)).toEqual(["a"])
    expect(lenient.notes.find(({ code }) => code === "stdout-noise")?.detail).toBe(
      "Server started!",
    )

    await using strict = await connected(stdio(peer), { strict: true })
    expect(await strict.tools.list()).toMatchObject({
      status: "unavailable",
      reason: { code: "not-tolerated" },
    })
    await expect(strict.tools.list()).rejects.toMatchObject({
      _tag: "ConnectionClosed",
      cause: { _tag: "NotTolerated", tolerance: "stdout-noise" },
    })
  })

  it("C053 an id that comes back as a string is matched, with a note", async () => {
    const peer = memoryPeer(
      withRules(legacy, {
        when: { method: "tools/list" },
        reply: [{ result: { tools: [tool("a")] }, id: { $text: "/id" } }],
      }),
    )
    await using client = await connected(peer.transport)
    expect(names((await client.tools.list()).items)).toEqual(["a"])
    expect(noted(client)).toContain("id-echoed-as-string")
  })

  it("C053 under strict it is an error", async () => {
    const peer = memoryPeer(
      withRules(legacy, {
        when: { method: "tools/list" },
        reply: [{ result: { tools: [] }, id: { $text: "/id" } }],
      }),
    )
    await using client = await connected(peer.transport, { strict: true })
    await expect(client.request("tools/list")).rejects.toMatchObject({
      _tag: "NotTolerated",
      tolerance: "id-echoed-as-string",
    })
  })

  it("C053 a ping with id 0 is answered with id 0", async () => {
    const peer = memoryPeer(legacy)
    await using _client = await connected(peer.transport)
    peer.send(request(0, "ping"))
    const answer = await peer.next({ kind: "response" })
    expect(answer.message).toEqual({ jsonrpc: "2.0", id: 0, result: {} })
  })

  it("C058 an unknown notification before the handshake is heard and otherwise ignored", async () => {
    const foreign = notification("window/logMessage", { type: 3, message: "hi" })
    const peer = memoryPeer(
      withRules(legacy, {
        when: { method: "tools/list" },
        reply: [{ message: foreign }, { result: { tools: [tool("a")] } }],
      }),
    )
    const serverInfo = { name: "s", version: "1" }
    const initialized = { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo }
    peer.add({
      when: { method: "initialize" },
      reply: [{ message: foreign }, { result: initialized }],
    })
    const trace = new Trace()
    const seen: Array<unknown> = []
    trace.subscribe((event) => {
      if (event.type === "frame" && event.direction === "in") seen.push(event.message)
    })
    const all: Array<unknown> = []
    await using client = await connected(peer.transport, {
      trace,
      onNotification: (one) => all.push(one),
    })
    expect(seen).toContainEqual(foreign)
    expect(all).toEqual([foreign])
    const heard: Array<string> = []
    client.onNotification(({ method }) => void heard.push(method))
    await client.tools.list()
    expect(heard).toEqual(["window/logMessage"])
    expect(all).toEqual([foreign, foreign])
    expect(client.state).toBe("ready")
  })

  it("C110 a legacy ping is answered at once, also during the handshake", async () => {
    const pings: Rule = {
      when: { method: "initialize" },
      reply: [
        { message: request("srv-1", "ping") },
        {
          result: {
            protocolVersion: "2025-11-25",
            capabilities: { tools: {} },
            serverInfo: { name: "s", version: "1" },
          },
        },
        { message: request("srv-2", "ping") },
        { message: request("srv-3", "x/unknown") },
      ],
    }
    const peer = memoryPeer(withRules(legacy, pings))
    await using client = await connected(peer.transport)
    await client.tools.list()
    const answers = peer.received.filter(({ kind }) => kind === "response")
    expect(answers.map(({ message }) => message)).toEqual([
      { jsonrpc: "2.0", id: "srv-1", result: {} },
      { jsonrpc: "2.0", id: "srv-2", result: {} },
      { jsonrpc: "2.0", id: "srv-3", error: expect.objectContaining({ code: -32601 }) },
    ])
  })

  it("C110 a modern server that asks gets no answer, and the frame is a note", async () => {
    const peer = memoryPeer(modern)
    await using client = await connected(peer.transport)
    peer.send(request("srv-1", "ping"))
    await client.tools.list()
    expect(peer.received.filter(({ kind }) => kind === "response")).toEqual([])
    expect(noted(client)).toContain("server-request-in-modern")
  })

  it("C056 over stdio nothing follows before notifications/initialized is written", async () => {
    await using peer = await startStdioPeer(legacy)
    await using client = await connected(stdio(peer))
    await client.tools.list()
    expect(peer.methods().slice(-3)).toEqual([
      "initialize",
      "notifications/initialized",
      "tools/list",
    ])
  })
})
