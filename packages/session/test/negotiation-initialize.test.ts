import { describe, expect, it } from "vitest"
import type { Agreement, NegotiationOutcome } from "../src/index.js"
import * as answers from "./support/answers.js"
import { negotiate } from "./support/negotiate.js"

const initialize = "initialize 2025-11-25"
const withHeader = "initialize 2025-11-25 with header"
const initialized = "notifications/initialized"
const accepted = answers.initialized("2025-11-25")
const legacy = { dialect: "http", mode: "legacy" } as const
const withFallback = { ...legacy, fallback: true } as const
const noStream = { ok: false, error: answers.noStream } as const

const agreement = (outcome: NegotiationOutcome): Agreement => {
  if (outcome._tag === "Refused") throw outcome.error
  return outcome.agreement
}

const refusal = (outcome: NegotiationOutcome) => {
  if (outcome._tag === "Agreed") throw new Error("There is an agreement")
  return outcome.error
}

describe("initialize", () => {
  it("V25-LIFE-06 an older version of ours is accepted", async () => {
    const { outcome } = await negotiate(legacy, { initialize: [answers.initialized("2024-11-05")] })
    expect(agreement(outcome)).toMatchObject({ era: "legacy", revision: "2024-11-05" })
  })

  it.each(["1999-01-01", "2026-07-28", "2025-6-18", "2025-11-25 "])(
    "V25-LIFE-05 V25-LIFE-07 version %j ends it without notifications/initialized",
    async (version) => {
      const { outcome, sent } = await negotiate(legacy, {
        initialize: [answers.initialized(version)],
      })
      expect(sent).toEqual([initialize])
      expect(refusal(outcome)).toMatchObject({
        _tag: "VersionMismatch",
        supported: [version.trim()],
      })
      expect(refusal(outcome).cause).toBeUndefined()
    },
  )

  it.each([
    [
      "a number for a version",
      answers.initialized(20251125),
      "/protocolVersion",
      "has a protocolVersion that is no text: 20251125",
    ],
    [
      "no capabilities",
      answers.result({ protocolVersion: "2025-11-25" }),
      "/capabilities",
      "has no capabilities",
    ],
    [
      "a session id that may not be echoed",
      answers.initialized("2025-11-25", "a b"),
      "",
      "came with a session id that is not visible ASCII",
    ],
  ])("V25-LIFE-07 a result with %s is refused and says where", async (_, answer, pointer, what) => {
    const { outcome, sent } = await negotiate(legacy, { initialize: [answer] })
    expect(sent).toEqual([initialize])
    expect(refusal(outcome)).toMatchObject({
      code: "handshake-refused",
      cause: { _tag: "ProtocolViolation", code: "invalid-result", pointer },
      message: expect.stringContaining(`initialize: The result of initialize ${what}. `),
    })
  })

  it("V25-HTTP-28 V25-HTTP-36 a session id that may not be echoed is not quoted either", async () => {
    const { outcome } = await negotiate(legacy, {
      initialize: [answers.initialized("2025-11-25", "secret\nid")],
    })
    expect(JSON.stringify(outcome)).not.toContain("secret")
  })

  it("V25-LIFE-14 an initialize that is never answered is a time-out, and is not repeated", async () => {
    const { outcome, sent } = await negotiate(legacy, { initialize: [answers.silence] })
    expect(sent).toEqual([initialize])
    expect(refusal(outcome)).toMatchObject({
      code: "handshake-timeout",
      cause: { _tag: "RequestTimeout", method: "initialize", timeoutMs: 1_500 },
    })
  })

  it("an outage at initialize is tried once more", async () => {
    const { sent } = await negotiate(legacy, { initialize: [answers.status(502), accepted] })
    expect(sent).toEqual([initialize, initialize, initialized])
  })

  it.each([
    ["an outage", answers.status(503), "outage"],
    ["a refusal", answers.status(400, "who are you"), "handshake-refused"],
    ["silence", answers.silence, "handshake-timeout"],
    ["the end of the network", answers.networkDown, "unreachable"],
    ["401", answers.unauthorized, "authorization-required"],
  ] as const)("V25-LIFE-10 %s to notifications/initialized ends it", async (_, answer, code) => {
    const { outcome, sent } = await negotiate(legacy, { initialize: [accepted], confirm: [answer] })
    expect(sent).toEqual([initialize, initialized])
    expect(refusal(outcome).code).toBe(code)
  })
})

describe("initialize and the version header", () => {
  const refused = answers.status(400, "protocol version not accepted")

  it("C025 (a) the first initialize never carries the header", async () => {
    const { outcome, sent } = await negotiate(legacy, { initialize: [accepted] })
    expect(sent).toEqual([initialize, initialized])
    expect(agreement(outcome).verdict.quirks).toEqual([])
  })

  it("C025 (b) every attempt is listed, and the first 400 stays the primary cause", async () => {
    const { outcome, sent } = await negotiate(withFallback, {
      initialize: [refused, refused],
      fallBack: [noStream],
    })
    expect(sent).toEqual([initialize, withHeader, "GET"])
    expect(refusal(outcome)).toMatchObject({
      _tag: "HandshakeFailed",
      code: "handshake-refused",
      cause: { _tag: "HttpRejected", status: 400, body: "protocol version not accepted" },
      attempts: [
        { what: "initialize", outcome: "HTTP 400: protocol version not accepted" },
        { what: "initialize (with MCP-Protocol-Version)" },
        { what: "GET (HTTP+SSE)", outcome: expect.stringContaining("HTTP 405") },
      ],
    })
  })

  it("C027 a 400 without the header is met by one retry with it, remembered and noted", async () => {
    const { outcome, sent } = await negotiate(legacy, {
      initialize: [answers.status(400), accepted],
    })
    expect(sent).toEqual([initialize, withHeader, initialized])
    expect(agreement(outcome)).toMatchObject({
      verdict: { quirks: ["version-header-at-initialize"] },
      notes: [{ code: "version-header-at-initialize" }],
    })
  })

  it("C027 a second 400 is surfaced", async () => {
    const error = answers.rpcError(-32600, "bad", { status: 400 })
    const { outcome, sent } = await negotiate(legacy, { initialize: [error, error] })
    expect(sent).toEqual([initialize, withHeader])
    expect(refusal(outcome).code).toBe("handshake-refused")
  })

  it("C027 with the rule off, the first 400 is surfaced", async () => {
    const { sent } = await negotiate(
      { ...legacy, tolerances: { strict: true } },
      { initialize: [answers.rpcError(-32600, "bad", { status: 400 })] },
    )
    expect(sent).toEqual([initialize])
  })

  it.each([
    ["a modern error", answers.rpcError(-32021, "no", { status: 400 })],
    ["another status", answers.rpcError(-32600, "no", { status: 404 })],
  ])("C027 %s is not met by the header", async (_, answer) => {
    const { sent } = await negotiate(legacy, { initialize: [answer] })
    expect(sent).toEqual([initialize])
  })

  it("C027 on a stream there is no header to add", async () => {
    const { sent } = await negotiate(
      { dialect: "stream", mode: "legacy" },
      { initialize: [answers.rpcError(-32600, "bad", { status: 400 })] },
    )
    expect(sent).toEqual([initialize])
  })
})

describe("initialize and a gate of versions", () => {
  const gate = answers.status(
    400,
    "version refused; supported versions ( 2025-06-18, 2025-03-26, 2024-11-05)",
  )

  it("C026 dates in the text of a refusal: one retry with the best version both know", async () => {
    const { outcome, sent } = await negotiate(legacy, {
      initialize: [gate, answers.initialized("2025-06-18")],
    })
    expect(sent).toEqual([initialize, "initialize 2025-06-18", initialized])
    expect(agreement(outcome)).toMatchObject({
      revision: "2025-06-18",
      notes: [{ code: "version-gate" }],
    })
  })

  it("C026 V25-LIFE-08 error.data.supported is a gate over any transport", async () => {
    const error = answers.rpcError(-32602, "unsupported", {
      data: { supported: ["2025-03-26", "2024-11-05"], requested: "2025-11-25" },
    })
    const { outcome } = await negotiate(
      { dialect: "stream", mode: "legacy" },
      { initialize: [error, answers.initialized("2025-03-26")] },
    )
    expect(agreement(outcome).revision).toBe("2025-03-26")
  })

  it("C026 the retry happens exactly once, and no GET follows a gate", async () => {
    const { outcome, sent } = await negotiate(legacy, { initialize: [gate, gate] })
    expect(sent).toEqual([initialize, "initialize 2025-06-18"])
    expect(refusal(outcome).attempts).toMatchObject([
      { what: "initialize" },
      { what: "initialize (2025-06-18)" },
    ])
  })

  it("C026 no common version: an error with both lists", async () => {
    const { outcome, sent } = await negotiate(legacy, {
      initialize: [answers.status(400, "version refused; supported: 1999-01-01")],
    })
    expect(sent).toEqual([initialize])
    expect(refusal(outcome)).toMatchObject({
      _tag: "VersionMismatch",
      offered: ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"],
      supported: ["1999-01-01"],
    })
  })

  it("C026 with the rule off, the deviation is an error that names the rule", async () => {
    const { outcome, sent } = await negotiate(
      { ...legacy, tolerances: { "version-gate": false } },
      { initialize: [gate] },
    )
    expect(sent).toEqual([initialize])
    expect(refusal(outcome)).toMatchObject({ _tag: "NotTolerated", tolerance: "version-gate" })
  })

  it("a refusal that names only the version it refuses is no gate", async () => {
    const { sent } = await negotiate(legacy, {
      initialize: [answers.status(400, "version 2025-11-25 needs a header"), accepted],
    })
    expect(sent).toEqual([initialize, withHeader, initialized])
  })

  it("a gate and a missing header are both met, each once", async () => {
    const { outcome, sent } = await negotiate(legacy, {
      initialize: [answers.status(400), gate, answers.initialized("2025-06-18")],
    })
    expect(sent).toEqual([initialize, withHeader, "initialize 2025-06-18 with header", initialized])
    expect(agreement(outcome).notes.map(({ code }) => code)).toEqual([
      "version-header-at-initialize",
      "version-gate",
    ])
  })
})

describe("the old HTTP+SSE transport", () => {
  it.each([400, 404, 405])(
    "V25-DET-03 a bare %i to initialize leads to one GET, and a new initialize where it leads",
    async (code) => {
      const refused = answers.status(code)
      const { outcome, sent } = await negotiate(
        { dialect: "http", fallback: true },
        {
          probe: [refused],
          // C027: a 400 may mean the header, so that is asked first.
          initialize: [...(code === 400 ? [refused] : []), refused, accepted],
          fallBack: [{ ok: true }],
        },
      )
      const retried = code === 400 ? [withHeader] : []
      expect(sent).toEqual([
        "server/discover 2026-07-28",
        initialize,
        ...retried,
        "GET",
        initialize,
        initialized,
      ])
      expect(agreement(outcome)).toMatchObject({
        era: "legacy",
        verdict: {
          quirks: ["http+sse"],
          evidence: expect.stringContaining("initialize (HTTP+SSE)"),
        },
        notes: [{ code: "old-transport" }],
      })
    },
  )

  it("V25-DET-03 there, a version gate is passed like anywhere, and nothing is opened again", async () => {
    const gate = answers.status(400, "unsupported version; supported: 2025-06-18")
    const { outcome, sent } = await negotiate(withFallback, {
      initialize: [answers.status(404), gate, answers.initialized("2025-06-18")],
      fallBack: [{ ok: true }],
    })
    expect(sent).toEqual([initialize, "GET", initialize, "initialize 2025-06-18", initialized])
    expect(agreement(outcome)).toMatchObject({
      revision: "2025-06-18",
      notes: [{ code: "old-transport" }, { code: "version-gate" }],
    })
  })

  it("V25-DET-04 what refuses there too is a failed handshake with everything that was tried", async () => {
    const { outcome, sent } = await negotiate(withFallback, {
      initialize: [answers.status(404, "first"), answers.status(404, "second")],
      fallBack: [{ ok: true }],
    })
    expect(sent).toEqual([initialize, "GET", initialize])
    expect(refusal(outcome)).toMatchObject({
      code: "handshake-refused",
      cause: { _tag: "HttpRejected", body: "first" },
      attempts: [
        { what: "initialize" },
        { what: "GET (HTTP+SSE)" },
        { what: "initialize (HTTP+SSE)", outcome: "HTTP 404: second" },
      ],
    })
  })

  it("without a fallback there is nothing to look for", async () => {
    const { sent } = await negotiate(legacy, { initialize: [answers.status(404)] })
    expect(sent).toEqual([initialize])
  })

  it("V25-SSE-07 spoken from the start, no modern version is asked for", async () => {
    const { sent } = await negotiate({ dialect: "http+sse" }, { initialize: [accepted] })
    expect(sent).toEqual([initialize, initialized])
    const { outcome } = await negotiate({ dialect: "http+sse", mode: "modern" }, {})
    expect(refusal(outcome)).toMatchObject({ code: "invalid-input" })
  })

  it("V25-DET-04 a JSON-RPC error is a server that refuses, never an old transport", async () => {
    const { sent } = await negotiate(withFallback, {
      initialize: [answers.rpcError(-32601, "unknown", { status: 404 })],
    })
    expect(sent).toEqual([initialize])
  })

  it.each([
    ["401", answers.unauthorized],
    ["422", answers.status(422)],
    ["a network failure", answers.networkDown],
  ])("V25-DET-02 %s leads to no GET", async (_, answer) => {
    const { sent } = await negotiate(withFallback, { initialize: [answer] })
    expect(sent).toEqual([initialize])
  })

  it("a wrong address is reported with the hint that belongs to it", async () => {
    const { outcome } = await negotiate(withFallback, {
      initialize: [answers.status(404, "<html>not found</html>")],
      fallBack: [noStream],
    })
    const error = refusal(outcome)
    expect(error.cause).toMatchObject({ _tag: "HttpRejected", status: 404 })
    expect(error.hint).toContain("the MCP endpoint")
  })
})
