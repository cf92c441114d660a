import { diagnose, type Diagnosis } from "@entente/doctor"
import type { TraceEvent, Unstamped } from "@entente/trace"
import { describe, expect, it } from "vitest"

/** A trace as a log or a tap gives it: what stands in it and nothing else. */
const traceOf = (...events: ReadonlyArray<Unstamped>): ReadonlyArray<TraceEvent> =>
  events.map((event, seq) => ({ ...event, seq, at: 1_000 * seq }) as TraceEvent) // the stamp completes it

const says = (message: unknown): Unstamped => ({ type: "frame", direction: "out", message })
const hears = (message: unknown): Unstamped => ({ type: "frame", direction: "in", message })

const initialize = says({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "c", version: "1" },
  },
})

const welcome = hears({
  jsonrpc: "2.0",
  id: 1,
  result: {
    protocolVersion: "2025-11-25",
    capabilities: { tools: {} },
    serverInfo: { name: "s", version: "1" },
  },
})

const lists = says({ jsonrpc: "2.0", id: 2, method: "tools/list" })

const firstOf = ({ hypotheses }: Diagnosis): string | undefined => hypotheses[0]?.code

const fails = (code: string, message: string): Unstamped => ({
  type: "error",
  code,
  stage: "request",
  message,
})

describe("what is said where no rule has a cause", () => {
  it("an empty trace shows nothing, which is no proof of a failure", () => {
    const diagnosis = diagnose([])
    expect(firstOf(diagnosis)).toBe("nothing-seen")
    expect(diagnosis.verdict).toBe("degraded")
  })

  it.each([
    ["nothing but a question", [initialize]],
    ["a handshake", [initialize, welcome]],
    ["a list that was asked for", [initialize, welcome, lists]],
  ])("a trace that ends with %s is too short", (_, events) => {
    const diagnosis = diagnose(traceOf(...events))
    expect(firstOf(diagnosis)).toBe("trace-too-short")
    expect(diagnosis.hypotheses[0]?.evidence[0]?.frame).toBe(events.length - 1)
    expect(diagnosis.verdict).not.toBe("healthy")
  })

  it("a failure that nobody knows is shown, the first one of all", () => {
    const trace = traceOf(fails("client-error", "It broke."), fails("x", "y"))
    const diagnosis = diagnose(trace)
    expect(firstOf(diagnosis)).toBe("unexplained")
    expect(diagnosis.hypotheses[0]?.evidence).toEqual([
      { frame: 0, excerpt: "client-error: It broke." },
    ])
  })

  it("a list that came whole needs no word", () => {
    const page = hears({
      jsonrpc: "2.0",
      id: 2,
      result: { tools: [{ name: "a", inputSchema: { type: "object" } }] },
    })
    expect(diagnose(traceOf(initialize, welcome, lists, page))).toMatchObject({
      verdict: "healthy",
      hypotheses: [],
    })
  })
})

describe("a process in a log", () => {
  const spawned: Unstamped = { type: "process", event: "spawned", detail: "node server.js" }
  const exited: Unstamped = { type: "process", event: "exited", detail: "exit code 0" }

  it("that ends by itself is the cause", () => {
    expect(firstOf(diagnose(traceOf(spawned, initialize, exited)))).toBe("process-done-at-once")
  })

  it("that ends because it was told to is none", () => {
    const stopped: Unstamped = { type: "process", event: "signalled", detail: "SIGTERM" }
    const diagnosis = diagnose(traceOf(spawned, initialize, stopped, exited))
    expect(firstOf(diagnosis)).toBe("trace-too-short")
    expect(diagnosis.stages[0]).toMatchObject({ stage: "spawn", status: "ok" })
  })

  it("that dies twice is told by its last end, with what it said then", () => {
    const line = (detail: string): Unstamped => ({ type: "process", event: "stderr", detail })
    const diagnosis = diagnose(
      traceOf(
        spawned,
        line("first words"),
        { ...exited, detail: "exit code 1" },
        spawned,
        line("DATABASE_URL is required"),
        { ...exited, detail: "exit code 1" },
      ),
    )
    expect(diagnosis.hypotheses[0]).toMatchObject({
      code: "process-lacks-setting",
      title: "The server ends at once without DATABASE_URL",
      evidence: [
        { frame: 4, marked: "DATABASE_URL is required" },
        { frame: 5, marked: "code 1" },
      ],
    })
  })
})

describe("the words of a client's log", () => {
  it.each([
    ["command-not-found", "spawn uvx ENOENT", "command-not-found"],
    ["spawn-failed", "spawn /srv/run EACCES", "command-not-started"],
    ["unreachable", "fetch failed: getaddrinfo ENOTFOUND a.example", "host-unknown"],
    ["unreachable", "fetch failed: self-signed certificate", "tls-failed"],
    ["unreachable", "fetch failed", "unreachable"],
    ["authorization-required", "Error POSTing to endpoint (HTTP 401)", "authorization-reported"],
    ["closed", "MCP error -32000: Connection closed", "connection-ended"],
    ["timeout", "MCP error -32001: Request timed out", "handshake-unanswered"],
  ])("%s, %s: %s", (code, message, expected) => {
    expect(firstOf(diagnose(traceOf(initialize, fails(code, message))))).toBe(expected)
  })
})

describe("credentials that are lost on the way", () => {
  const request = (url: string, headers: Readonly<Record<string, string>>): Unstamped => ({
    type: "http",
    exchange: 1,
    method: "POST",
    url,
    headers,
  })
  const answer = (
    url: string,
    status: number,
    headers: Readonly<Record<string, string>>,
  ): Unstamped => ({
    type: "http",
    exchange: 1,
    method: "POST",
    url,
    status,
    headers,
  })
  const [old, final] = ["https://a.example/mcp", "https://a.example/mcp/"]

  it("are seen where a redirect was followed without them", () => {
    const diagnosis = diagnose(
      traceOf(
        request(old, { authorization: "Bearer ‹redacted›" }),
        { ...initialize, exchange: 1 } as Unstamped, // a frame as it is made above
        answer(old, 307, { location: final }),
        request(final, {}),
        answer(final, 401, { "www-authenticate": "Bearer" }),
      ),
    )
    expect(diagnosis.hypotheses[0]).toMatchObject({
      code: "credentials-not-arrived",
      family: 6,
      evidence: [{ frame: 2 }, { frame: 4, marked: "HTTP 401" }],
    })
    expect(diagnosis.hypotheses.map(({ code }) => code)).not.toContain("challenge-without-metadata")
  })
})

describe("the age of a list", () => {
  const page = (...names: ReadonlyArray<string>): Unstamped =>
    hears({
      jsonrpc: "2.0",
      id: 2,
      result: { tools: names.map((name) => ({ name, inputSchema: { type: "object" } })) },
    })

  it("is told in a person's words", () => {
    const trace = traceOf(
      initialize,
      welcome,
      lists,
      page("a"),
      says({ jsonrpc: "2.0", id: 3, method: "ping" }),
    )
    const late = trace.map((event, index) =>
      index === 4 ? { ...event, at: 3_000 + 3 * 3_600_000 } : event,
    )
    expect(diagnose(late, { offered: ["a", "b"] }).hypotheses[0]).toMatchObject({
      code: "list-out-of-date",
      title: "The client's list is 3 hours older than the server's, and lacks b",
    })
    expect(diagnose(late, { offered: ["a"] }).verdict).toBe("healthy")
  })

  it("does not matter where the client has read it again after the change", () => {
    const changed = hears({ jsonrpc: "2.0", method: "notifications/tools/list_changed" })
    const again = says({ jsonrpc: "2.0", id: 2, method: "tools/list" })
    const trace = traceOf(initialize, welcome, lists, page("a"), changed, again, page("a", "b"))
    expect(diagnose(trace, { offered: ["a", "b"] })).toMatchObject({
      verdict: "healthy",
      hypotheses: [],
    })
    // Just told, and the trace still grows: nothing can be said yet.
    expect(diagnose(trace.slice(0, 5)).hypotheses).toEqual([])
  })
})

describe("the next command", () => {
  const opened = (transport: string, target: string): Unstamped =>
    ({ type: "channel", event: "opened", channel: 1, transport, target }) as Unstamped // as a file has it

  const nextOf = (...events: ReadonlyArray<Unstamped>): string | undefined =>
    diagnose(traceOf(...events)).hypotheses[0]?.next

  it("is one command for a shell, whatever an address in a trace holds", () => {
    expect(nextOf(opened("http", "http://x.example/mcp"), initialize)).toBe(
      "entente doctor http://x.example/mcp",
    )
    expect(nextOf(opened("http", "http://x.example/$(id)?a=1&b='"), initialize)).toBe(
      "entente doctor 'http://x.example/$(id)?a=1&b='\\'''",
    )
  })

  it("repeats no command of a trace that a shell would read otherwise", () => {
    expect(nextOf(opened("stdio", "npx -y some-server"), initialize)).toBe(
      "entente doctor -- npx -y some-server",
    )
    expect(nextOf(opened("stdio", "node a; id"), initialize)).toBe("entente doctor -- COMMAND")
  })

  it("takes the address from the requests where no channel names it, without what was asked with it", () => {
    const asked: Unstamped = {
      type: "http",
      exchange: 1,
      method: "POST",
      url: "https://x.example/mcp?key=k",
      headers: {},
    }
    expect(nextOf(asked, initialize)).toBe("entente doctor https://x.example/mcp")
  })
})

describe("what a client's log alone tells", () => {
  const told = (detail: string): Unstamped => ({ type: "note", code: "client-said", detail })

  it("https to a port that speaks http is no matter of certificates", () => {
    const { hypotheses } = diagnose(
      traceOf(initialize, fails("unreachable", "No answer: the other side does not speak TLS.")),
    )
    expect(hypotheses[0]).toMatchObject({ code: "tls-failed" })
    expect(hypotheses[0]?.title).toMatch(/https, and what listens there does not speak TLS/)
    expect(hypotheses[0]?.fix.server).not.toMatch(/Renew/)
  })

  it("a setting that stderr names is the cause, though nobody logs the exit", () => {
    const stderr: Unstamped = {
      type: "process",
      event: "stderr",
      detail: "Error: LEDGER_TOKEN is not set",
    }
    const events = [told("Starting"), stderr, fails("closed", "Connection closed")]
    expect(firstOf(diagnose(traceOf(...events)))).toBe("process-lacks-setting")
  })

  it("a client that counts tools had messages, so that noise is not the cause", () => {
    const noise: Unstamped = { type: "process", event: "noise", detail: "Starting" }
    expect(firstOf(diagnose(traceOf(noise, told("Found 2 tools")), { shown: 2 }))).toBe(
      "log-sums-up",
    )
    expect(firstOf(diagnose(traceOf(noise, told("connecting"))))).toBe("stdout-noise-only")
  })
})

describe("an address of the old transport", () => {
  it("that names none for messages is said to be that, although it refuses what is posted to it", () => {
    const url = "http://127.0.0.1:9/sse"
    const http = (exchange: number, method: string, status?: number): Unstamped =>
      ({ type: "http", exchange, method, url, headers: {}, status }) as Unstamped // as a file has it
    const sent = { ...initialize, exchange: 1, channel: 1, send: 1 } as Unstamped // the same, over HTTP
    const failed = {
      type: "channel",
      channel: 2,
      transport: "http+sse",
      target: url,
      event: "failed",
      error: {
        _tag: "Unreachable",
        code: "unreachable",
        stage: "open",
        message: "The event stream named no address for messages within 10000 ms.",
      },
    } as Unstamped // as a file has it
    const events = [http(1, "POST"), sent, http(1, "POST", 405), http(2, "GET", 200), failed]
    expect(diagnose(traceOf(...events)).hypotheses.map(({ code }) => code)).toEqual([
      "sse-no-endpoint",
    ])
  })
})

describe("a list that the client does not read to its end", () => {
  const page = hears({
    jsonrpc: "2.0",
    id: 2,
    result: { tools: [{ name: "a", inputSchema: { type: "object" } }], nextCursor: "2" },
  })
  const exit: Unstamped = { type: "process", event: "exited", detail: "exit code 0" }

  it("is called that, with more certainty once the connection is over", () => {
    const open = diagnose(traceOf(initialize, welcome, lists, page))
    const over = diagnose(traceOf(initialize, welcome, lists, page, exit))
    expect([firstOf(open), firstOf(over)]).toEqual(Array(2).fill("next-page-not-asked-for"))
    expect(over.hypotheses[0]?.title).toBe(
      "The client has read 1 page of the list and does not ask for the next",
    )
    expect(over.hypotheses[0]?.confidence).toBeGreaterThan(open.hypotheses[0]?.confidence ?? 1)
    expect(open.verdict).toBe("degraded")
  })
})
