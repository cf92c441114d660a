import { describe, expect, it } from "vitest"
import type { Agreement, Answer, NegotiationOutcome } from "../src/index.js"
import * as answers from "./support/answers.js"
import { negotiate } from "./support/negotiate.js"

const probe = "server/discover 2026-07-28"
const initialize = "initialize 2025-11-25"
const initialized = "notifications/initialized"
const accepted = answers.initialized("2025-11-25")

const agreement = (outcome: NegotiationOutcome): Agreement => {
  if (outcome._tag === "Refused") throw outcome.error
  return outcome.agreement
}

const refusal = (outcome: NegotiationOutcome) => {
  if (outcome._tag === "Agreed") throw new Error("There is an agreement")
  return outcome.error
}

describe("the era of a server", () => {
  it("V26-DISC-03 a DiscoverResult is an agreement on the best modern version it names", async () => {
    const discover = answers.discovered("1999-01-01", "2025-11-25", "2026-07-28")
    const { outcome, sent } = await negotiate({ dialect: "http" }, { probe: [discover] })
    expect(sent).toEqual([probe])
    expect(agreement(outcome)).toMatchObject({
      era: "modern",
      revision: "2026-07-28",
      discover: { capabilities: { tools: {} } },
      verdict: { era: "modern", revision: "2026-07-28", at: "2026-08-02T00:00:00.000Z" },
      notes: [],
    })
  })

  it("V26-VER-08 a DiscoverResult that names only legacy versions leads to the best of them", async () => {
    const { outcome, sent } = await negotiate(
      { dialect: "stream" },
      {
        probe: [answers.discovered("2024-11-05", "2025-06-18", "2025-03-26")],
        initialize: [answers.initialized("2025-06-18")],
      },
    )
    expect(sent).toEqual([probe, "initialize 2025-06-18", initialized])
    expect(agreement(outcome)).toMatchObject({ era: "legacy", revision: "2025-06-18" })
  })

  const legacyOverHttp: ReadonlyArray<readonly [string, Answer]> = [
    ["400 with −32000", answers.rpcError(-32000, "session header missing", { status: 400 })],
    ["400 with text", answers.status(400, "session header missing")],
    ["404 with −32601", answers.rpcError(-32601, "unknown", { status: 404 })],
    ["200 with −32601", answers.rpcError(-32601, "unknown", { status: 200 })],
    ["400 with −32600", answers.rpcError(-32600, "not initialized", { status: 400 })],
    ["400 with −32602", answers.rpcError(-32602, "bad params", { status: 400 })],
    ["an empty 400", answers.status(400)],
    ["405", answers.status(405)],
    ["406", answers.status(406)],
    ["415", answers.status(415)],
    ["422", answers.status(422)],
    ["a web page", answers.invalid],
  ]
  it.each(legacyOverHttp)("C028 over HTTP, %s means legacy", async (_, answer) => {
    const { outcome, sent } = await negotiate(
      { dialect: "http" },
      { probe: [answer], initialize: [accepted] },
    )
    expect(sent).toEqual([probe, initialize, initialized])
    expect(agreement(outcome).era).toBe("legacy")
  })

  it.each([
    ["401", answers.unauthorized, "AuthorizationRequired", "authorization-required"],
    [
      "a 403 with an error",
      answers.rpcError(-32600, "origin", { status: 403 }),
      "AuthorizationRequired",
      "forbidden",
    ],
    ["407", answers.status(407), "HttpRejected", "http-status"],
    ["413", answers.status(413), "HttpRejected", "http-status"],
    ["431", answers.status(431), "HttpRejected", "http-status"],
    ["a refused connection", answers.networkDown, "Unreachable", "unreachable"],
  ] as const)(
    "C028 over HTTP, %s proves nothing and is told as it is",
    async (_, answer, tag, code) => {
      const { outcome, sent } = await negotiate({ dialect: "http" }, { probe: [answer] })
      expect(sent).toEqual([probe])
      expect(refusal(outcome)).toMatchObject({
        _tag: tag,
        code,
        attempts: [{ what: "server/discover" }],
      })
    },
  )

  it.each([
    ["503", answers.status(503), 503],
    ["500 with a JSON-RPC error", answers.rpcError(-32603, "broken", { status: 500 }), 500],
    ["429", answers.status(429, "slow down", 2_000), 429],
    ["408", answers.status(408), 408],
    ["silence", answers.silence, undefined],
  ] as const)(
    "C028 over HTTP, %s is tried once more and then an outage",
    async (_, answer, status) => {
      const { outcome, sent } = await negotiate({ dialect: "http" }, { probe: [answer, answer] })
      expect(sent).toEqual([probe, probe])
      expect(refusal(outcome)).toMatchObject({
        _tag: "Unreachable",
        code: "outage",
        ...(status === undefined ? {} : { status }),
        attempts: [{ what: "server/discover" }, { what: "server/discover, again" }],
      })
    },
  )

  it("an outage that passes leaves no trace in the agreement", async () => {
    const { outcome, sent } = await negotiate(
      { dialect: "http" },
      { probe: [answers.status(503), answers.discovered("2026-07-28")] },
    )
    expect(sent).toEqual([probe, probe])
    expect(agreement(outcome).era).toBe("modern")
  })

  it("a policy may take an outage for a legacy server, after the one retry", async () => {
    const { outcome, sent } = await negotiate(
      { dialect: "http", outagePolicy: "legacy" },
      { probe: [answers.status(500), answers.status(500)], initialize: [accepted] },
    )
    expect(sent).toEqual([probe, probe, initialize, initialized])
    expect(agreement(outcome).era).toBe("legacy")
  })

  it.each([-32601, -32602, -32600, -32000, -32002, -32004, 0, 1])(
    "V26-ERA-03 V26-ERR-01 on a stream, error %i means legacy",
    async (code) => {
      const { sent } = await negotiate(
        { dialect: "stream" },
        { probe: [answers.rpcError(code, "no")], initialize: [accepted] },
      )
      expect(sent).toEqual([probe, initialize, initialized])
    },
  )

  it("C029 on a stream, silence means legacy: initialize follows on the same channel", async () => {
    const { outcome, sent } = await negotiate(
      { dialect: "stream" },
      { probe: [answers.silence], initialize: [accepted] },
    )
    expect(sent).toEqual([probe, initialize, initialized])
    expect(agreement(outcome).verdict.era).toBe("legacy")
  })

  it("C029 a server that the probe ends is started again once, beginning with initialize", async () => {
    const { outcome, sent } = await negotiate(
      { dialect: "stream" },
      { probe: [answers.exited], reopen: [{ ok: true }], initialize: [accepted] },
    )
    expect(sent).toEqual([probe, "reopen", initialize, initialized])
    expect(outcome).toMatchObject({ _tag: "Agreed", reopened: 1 })
  })

  it("C029 a server that also ends on initialize is reported with its exit", async () => {
    const { outcome, sent } = await negotiate(
      { dialect: "stream" },
      { probe: [answers.exited], reopen: [{ ok: true }], initialize: [answers.exited] },
    )
    expect(sent).toEqual([probe, "reopen", initialize])
    expect(refusal(outcome)).toMatchObject({
      _tag: "ProcessExited",
      process: { exitCode: 1, stderr: "boom" },
      attempts: [{ what: "server/discover" }, { what: "reopen" }, { what: "initialize" }],
    })
  })

  it("C127 silence and then a refused initialize: both attempts, in order, and no verdict", async () => {
    const { outcome } = await negotiate(
      { dialect: "stream" },
      { probe: [answers.silence], initialize: [answers.rpcError(-32603, "not admitted")] },
    )
    expect(outcome).not.toHaveProperty("verdict")
    const error = refusal(outcome)
    expect(error).toMatchObject({
      _tag: "HandshakeFailed",
      code: "handshake-refused",
      cause: { _tag: "RequestTimeout", method: "server/discover" },
      attempts: [
        { what: "server/discover", outcome: "no answer within 1500 ms" },
        { what: "initialize", outcome: "error -32603: not admitted" },
      ],
    })
    // V26-ERA-15: what the server said to initialize reaches the reader of the message.
    expect(error.message).toContain("not admitted")
  })
})

describe("versions of the modern era", () => {
  const mixed = answers.unsupported("2027-01-01", "2026-07-28", "2025-11-25")

  it("C107 (a) the best mutual modern version is asked again, even the one just refused", async () => {
    const { outcome, sent } = await negotiate(
      { dialect: "http" },
      { probe: [mixed, answers.discovered("2026-07-28")] },
    )
    expect(sent).toEqual([probe, probe])
    expect(agreement(outcome).revision).toBe("2026-07-28")
  })

  it("C107 (b) only legacy versions are mutual: initialize with the best of them", async () => {
    const { outcome, sent } = await negotiate(
      { dialect: "stream" },
      {
        probe: [answers.unsupported("2025-06-18", "2025-11-25", "2024-11-05")],
        initialize: [accepted],
      },
    )
    expect(sent).toEqual([probe, initialize, initialized])
    expect(agreement(outcome).revision).toBe("2025-11-25")
  })

  it("C107 (c) no version is mutual: an error with both lists", async () => {
    const { outcome, sent } = await negotiate(
      { dialect: "http" },
      { probe: [answers.unsupported("1999-01-01")] },
    )
    expect(sent).toEqual([probe])
    expect(refusal(outcome)).toMatchObject({
      _tag: "VersionMismatch",
      offered: ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"],
      supported: ["1999-01-01"],
    })
  })

  it("C107 (d) refused for ever: each candidate once and one repeat, then that error", async () => {
    const { outcome, sent } = await negotiate({ dialect: "http" }, { probe: [mixed, mixed] })
    expect(sent).toEqual([probe, probe])
    expect(refusal(outcome)).toMatchObject({
      _tag: "VersionMismatch",
      supported: ["2027-01-01", "2026-07-28", "2025-11-25"],
    })
  })

  it("a version that is not named at all has nothing in common", async () => {
    const { outcome } = await negotiate(
      { dialect: "stream" },
      { probe: [answers.rpcError(-32022, "no", { data: "nonsense" })] },
    )
    expect(refusal(outcome)).toMatchObject({ _tag: "VersionMismatch", supported: [] })
  })

  it.each([-32020, -32021])(
    "V26-ERA-07 a 400 with %i is modern: no initialize follows",
    async (code) => {
      const answer = answers.rpcError(code, "refused", { status: 400, data: { x: 1 } })
      const { outcome, sent } = await negotiate({ dialect: "http" }, { probe: [answer] })
      expect(sent).toEqual([probe])
      expect(refusal(outcome)).toMatchObject({ _tag: "PeerError", rpcCode: code, data: { x: 1 } })
    },
  )

  it("a legacy answer after a proof of the modern era does not lead to initialize", async () => {
    const { outcome, sent } = await negotiate(
      { dialect: "stream" },
      { probe: [mixed, answers.rpcError(-32601, "unknown")] },
    )
    expect(sent).toEqual([probe, probe])
    expect(refusal(outcome)).toMatchObject({
      code: "handshake-refused",
      cause: { _tag: "PeerError", rpcCode: -32022 },
    })
  })
})

describe("modes", () => {
  it("V26-ERA-16 modern only: a legacy server is refused with what happened", async () => {
    const { outcome, sent } = await negotiate(
      { dialect: "stream", mode: "modern" },
      { probe: [answers.rpcError(-32601, "unknown method")] },
    )
    expect(sent).toEqual([probe])
    const error = refusal(outcome)
    expect(error.code).toBe("handshake-refused")
    expect(error.message).toContain("does not speak 2026-07-28")
    expect(error.message).toContain("unknown method")
  })

  it("V26-ERA-16 modern only: a silent server is a time-out of the handshake", async () => {
    const process = { command: "demo", exitCode: undefined, signal: undefined, stderr: "waiting" }
    const { outcome } = await negotiate(
      { dialect: "stream", mode: "modern" },
      { probe: [{ ...answers.silence, process } as Answer] },
    )
    expect(refusal(outcome)).toMatchObject({ code: "handshake-timeout", process })
  })

  it("legacy only: no probe is sent", async () => {
    const { sent } = await negotiate(
      { dialect: "http", mode: "legacy" },
      { initialize: [accepted] },
    )
    expect(sent).toEqual([initialize, initialized])
  })

  it("one legacy revision: that one is offered, and no other is accepted", async () => {
    const { outcome, sent } = await negotiate(
      { dialect: "stream", mode: "2025-06-18" },
      { initialize: [accepted] },
    )
    expect(sent).toEqual(["initialize 2025-06-18"])
    expect(refusal(outcome)).toMatchObject({
      _tag: "VersionMismatch",
      offered: ["2025-06-18"],
      supported: ["2025-11-25"],
    })
  })

  it("no revision left to offer is a fault of the caller, and nothing is sent", async () => {
    const { outcome, sent } = await negotiate({ dialect: "http", clientVersions: [] }, {})
    expect(sent).toEqual([])
    expect(refusal(outcome)._tag).toBe("InvalidInput")
  })
})
