import { diagnose, examine } from "@entente/doctor"
import { legacyServer, refusal, tool, withRules, type Rule, type Script } from "@entente/testkit"
import { startHttpPeer, startHttpSsePeer } from "@entente/testkit/node"
import { http, httpSse } from "@entente/transport"
import { describe, expect, it } from "vitest"

const tools = [tool("echo")]

const options = { timeoutMs: 1_000, waitMs: 20 }

const examined = async (script: Script) => {
  await using peer = await startHttpPeer(script)
  return await examine({ transport: () => http(peer.url) }, options)
}

const sessions = (...rules: ReadonlyArray<Rule>): Script =>
  withRules(legacyServer({ tools, sessionIds: ["S1", "S2", "S3"] }), ...rules)

const forgotten = sessions({
  when: { kind: "request", method: "tools/list", headers: { "mcp-session-id": "S1" } },
  reply: refusal(404, -32001, "Session not found"),
})

describe("what is worth knowing of a session, and no illness", () => {
  it.each([
    ["is refused with 500", [{ http: { status: 500 } }], ["session-end-refused"]],
    ["is never answered", [{ silence: true }], ["session-end-refused"]],
    ["is refused with 405", [{ http: { status: 405 } }], []],
    ["is refused with 404", [{ http: { status: 404 } }], []],
  ] as const)("a DELETE that %s", async (_, reply, codes) => {
    const { diagnosis } = await examined(sessions({ when: { httpMethod: "DELETE" }, reply }))
    expect(diagnosis.verdict).toBe("healthy")
    expect(diagnosis.hypotheses.map(({ code }) => code)).toEqual(codes)
  })

  it("a session that ends after an hour without use, and is opened anew", async () => {
    const { trace } = await examined(forgotten)
    const main = trace.slice(
      0,
      trace.findIndex(({ type }) => type === "experiment"),
    )
    const young = diagnose(main)
    expect(young.verdict).toBe("degraded")
    expect(young.hypotheses[0]?.code).toBe("session-expired-early")
    // The same exchange, with an hour between the handshake and the list.
    const asked = main.findIndex(
      (event) => event.type === "frame" && JSON.stringify(event.message).includes("tools/list"),
    )
    const old = diagnose(
      main.map((event, index) => (index < asked ? event : { ...event, at: event.at + 3_600_000 })),
    )
    expect(old.verdict).toBe("healthy")
    expect(old.hypotheses).toMatchObject([
      { code: "session-expired", title: expect.stringContaining("60 min") },
    ])
  })

  it("a server that agrees to any version, and works", async () => {
    const { diagnosis } = await examined(
      withRules(legacyServer({ tools }), {
        when: { kind: "request", method: "initialize" },
        reply: [
          {
            result: {
              protocolVersion: { $from: "/params/protocolVersion" },
              capabilities: { tools: {} },
              serverInfo: { name: "s", version: "1.0.0" },
            },
          },
        ],
      }),
    )
    expect(diagnosis.verdict).toBe("healthy")
    expect(diagnosis.hypotheses.map(({ code }) => code)).toEqual(["version-echo"])
  })
})

describe("a session of HTTP+SSE", () => {
  it("is unknown where messages reach another replica than the stream", async () => {
    await using peer = await startHttpSsePeer(
      withRules(legacyServer({ tools }), {
        when: { kind: "request" },
        reply: [{ http: { status: 404, text: "Session not found" } }],
      }),
    )
    const { diagnosis } = await examine({ transport: () => httpSse(peer.url) }, options)
    expect(diagnosis.verdict).toBe("failed")
    expect(diagnosis.hypotheses[0]?.code).toBe("stream-session-unknown")
  })
})
