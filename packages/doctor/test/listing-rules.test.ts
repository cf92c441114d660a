import { diagnose, type DiagnosisContext } from "@entente/doctor"
import { tool } from "@entente/testkit"
import { describe, expect, it } from "vitest"
import { handMade, type Made } from "./hand-made.js"

const tools = [tool("echo")]

const agreed = {
  protocolVersion: "2025-11-25",
  capabilities: { tools: {} },
  serverInfo: { name: "made", version: "1" },
}

const opened: ReadonlyArray<Made> = [
  ["out", { id: 1, method: "initialize", params: { protocolVersion: "2025-11-25" } }],
  ["in", { id: 1, result: agreed }],
  ["out", { method: "notifications/initialized" }],
]

const listed: ReadonlyArray<Made> = [
  ["out", { id: 2, method: "tools/list" }],
  ["in", { id: 2, result: { tools } }],
]

const told = (story: ReadonlyArray<Made>, context?: DiagnosisContext) =>
  diagnose(handMade([...opened, ...story]), context)

/** What family 2 makes of it: the others have tests of their own. */
const codesOf = (story: ReadonlyArray<Made>, context?: DiagnosisContext): ReadonlyArray<string> =>
  told(story, context).hypotheses.flatMap(({ code, family }) => (family === 2 ? [code] : []))

const exited = (detail: string): Made => ({ event: { type: "process", event: "exited", detail } })

const channel = (event: "opened" | "closed" | "released"): Made => ({
  event: { type: "channel", channel: 1, event, transport: "stdio", target: "server" },
})

describe("an answer that does not come", () => {
  const asked: Made = ["out", { id: 2, method: "tools/list" }, { at: 100 }]
  const later = (at: number): Made => ({
    at,
    event: { type: "note", code: "stdout-noise", detail: "still starting" },
  })

  it("is late where it comes after the client has cancelled the request", () => {
    const { hypotheses } = told([
      asked,
      ["out", { method: "notifications/cancelled", params: { requestId: 2 } }, { at: 10_100 }],
      ["in", { id: 2, result: { tools } }, { at: 12_600 }],
    ])
    expect(hypotheses[0]).toMatchObject({
      code: "list-answered-late",
      title: "The server answers tools/list only after 12.5 s, when the client has given up",
    })
  })

  it("is missing where it was waited for", () => {
    expect(told([asked, later(60_100)]).hypotheses[0]).toMatchObject({
      code: "list-unanswered",
      title: "The server does not answer tools/list (60 s were waited)",
    })
  })

  it("is nobody's fault where the trace ends right after the request", () => {
    expect(told([asked]).hypotheses.map(({ code }) => code)).toEqual(["trace-too-short"])
  })

  it("may still come where the trace is being written", () => {
    expect(codesOf([asked, later(1_100)], { open: true })).toEqual([])
  })
})

describe("a refusal that is about something else", () => {
  const url = "https://example.com/mcp"
  const refused = (status: number, text = ""): ReadonlyArray<Made> => [
    ["out", { id: 2, method: "tools/list" }, { exchange: 3, url, send: 1 }],
    { exchange: 3, url, status },
    {
      event: {
        type: "outcome",
        channel: 1,
        send: 1,
        outcome: { _tag: "Rejected", rejection: { status, headers: {}, text } },
      },
    },
  ]

  it.each([401, 403, 429])("is left to other families where its status is %i", (status) => {
    expect(codesOf(refused(status))).toEqual([])
  })

  it("is told where it is about nothing else", () => {
    expect(codesOf(refused(418))).toEqual(["list-refused"])
  })

  it("is a refusal and no silence where only its status is known", () => {
    expect(codesOf(refused(418).slice(0, 2))).toEqual(["list-refused"])
  })

  it("is left to other families where it speaks of the session", () => {
    expect(
      codesOf([
        ["out", { id: 2, method: "tools/list" }],
        ["in", { id: 2, error: { code: -32600, message: "No valid session ID provided" } }],
      ]),
    ).toEqual([])
  })
})

describe("a process that ends", () => {
  it("is no crash where its owner has closed the channel", () => {
    const story = [channel("opened"), ...listed, exited("exit code 0"), channel("released")]
    expect(told(story)).toMatchObject({ verdict: "healthy", hypotheses: [] })
  })

  it("is no crash in a log without channels that ends as clients end servers", () => {
    expect(codesOf([...listed, exited("signal SIGTERM")])).toEqual([])
  })

  it("is a crash where it ends by itself while a request waits", () => {
    const story: ReadonlyArray<Made> = [
      channel("opened"),
      ["out", { id: 2, method: "tools/list" }],
      exited("signal SIGSEGV"),
      channel("closed"),
    ]
    expect(told(story).hypotheses[0]).toMatchObject({
      code: "server-crashed-after",
      title: "The server's process ends (signal SIGSEGV) after tools/list was sent",
    })
  })

  it("costs nothing where the client has started it again and read the whole list since", () => {
    const probe: Made = ["out", { id: 0, method: "server/discover" }]
    const trace = handMade([
      channel("opened"),
      probe,
      exited("exit code 1"),
      channel("closed"),
      channel("opened"),
      ...opened,
      ...listed,
    ])
    expect(diagnose(trace)).toMatchObject({ verdict: "healthy", hypotheses: [] })
  })
})

describe("an answer with another id", () => {
  it("is no fault where the request that it repeats is all there is", () => {
    expect(codesOf([...listed, ["in", { id: 2, result: { tools } }]])).toEqual([])
  })

  it("is no fault where it refuses a probe, and the older handshake came about", () => {
    const refused: ReadonlyArray<Made> = [
      ["out", { id: 0, method: "server/discover" }],
      ["in", { id: -32603, error: { code: 1, message: "A defect occurred" } }],
      ...opened,
      ...listed,
    ]
    const { verdict, hypotheses } = diagnose(handMade(refused))
    expect([verdict, hypotheses]).toEqual(["healthy", []])
  })

  it("is no fault where what waits is a probe that the server ignores", () => {
    const trace = handMade([
      ["out", { id: 0, method: "server/discover" }],
      ...opened,
      ["in", { id: null, error: { code: -32600, message: "Unknown notification" } }],
      ...listed,
    ])
    expect(diagnose(trace).hypotheses).toEqual([])
  })
})

describe("a stream that brings one late event", () => {
  it("is no proof of a buffer: the server may be slow", () => {
    const url = "https://example.com/mcp"
    const story: ReadonlyArray<Made> = [
      ["out", { id: 2, method: "tools/list" }, { at: 100, exchange: 3, url }],
      {
        at: 110,
        exchange: 3,
        url,
        status: 200,
        headers: { "content-type": "text/event-stream", server: "nginx" },
      },
      ["in", { id: 2, result: { tools } }, { at: 5_000, exchange: 3 }],
    ]
    expect(told(story)).toMatchObject({ verdict: "healthy", hypotheses: [] })
  })
})

describe("a change that is announced while the list is read", () => {
  const changed: Made = ["in", { method: "notifications/tools/list_changed" }]

  it("is no fault where it happens once", () => {
    const story: ReadonlyArray<Made> = [
      ["out", { id: 2, method: "tools/list" }],
      changed,
      ["in", { id: 2, result: { tools } }],
      ["out", { id: 3, method: "tools/list" }],
      ["in", { id: 3, result: { tools } }],
    ]
    expect(told(story)).toMatchObject({ verdict: "healthy", hypotheses: [] })
  })
})

describe("what a server says", () => {
  it("is one harmless line in a title", () => {
    const evil = tool("\u001B[2Jbad\nname", { inputSchema: 1 })
    const [first] = told([
      ["out", { id: 2, method: "tools/list" }],
      ["in", { id: 2, result: { tools: [evil, tool("good")] } }],
    ]).hypotheses
    expect(first?.code).toBe("tools-invalid")
    expect(first?.title).toContain("[2Jbad name (/inputSchema")
    expect(first?.title).not.toMatch(/\p{Cc}/u)
  })
})
