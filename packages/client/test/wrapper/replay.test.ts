import { describe, expect, it } from "vitest"
import { legacyServer, memoryPeer, modernServer, pages, tool, withRules } from "@entente/testkit"
import { startHttpPeer, startStdioPeer } from "@entente/testkit/node"
import type { PromiseClient } from "@entente/client"
import { http, record, replay, type Transport } from "@entente/transport"
import { stdio } from "@entente/transport/stdio"
import { recorded, tape, useEverything, within } from "./recorded.js"

const offers = { tools: [tool("a"), tool("b")], prompts: [{ name: "p" }] }
const twoPages = pages("tools/list", [
  { tools: [tool("a")], nextCursor: "p2" },
  { tools: [tool("b")] },
])
const scripts = {
  legacy: withRules(legacyServer(offers), ...twoPages),
  modern: modernServer(offers),
}

describe("a recording that is replayed gives the same results", () => {
  for (const era of ["legacy", "modern"] as const) {
    it(`${era} over stdio`, async () => {
      await using peer = await startStdioPeer(scripts[era])
      const { outcome, text } = await recorded(stdio(peer), useEverything)
      await peer.close()
      expect(outcome.era).toBe(era)
      expect(await within(replay(text), useEverything)).toEqual(outcome)
    })

    for (const answers of ["json", "sse"] as const) {
      it(`${era} over HTTP with ${answers}`, async () => {
        const script =
          era === "legacy"
            ? legacyServer({ ...offers, sessionIds: ["S1-secret"], answers })
            : modernServer({ ...offers, answers })
        await using peer = await startHttpPeer(script)
        const { outcome, text } = await recorded(http(peer.url), useEverything)
        await peer.close()
        expect(outcome.era).toBe(era)
        expect(await within(replay(text), useEverything)).toEqual(outcome)
      })
    }

    it(`${era} in memory`, async () => {
      const { outcome, text } = await recorded(memoryPeer(scripts[era]).transport, useEverything)
      expect(await within(replay(text), useEverything)).toEqual(outcome)
    })
  }
})

describe("recordings of sessions in which something happened", () => {
  it("V25-HTTP-33 a session that expired and was renewed is renewed again, with ids that stand for secrets", async () => {
    const ids = ["secret-session-0001", "secret-session-0002"]
    await using peer = await startHttpPeer(
      withRules(legacyServer({ tools: [tool("a")], sessionIds: ids }), {
        when: { method: "tools/list", nth: 2 },
        reply: [{ http: { status: 404 } }],
      }),
    )
    const use = async (client: PromiseClient) => {
      const first = await client.tools.list()
      const second = await client.tools.list()
      return { first, second, notes: client.notes.map(({ code }) => code) }
    }
    const { outcome, text } = await recorded(http(peer.url), use)
    expect(outcome.notes).toContain("session-renewed")
    for (const id of ids) expect(text).not.toContain(id)
    expect(text).toContain("‹redacted 1›")
    expect(text).toContain("‹redacted 2›")
    expect(await within(replay(text), use)).toEqual(outcome)
  })

  it("C118 a process that ended is opened again, and what was lost is lost", async () => {
    await using peer = await startStdioPeer(
      withRules(legacyServer({ tools: [tool("a")] }), {
        when: { method: "tools/call", nth: 1 },
        reply: [{ stderr: "Error: no luck\n" }, { exit: 3 }],
      }),
    )
    const use = async (client: PromiseClient) => {
      const lost: unknown = await client.callTool({ name: "a" }).catch((error: unknown) => error)
      const again = await client.callTool({ name: "a" })
      return { lost, again, notes: client.notes.map(({ code }) => code) }
    }
    const reconnect = { reconnect: { baseMs: 1 } }
    const { outcome, text } = await recorded(stdio(peer), use, reconnect)
    expect(outcome.lost).toMatchObject({ _tag: "RequestLost", cause: { process: { exitCode: 3 } } })
    expect(await within(replay(text), use, reconnect)).toEqual(outcome)
  })

  it("C029 a probe that met silence meets it again", async () => {
    const script = withRules(legacyServer({ tools: [tool("a")] }), {
      when: { method: "server/discover" },
      reply: [{ silence: true }],
    })
    const use = (client: PromiseClient) => client.tools.list()
    const { outcome, text } = await recorded(memoryPeer(script).transport, use, { probeMs: 20 })
    expect(await within(replay(text), use, { probeMs: 20 })).toEqual(outcome)
  })

  it("a change that was told after a list was read does not come while it is read", async () => {
    const peer = memoryPeer(withRules(legacyServer({ tools: [] }), ...twoPages))
    const changed = (client: PromiseClient) =>
      new Promise<void>((resolve) => client.onNotification(() => resolve()))
    const use = (announce: () => void) => async (client: PromiseClient) => {
      const heard = changed(client)
      const listing = await client.tools.list()
      announce()
      await heard
      return { listing, stale: client.tools.last?.stale, notes: client.notes }
    }
    const announcing = async (client: PromiseClient) => {
      const announce = () =>
        peer.send({ jsonrpc: "2.0", method: "notifications/tools/list_changed" })
      return use(() => void setTimeout(announce, 20))(client)
    }
    const { outcome, text } = await recorded(peer.transport, announcing)
    expect(outcome.stale).toBe(true)
    expect(
      await within(
        replay(text),
        use(() => {}),
      ),
    ).toEqual(outcome)
  })

  it("an HTTP refusal keeps its status, its headers and its challenge", async () => {
    await using peer = await startHttpPeer({
      rules: [
        {
          when: {},
          reply: [
            {
              http: {
                status: 401,
                headers: { "www-authenticate": 'Bearer realm="x", scope="a b"' },
              },
            },
          ],
        },
      ],
    })
    const refusal = (transport: Transport) =>
      within(transport, async () => undefined).catch((error: unknown) => error)
    const sink = tape()
    const first = await refusal(record(http(peer.url), sink.read))
    expect(first).toMatchObject({ _tag: "AuthorizationRequired", status: 401 })
    expect(await refusal(replay(sink.text()))).toEqual(first)
  })
})

describe("a client that goes another way than the recorded one", () => {
  const list = (client: PromiseClient) => client.tools.list()

  it("fails the call that is not in the recording, and no other", async () => {
    const { text } = await recorded(memoryPeer(scripts.legacy).transport, list)
    await within(replay(text), async (client) => {
      await expect(client.callTool({ name: "a" })).rejects.toMatchObject({
        _tag: "ReplayDiverged",
        came: "tools/call",
        expected: "tools/list",
      })
      expect(await client.tools.list()).toMatchObject({ status: "complete" })
      expect(client.state).toBe("ready")
    })
  })

  for (const [name, open] of [
    [
      "stdio",
      async () => {
        const peer = await startStdioPeer(scripts.legacy)
        return { transport: stdio(peer), peer }
      },
    ],
    [
      "HTTP",
      async () => {
        const peer = await startHttpPeer(scripts.legacy)
        return { transport: http(peer.url), peer }
      },
    ],
  ] as const) {
    it(`fails to connect where the handshake was another, over ${name}`, async () => {
      const { transport, peer } = await open()
      const { text } = await recorded(transport, list, { mode: "legacy" })
      await peer.close()
      await expect(within(replay(text), list)).rejects.toMatchObject({
        _tag: "ReplayDiverged",
        came: "server/discover",
        expected: "initialize",
        hint: expect.stringContaining("Connect as it was recorded"),
      })
    })
  }

  it("reads one list of a recording of all", async () => {
    const { text } = await recorded(memoryPeer(scripts.modern).transport, useEverything)
    const listing = await within(replay(text, { patienceMs: 0 }), (client) => client.prompts.list())
    expect(listing).toMatchObject({ status: "complete", items: [{ name: "p" }] })
  })
})
