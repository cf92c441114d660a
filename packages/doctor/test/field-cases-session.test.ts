import { once } from "node:events"
import { createServer, request } from "node:http"
import { examine, type Diagnosis } from "@entente/doctor"
import { legacyServer, refusal, tool, withRules, type Script, type Step } from "@entente/testkit"
import { startHttpPeer } from "@entente/testkit/node"
import { http, type HttpOptions } from "@entente/transport"
import { describe, expect, it } from "vitest"
import { confirmation, initialize, sessionHeaders } from "./variants/clumsy-words.js"
import { examineVariant } from "./variants/examine-variant.js"

const tools = [tool("echo"), tool("add")]
const opening = { kind: "request", method: "initialize" } as const
const serverInfo = { name: "s", version: "1.0.0" }

/** A browser hands a page the headers that every page may read, and those that the server exposes. */
const asInBrowser: NonNullable<HttpOptions["fetch"]> = async (input, init) => {
  const response = await fetch(input, init)
  const exposed = (response.headers.get("access-control-expose-headers") ?? "").toLowerCase()
  const readable = ["content-type", "content-length", "cache-control", ...exposed.split(/,\s*/)]
  const headers = [...response.headers].filter(([name]) => readable.includes(name))
  const { status, body } = response
  return new Response(body, { status, headers })
}

const diagnosed = async (
  script: Script,
  { browser = false, ...options }: HttpOptions & { readonly browser?: boolean } = {},
) => {
  await using peer = await startHttpPeer(script)
  const transport = () => http(peer.url, options)
  const { diagnosis, trace } = await examine(
    { transport },
    { timeoutMs: 5_000, waitMs: 20 },
    browser ? { browser } : {},
  )
  return { diagnosis, trace, received: peer.exchanges("POST") }
}

/** Two replicas behind one address: requests reach them in turns, whatever their session. */
const inTurns = async (scripts: ReadonlyArray<Script>) => {
  const replicas = await Promise.all(scripts.map((script) => startHttpPeer(script)))
  let turn = 0
  const server = createServer((incoming, outgoing) => {
    const { url } = replicas[turn++ % replicas.length] ?? { url: "" }
    const { method, headers } = incoming
    const onward = request(url, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    onward.on("error", () => outgoing.destroy())
    incoming.pipe(onward)
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await Promise.all(replicas.map(({ close }) => close()))
    },
  }
}

const first = ({ hypotheses: [hypothesis] }: Diagnosis) => hypothesis

describe("C023 a session id that a page cannot read", () => {
  const withoutExposure = (...headers: ReadonlyArray<readonly [string, string]>) =>
    withRules(
      legacyServer({ tools, sessionIds: ["S1"] }),
      {
        when: opening,
        reply: [
          {
            result: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo },
            headers: { "mcp-session-id": "S1", ...Object.fromEntries(headers) },
          },
        ],
      },
      {
        when: { headers: { "mcp-session-id": null } },
        reply: refusal(400, -32000, "session header missing"),
      },
    )
  const letsPagesIn = ["access-control-allow-origin", "*"] as const
  const exposesIt = ["access-control-expose-headers", "Mcp-Session-Id"] as const

  it("C023 is told from the page itself, with the header to expose", async () => {
    const { diagnosis } = await diagnosed(withoutExposure(letsPagesIn), {
      browser: true,
      fetch: asInBrowser,
    })
    expect(diagnosis.verdict).toBe("failed")
    expect(first(diagnosis)).toMatchObject({
      code: "session-header-not-exposed",
      fix: { server: expect.stringContaining("Access-Control-Expose-Headers") },
    })
  })

  it("C023 is shown from outside a browser, by a handshake with an Origin", async () => {
    const { diagnosis, trace } = await diagnosed(withoutExposure(letsPagesIn), { browser: true })
    expect(diagnosis.verdict).toBe("degraded")
    expect(first(diagnosis)).toMatchObject({ code: "session-header-not-exposed" })
    expect(trace).toContainEqual(expect.objectContaining({ type: "experiment", name: "browser" }))
    const asked = trace.filter((event) => event.type === "http" && "origin" in event.headers)
    expect(asked.length).toBeGreaterThan(0)
  })

  it("C023 is a remark where nobody runs in a browser", async () => {
    const { diagnosis } = await diagnosed(withoutExposure(letsPagesIn))
    expect(diagnosis.verdict).toBe("healthy")
    expect(first(diagnosis)?.code).toBe("session-hidden-from-browsers")
  })

  it("C023 is not seen where the header is exposed", async () => {
    const exposing = withoutExposure(letsPagesIn, exposesIt)
    const page = await diagnosed(exposing, { browser: true, fetch: asInBrowser })
    expect(page.diagnosis.verdict).toBe("healthy")
    const outside = await diagnosed(exposing, { browser: true })
    expect(outside.diagnosis.verdict).toBe("healthy")
  })

  it("C023 is a session demanded and never given in other runtimes", async () => {
    const none: Step = {
      result: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo },
    }
    const script = withRules(withoutExposure(), { when: opening, reply: [none] })
    const { diagnosis } = await diagnosed(script)
    expect(diagnosis.verdict).toBe("failed")
    expect(first(diagnosis)).toMatchObject({ code: "session-demanded-never-given" })
  })
})

describe("C089 an answer to initialize that is none", () => {
  const answering = (result: Record<string, unknown>) =>
    withRules(legacyServer({ tools }), { when: opening, reply: [{ result }] })

  it("C089 names both pointers and the near miss, and the doctor goes on to the tools", async () => {
    const { diagnosis, trace } = await diagnosed(
      answering({ protocol_version: "2024-11-05", server_info: { name: "s" } }),
    )
    expect(diagnosis.verdict).toBe("failed")
    const hypothesis = first(diagnosis)
    expect(hypothesis).toMatchObject({
      code: "initialize-result-malformed",
      evidence: [{ marked: '"protocol_version":"2024-11-05"' }],
    })
    expect(hypothesis?.title).toContain(
      "/protocolVersion is missing (protocol_version is a near miss)",
    )
    expect(hypothesis?.title).toContain("/capabilities is missing")
    // The client sent nothing more; the doctor alone asked for the tools.
    const begun = trace.findIndex(({ type }) => type === "experiment")
    const asked = trace.flatMap((event, index) =>
      event.type === "frame" &&
      event.direction === "out" &&
      JSON.stringify(event.message).includes('"tools/list"')
        ? [index]
        : [],
    )
    expect(begun).toBeGreaterThan(0)
    expect(Math.min(...asked)).toBeGreaterThan(begun)
  })

  it("C089 recognises a list of tools in the place of the handshake", async () => {
    const { diagnosis } = await diagnosed(answering({ tools }))
    expect(first(diagnosis)?.code).toBe("initialize-result-malformed")
    expect(first(diagnosis)?.title).toContain("it looks like the answer to tools/list")
  })
})

describe("C101 sessions that live in one replica", () => {
  it("C101 says how many sessions were lost after how long, and names sticky routing", async () => {
    await using proxy = await inTurns([
      legacyServer({ tools, sessionIds: ["A1"] }),
      legacyServer({ tools, sessionIds: ["B1"] }),
    ])
    const { diagnosis } = await examine({ transport: () => http(proxy.url) }, { timeoutMs: 5_000 })
    expect(diagnosis.verdict).toBe("failed")
    const hypothesis = first(diagnosis)
    expect(hypothesis?.code).toBe("replicas-without-affinity")
    expect(hypothesis?.confidence).toBeGreaterThan(0.9)
    expect(hypothesis?.title).toMatch(/^\d+ sessions are lost as soon as .* \(after \d+ ms/)
    expect(hypothesis?.title).toContain("replicas without sticky routing")
    expect(hypothesis?.fix.proxy).toContain("sticky routing")
  })

  it("C101 is told from the trace of a client that begins anew each time", async () => {
    const unknown = refusal(404, -32001, "Session not found")
    const { diagnosis } = await examineVariant({
      name: "storm",
      family: 3,
      era: "legacy",
      over: "http",
      expects: "replicas-without-affinity",
      verdict: "failed",
      script: () =>
        withRules(
          legacyServer({ tools, sessionIds: ["S1", "S2"] }),
          { when: { kind: "notification", headers: { "mcp-session-id": "S1" } }, reply: unknown },
          { when: { method: "tools/list" }, reply: unknown },
        ),
      client: async (client) => {
        await initialize(client, { id: 1 })
        await client.say(confirmation, sessionHeaders("S1"))
        await initialize(client, { id: 2 })
        await client.say(confirmation, sessionHeaders("S2"))
        await client.say({ id: 3, method: "tools/list" }, sessionHeaders("S2"))
      },
    })
    expect(diagnosis.verdict).toBe("failed")
    expect(first(diagnosis)?.code).toBe("replicas-without-affinity")
    expect(first(diagnosis)?.title).toMatch(/^2 sessions are lost .* \(after \d+ ms, \d+ ms\)/)
  })
})
