import { examine } from "@entente/doctor"
import { legacyRevisions } from "@entente/protocol"
import { dualServer, legacyServer, modernServer, tool, type Script } from "@entente/testkit"
import { startHttpPeer, startStdioPeer } from "@entente/testkit/node"
import { http } from "@entente/transport"
import { stdio } from "@entente/transport/stdio"
import { describe, expect, it } from "vitest"

const tools = [tool("echo"), tool("add")]

const sessionIds = Array.from({ length: 9 }, (_, index) => `S${index}`)

const servers: ReadonlyArray<readonly [name: string, script: Script]> = [
  ...legacyRevisions.flatMap((revision): ReadonlyArray<readonly [string, Script]> => [
    [`of ${revision}`, legacyServer({ tools, revision })],
    [
      `of ${revision} with sessions and a stream`,
      legacyServer({ tools, revision, sessionIds, listens: true }),
    ],
  ]),
  ["of 2026-07-28", modernServer({ tools })],
  ["of both eras", dualServer({ tools, sessionIds })],
]

const options = { timeoutMs: 5_000, waitMs: 20 }

/** What a sound server is told. */
const healthy = { verdict: "healthy", hypotheses: [] }

describe.each(servers)("an honest server %s", (_, script) => {
  it("is healthy over HTTP, and gets every session back that it gave out", async () => {
    await using peer = await startHttpPeer(script)
    const { diagnosis, trace } = await examine({ transport: () => http(peer.url) }, options)
    expect(diagnosis).toMatchObject(healthy)
    const given = trace.filter(
      (event) =>
        event.type === "http" &&
        event.status !== undefined &&
        event.headers["mcp-session-id"] !== undefined,
    )
    expect(peer.exchanges("DELETE")).toHaveLength(given.length)
  })

  it("is healthy over stdio", async () => {
    const { command, args, close } = await startStdioPeer(script)
    try {
      const { diagnosis } = await examine({ transport: () => stdio({ command, args }) }, options)
      expect(diagnosis).toMatchObject(healthy)
    } finally {
      await close()
    }
  })
})
