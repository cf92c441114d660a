import { describe, expect, it } from "vitest"
import { connect, memoryVerdicts } from "@entente/client"
import {
  dualServer,
  legacyServer,
  modernServer,
  refusal,
  tool,
  withRules,
  type Rule,
} from "@entente/testkit"
import { startHttpPeer } from "@entente/testkit/node"
import { http } from "@entente/transport"
import { connected, names, noted } from "./connected.js"

const caught = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => expect.unreachable("it should have failed"),
    (error: unknown) => error,
  )

const legacy = legacyServer({ tools: [tool("a")] })
const discover = (reply: Rule["reply"], times?: number): Rule => ({
  when: { method: "server/discover" },
  reply,
  ...(times === undefined ? {} : { times }),
})
const text = (status: number, body: string): Rule["reply"] => [{ http: { status, text: body } }]

describe("initialize over HTTP", () => {
  const picky: Rule = {
    when: { method: "initialize", headers: { "mcp-protocol-version": true } },
    reply: text(400, "protocol version not accepted"),
  }

  it("C025 the first initialize carries no MCP-Protocol-Version", async () => {
    await using peer = await startHttpPeer(withRules(legacy, picky))
    await using client = await connected(peer.url)
    expect(client.era).toBe("legacy")
    expect(peer.requests("initialize")).toHaveLength(1)
  })

  it("C025 the error lists every attempt in order, and the first 400 is its cause", async () => {
    const refused: Rule = {
      when: { method: "initialize" },
      reply: text(400, "protocol version not accepted"),
    }
    const noStream: Rule = { when: { httpMethod: "GET" }, reply: text(405, "") }
    await using peer = await startHttpPeer(withRules(legacy, refused, noStream))
    const error = await caught(connected(peer.url, { mode: "legacy" }))
    expect(error).toMatchObject({
      code: "handshake-refused",
      cause: { status: 400, body: "protocol version not accepted" },
    })
    const { attempts } = error as { attempts: ReadonlyArray<{ what: string; outcome: string }> }
    expect(attempts.map(({ what }) => what)).toEqual([
      expect.stringContaining("initialize"),
      expect.stringContaining("initialize"),
      expect.stringContaining("GET"),
    ])
    expect(attempts[0]?.outcome).toContain("protocol version not accepted")
    expect(attempts[2]?.outcome).toContain("405")
    expect(peer.exchanges("GET")).toHaveLength(1)
  })

  it("C026 a gate that names older versions is passed once, with the best of them", async () => {
    const gate: Rule = {
      when: { method: "initialize", params: { protocolVersion: "2025-11-25" } },
      reply: text(400, "version refused; supported versions ( 2025-06-18, 2025-03-26, 2024-11-05)"),
    }
    const older = legacyServer({ tools: [tool("a")], revision: "2025-06-18" })
    await using peer = await startHttpPeer(withRules(older, gate))
    await using client = await connected(peer.url)
    expect(client.protocolVersion).toBe("2025-06-18")
    expect(peer.requests("initialize")).toHaveLength(2)
    expect(peer.exchanges("GET")).toHaveLength(0)
    expect(noted(client)).toContain("version-gate")
  })

  it("C026 error.data.supported is as good as dates in a text, whatever is refused afterwards", async () => {
    const gate: Rule = {
      when: { method: "initialize" },
      reply: refusal(400, -32602, "Unsupported", { supported: ["2024-11-05", "2025-06-18"] }),
    }
    await using peer = await startHttpPeer(withRules(legacy, gate))
    const error = await caught(connected(peer.url, { mode: "legacy" }))
    expect(error).toMatchObject({ cause: { rpcCode: -32602 } })
    const offered = peer.requests("initialize").map(({ message }) => message.params)
    expect(offered).toMatchObject([
      { protocolVersion: "2025-11-25" },
      { protocolVersion: "2025-06-18" },
    ])
    expect(peer.exchanges("GET")).toHaveLength(0)
  })

  it("C026 without a common version the error has both lists", async () => {
    const gate: Rule = {
      when: { method: "initialize" },
      reply: refusal(400, -32602, "Unsupported", { supported: ["1999-01-01"] }),
    }
    await using peer = await startHttpPeer(withRules(legacy, gate))
    expect(await caught(connected(peer.url))).toMatchObject({
      _tag: "VersionMismatch",
      supported: ["1999-01-01"],
      offered: expect.arrayContaining(["2025-11-25"]),
    })
    expect(peer.exchanges("GET")).toHaveLength(0)
  })

  it("C027 a server that insists on the header gets it on the one retry, and is remembered", async () => {
    const insists: Rule = {
      when: { method: "initialize", headers: { "mcp-protocol-version": null } },
      reply: text(400, "header missing"),
    }
    await using peer = await startHttpPeer(withRules(legacy, insists))
    const verdicts = memoryVerdicts()
    const first = await connect(peer.url, { verdicts })
    expect(first.notes.map(({ code }) => code)).toContain("version-header-at-initialize")
    await first.close()
    const sent = peer.requests("initialize")
    expect(sent[1]?.headers?.["mcp-protocol-version"]).toBe("2025-11-25")

    await using _second = await connect(peer.url, { verdicts })
    expect(peer.requests("initialize")).toHaveLength(3)
  })

  it("C027 a second 400 is surfaced", async () => {
    const never: Rule = { when: { method: "initialize" }, reply: text(400, "no") }
    const noStream: Rule = { when: { httpMethod: "GET" }, reply: text(405, "") }
    await using peer = await startHttpPeer(withRules(legacy, never, noStream))
    expect(await caught(connected(peer.url, { mode: "legacy" }))).toMatchObject({
      code: "handshake-refused",
      cause: { status: 400, body: "no" },
    })
    const versions = peer
      .requests("initialize")
      .map(({ headers }) => headers?.["mcp-protocol-version"])
    expect(versions).toEqual([undefined, "2025-11-25"])
  })

  it.each([-32020, -32021, -32022])(
    "C027 the modern error %i to initialize is no reason to add the header",
    async (code) => {
      const modernError: Rule = {
        when: { method: "initialize" },
        reply: refusal(400, code, "speak 2026-07-28", {}),
      }
      await using peer = await startHttpPeer(withRules(legacy, modernError))
      await caught(connected(peer.url, { mode: "legacy" }))
      expect(peer.requests("initialize")).toHaveLength(1)
    },
  )

  it("C056 nothing is listed before notifications/initialized was accepted", async () => {
    const late: Rule = {
      when: { method: "notifications/initialized" },
      reply: [{ silence: true }],
    }
    await using peer = await startHttpPeer(withRules(legacy, late))
    const listed = connected(peer.url).then(async (client) => {
      await using one = client
      return await one.tools.list()
    })
    await peer.next("notifications/initialized")
    expect(peer.methods()).not.toContain("tools/list")
    peer.play([{ http: { status: 202 } }], { method: "notifications/initialized" })
    expect((await listed).status).toBe("complete")
    expect(peer.methods().at(-1)).toBe("tools/list")
  })
})

describe("the probe over HTTP", () => {
  const refusals: ReadonlyArray<readonly [string, Rule["reply"]]> = [
    [
      "400 with -32000 and id null",
      [{ status: 400, id: null, error: { code: -32000, message: "session header missing" } }],
    ],
    ["400 as text", text(400, "Bad Request")],
    ["400 with nothing", text(400, "")],
    ["400 with -32600", refusal(400, -32600, "Invalid Request")],
    ["400 with -32602", refusal(400, -32602, "Invalid params")],
    ["404 with -32601", refusal(404, -32601, "Method not found")],
    ["200 with -32601", refusal(200, -32601, "Method not found")],
    ["405", text(405, "")],
    ["406", text(406, "")],
    ["415", text(415, "")],
    ["422", text(422, "")],
  ]

  it.each(refusals)("C028 %s means legacy", async (_, reply) => {
    await using peer = await startHttpPeer(withRules(legacy, discover(reply)))
    await using client = await connected(peer.url)
    expect(client.era).toBe("legacy")
    const [initialize] = peer.requests("initialize")
    expect(initialize?.headers).not.toHaveProperty("mcp-session-id")
  })

  it.each([-32020, -32021, -32022])(
    "C028 400 with %i means modern, with id null too: no initialize follows",
    async (code) => {
      for (const id of [1, null]) {
        const error = { code, message: "modern", data: { supported: ["2027-01-01"] } }
        const modern = modernServer({ tools: [tool("a")] })
        await using peer = await startHttpPeer(
          withRules(modern, discover([{ status: 400, id, error }])),
        )
        await caught(connected(peer.url))
        expect(peer.methods()).not.toContain("initialize")
      }
    },
  )

  it("C028 429 proves nothing: it is told as an outage", async () => {
    await using peer = await startHttpPeer(withRules(legacy, discover(text(429, "slow down"))))
    expect(await caught(connected(peer.url))).toMatchObject({ code: "outage", status: 429 })
    expect(peer.methods()).not.toContain("initialize")
  })

  it("C028 silence proves nothing either", async () => {
    await using peer = await startHttpPeer(withRules(legacy, discover([{ silence: true }])))
    await caught(connected(peer.url, { handshakeMs: 50 }))
    expect(peer.methods()).toContain("server/discover")
    expect(peer.methods()).not.toContain("initialize")
  })

  it("C028 a connection that is cut proves nothing either", async () => {
    await using peer = await startHttpPeer(withRules(legacy, discover([{ destroy: true }])))
    expect(await caught(connected(peer.url, { reconnect: "never" }))).toMatchObject({
      _tag: "Unreachable",
    })
    expect(peer.methods()).not.toContain("initialize")
  })

  it.each([401, 403])("C028 %i goes to authorization, and proves nothing", async (status) => {
    await using peer = await startHttpPeer(
      withRules(
        legacy,
        discover([{ http: { status, headers: { "www-authenticate": 'Bearer scope="a, b"' } } }]),
      ),
    )
    expect(await caught(connected(peer.url))).toMatchObject({
      _tag: "AuthorizationRequired",
      challenges: [{ scheme: "bearer", parameters: { scope: "a, b" } }],
    })
    expect(peer.methods()).toEqual(["server/discover"])
  })

  it("C028 after authorization the same probe is repeated", async () => {
    await using peer = await startHttpPeer(
      withRules(modernServer({ tools: [tool("a")] }), {
        when: { headers: { authorization: null } },
        reply: [{ http: { status: 401, headers: { "www-authenticate": "Bearer" } } }],
      }),
    )
    let token: string | undefined
    const transport = http(peer.url, {
      authorization: {
        headers: () => (token === undefined ? {} : { authorization: `Bearer ${token}` }),
        refused: () => {
          token = "granted"
          return "retry"
        },
      },
    })
    await using client = await connected(transport)
    expect(client.era).toBe("modern")
    expect(peer.methods()).toEqual(["server/discover", "server/discover"])
  })

  it("C028 503 is tried once more, and then is an outage", async () => {
    await using peer = await startHttpPeer(withRules(legacy, discover(text(503, "busy"))))
    expect(await caught(connected(peer.url))).toMatchObject({ code: "outage", status: 503 })
    expect(peer.methods()).toEqual(["server/discover", "server/discover"])
  })

  it("C028 503 that passes costs nothing but the one retry", async () => {
    const modern = modernServer({ tools: [tool("a")] })
    await using peer = await startHttpPeer(withRules(modern, discover(text(503, "busy"), 1)))
    await using client = await connected(peer.url)
    expect(client.era).toBe("modern")
  })

  it("C028 a refused connection is unreachable, and no initialize follows", async () => {
    const peer = await startHttpPeer(legacy)
    await peer.close()
    expect(await caught(connected(peer.url))).toMatchObject({ code: "unreachable" })
    expect(peer.received).toEqual([])
  })
})

describe("a version refused with -32022", () => {
  const refused = (supported: ReadonlyArray<string>, times?: number): Rule => ({
    when: { method: "tools/list" },
    reply: refusal(400, -32022, "Unsupported protocol version", { supported }),
    ...(times === undefined ? {} : { times }),
  })
  const open = async (...rules: ReadonlyArray<Rule>) => {
    const peer = await startHttpPeer(withRules(dualServer({ tools: [tool("a")] }), ...rules))
    const client = await connected(peer.url)
    expect(client.era).toBe("modern")
    return { peer, client, [Symbol.asyncDispose]: () => client.close().then(() => peer.close()) }
  }

  it("C107 (a) the best mutual modern version is sent again once, with a new id", async () => {
    await using test = await open(refused(["2027-01-01", "2026-07-28", "2025-11-25"], 1))
    const listing = await test.client.tools.list()
    expect(names(listing.items)).toEqual(["a"])
    const [first, second] = test.peer.requests("tools/list")
    expect(first?.message.id).not.toBe(second?.message.id)
    expect(second?.headers?.["mcp-protocol-version"]).toBe("2026-07-28")
    expect(second?.message.params?.["_meta"]).toMatchObject({
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    })
    expect(test.peer.requests("tools/list")).toHaveLength(2)
    expect(test.peer.requests("initialize")).toHaveLength(0)
  })

  it("C107 (b) only legacy versions in common lead to initialize", async () => {
    await using test = await open({
      ...refused(["2025-11-25", "2025-06-18", "2024-11-05"]),
      when: { method: "tools/list", headers: { "mcp-protocol-version": "2026-07-28" } },
    })
    const listing = await test.client.tools.list()
    expect(names(listing.items)).toEqual(["a"])
    expect(test.client).toMatchObject({ era: "legacy", protocolVersion: "2025-11-25" })
    const [initialize] = test.peer.requests("initialize")
    expect(initialize?.message.params).toMatchObject({ protocolVersion: "2025-11-25" })
    for (const { message } of test.peer.requests()) {
      const meta = (message.params?.["_meta"] ?? {}) as Record<string, unknown>
      expect([undefined, "2026-07-28"]).toContain(meta["io.modelcontextprotocol/protocolVersion"])
    }
  })

  it("C107 (c) nothing in common is an error with both lists", async () => {
    await using test = await open(refused(["1999-01-01"]))
    expect(await caught(test.client.request("tools/list"))).toMatchObject({
      _tag: "VersionMismatch",
      supported: ["1999-01-01"],
      offered: expect.arrayContaining(["2026-07-28"]),
    })
  })

  it("C107 (d) refusing for ever ends after one repeat", async () => {
    const supported = ["2027-01-01", "2026-07-28", "2025-11-25"]
    await using test = await open(refused(supported))
    expect(await caught(test.client.request("tools/list"))).toMatchObject({
      _tag: "VersionMismatch",
      supported,
      offered: expect.arrayContaining(["2026-07-28"]),
    })
    const sent = test.peer.requests("tools/list")
    expect(sent).toHaveLength(2)
    for (const { message } of sent) {
      expect(message.params?.["_meta"]).toMatchObject({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      })
    }
  })
})
