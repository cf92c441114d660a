import { describe, expect, it } from "vitest"
import type { Agreement, NegotiationEvent, NegotiationOutcome, Verdict } from "../src/index.js"
import * as answers from "./support/answers.js"
import { negotiate } from "./support/negotiate.js"

const probe = "server/discover 2026-07-28"
const initialize = "initialize 2025-11-25"
const initialized = "notifications/initialized"
const accepted = answers.initialized("2025-11-25")

const seen = { evidence: "seen", at: "2026-08-01T00:00:00.000Z", quirks: [] } as const
const legacy: Verdict = { era: "legacy", revision: "2025-11-25", ...seen }
const modern: Verdict = { era: "modern", revision: "2026-07-28", ...seen }
const discover = answers.discoverResult("2026-07-28", "2025-11-25")

const agreement = (outcome: NegotiationOutcome): Agreement => {
  if (outcome._tag === "Refused") throw outcome.error
  return outcome.agreement
}

const codes = (outcome: NegotiationOutcome) => agreement(outcome).notes.map(({ code }) => code)

describe("a remembered verdict", () => {
  it("V26-ERA-12 modern, with its DiscoverResult: nothing is sent", async () => {
    const prior = { ...modern, discover }
    const { outcome, sent } = await negotiate({ dialect: "http", prior }, {})
    expect(sent).toEqual([])
    expect(agreement(outcome)).toEqual({
      era: "modern",
      revision: "2026-07-28",
      discover,
      verdict: prior,
      notes: [],
    })
  })

  it("modern, without one: one probe fetches it", async () => {
    const { outcome, sent } = await negotiate(
      { dialect: "http", prior: modern },
      { probe: [answers.result(discover)] },
    )
    expect(sent).toEqual([probe])
    expect(agreement(outcome)).toMatchObject({ discover, verdict: { discover } })
  })

  it("V26-DUAL-13 modern, but the probe says legacy: that probe is the renewal", async () => {
    const { outcome, sent } = await negotiate(
      { dialect: "http", prior: modern },
      { probe: [answers.status(404)], initialize: [accepted] },
    )
    expect(sent).toEqual([probe, initialize, initialized])
    expect(codes(outcome)).toEqual(["verdict-renewed"])
    expect(agreement(outcome).verdict.era).toBe("legacy")
  })

  it("C029 legacy: no probe is sent", async () => {
    const { outcome, sent } = await negotiate(
      { dialect: "stream", prior: legacy },
      { initialize: [accepted] },
    )
    expect(sent).toEqual([initialize, initialized])
    expect(codes(outcome)).toEqual([])
  })

  it("V26-DUAL-13 legacy, but initialize is refused: exactly one probe renews it", async () => {
    const { outcome, sent } = await negotiate(
      { dialect: "stream", prior: legacy },
      {
        initialize: [answers.rpcError(-32601, "use 2026-07-28")],
        probe: [answers.result(discover)],
      },
    )
    expect(sent).toEqual([initialize, probe])
    expect(codes(outcome)).toEqual(["verdict-renewed"])
    expect(agreement(outcome).era).toBe("modern")
  })

  it("V26-DUAL-13 legacy, and the probe says legacy again: initialize is not repeated", async () => {
    const { outcome, sent } = await negotiate(
      { dialect: "http", fallback: true, prior: legacy },
      {
        initialize: [answers.status(404)],
        probe: [answers.status(404)],
        fallBack: [{ ok: false, error: answers.noStream }],
      },
    )
    expect(sent).toEqual([initialize, probe, "GET"])
    expect(outcome).toMatchObject({
      _tag: "Refused",
      error: { code: "handshake-refused", cause: { _tag: "HttpRejected", status: 404 } },
      attempts: [{ what: "initialize" }, { what: "server/discover" }, { what: "GET (HTTP+SSE)" }],
    })
  })

  it.each([
    ["silence", answers.silence, "handshake-timeout"],
    ["the end of the process", answers.exited, "process-exited"],
  ] as const)("%s contradicts no verdict", async (_, answer, code) => {
    const { outcome, sent } = await negotiate(
      { dialect: "stream", prior: legacy },
      { initialize: [answer] },
    )
    expect(sent).toEqual([initialize])
    expect(outcome).toMatchObject({ error: { code } })
  })

  it("C027 a remembered quirk is met before it hurts, and noted again", async () => {
    const prior: Verdict = { ...legacy, quirks: ["version-header-at-initialize"] }
    const { outcome, sent } = await negotiate(
      { dialect: "http", prior },
      { initialize: [accepted] },
    )
    expect(sent).toEqual(["initialize 2025-11-25 with header", initialized])
    expect(agreement(outcome).verdict.quirks).toEqual(["version-header-at-initialize"])
    expect(codes(outcome)).toEqual(["version-header-at-initialize"])
  })

  it("C025 a remembered quirk that is refused is dropped by one retry without it", async () => {
    const prior: Verdict = { ...legacy, quirks: ["version-header-at-initialize"] }
    const { outcome, sent } = await negotiate(
      { dialect: "http", prior },
      { initialize: [answers.status(400), accepted] },
    )
    expect(sent).toEqual(["initialize 2025-11-25 with header", initialize, initialized])
    expect(agreement(outcome).verdict.quirks).toEqual([])
  })

  it("C027 a remembered quirk is not met where its rule is off", async () => {
    const prior: Verdict = { ...legacy, quirks: ["version-header-at-initialize"] }
    const { sent } = await negotiate(
      { dialect: "http", prior, tolerances: { strict: true } },
      { initialize: [accepted] },
    )
    expect(sent).toEqual([initialize, initialized])
  })

  const oldTransport: Verdict = { ...legacy, quirks: ["http+sse"] }

  it("V25-DET-05 a remembered HTTP+SSE is opened at once, without the POST that fails", async () => {
    const { outcome, sent } = await negotiate(
      { dialect: "http", fallback: true, prior: oldTransport },
      { fallBack: [{ ok: true }], initialize: [accepted] },
    )
    expect(sent).toEqual(["GET", initialize, initialized])
    expect(agreement(outcome).verdict.quirks).toEqual(["http+sse"])
    expect(codes(outcome)).toEqual(["old-transport"])
  })

  it.each([
    ["is probed", undefined, [probe, initialize, initialized]],
    ["gets its initialize, where only that era is wanted", "legacy", [initialize, initialized]],
  ] as const)("V25-DET-05 a server that has moved on %s", async (_, mode, then) => {
    const { outcome, sent } = await negotiate(
      {
        dialect: "http",
        fallback: true,
        prior: oldTransport,
        ...(mode === undefined ? {} : { mode }),
      },
      {
        fallBack: [{ ok: false, error: answers.noStream }],
        probe: mode === undefined ? [answers.status(400)] : [],
        initialize: [accepted],
      },
    )
    expect(sent).toEqual(["GET", ...then])
    expect(agreement(outcome).verdict.quirks).toEqual([])
    expect(codes(outcome)).toEqual(["verdict-renewed"])
  })

  it("V25-DET-05 a network that fails says nothing about the transport", async () => {
    const { outcome, sent } = await negotiate(
      { dialect: "http", fallback: true, prior: oldTransport },
      { fallBack: [{ ok: false, error: answers.unreachable }] },
    )
    expect(sent).toEqual(["GET"])
    expect(outcome).toMatchObject({
      error: { _tag: "Unreachable", code: "unreachable" },
      attempts: [{ what: "GET (HTTP+SSE)" }],
    })
  })

  it("V25-DET-05 a remembered HTTP+SSE is of no use to a transport without a fallback", async () => {
    const { sent } = await negotiate(
      { dialect: "http", prior: oldTransport },
      { initialize: [accepted] },
    )
    expect(sent).toEqual([initialize, initialized])
  })

  it("a verdict on an era that is not wanted is left alone", async () => {
    const { sent } = await negotiate(
      { dialect: "stream", mode: "legacy", prior: { ...modern, discover } },
      { initialize: [accepted] },
    )
    expect(sent).toEqual([initialize, initialized])
  })

  it("V26-ERA-12 a verdict that a live connection contradicted is renewed by one probe", async () => {
    const attempt = { what: "tools/list", outcome: "HTTP 404" }
    const { outcome, sent } = await negotiate(
      {
        dialect: "http",
        prior: { ...modern, discover },
        contradiction: { attempt, error: answers.unreachable },
      },
      { probe: [answers.status(404)], initialize: [answers.rpcError(-32600, "no")] },
    )
    expect(sent).toEqual([probe, initialize])
    expect(outcome).toMatchObject({
      error: { cause: answers.unreachable },
      attempts: [attempt, { what: "server/discover" }, { what: "initialize" }],
    })
  })
})

describe("a DiscoverResult that comes late", () => {
  const late: NegotiationEvent = { type: "lateDiscover", result: discover }

  it("decides when initialize is refused", async () => {
    const { outcome, sent } = await negotiate(
      { dialect: "stream" },
      {
        probe: [answers.silence],
        initialize: [
          (send) => {
            send(late)
            return answers.rpcError(-32601, "unknown method")
          },
        ],
      },
    )
    expect(sent).toEqual([probe, initialize])
    expect(agreement(outcome)).toMatchObject({ era: "modern", discover })
    expect(codes(outcome)).toEqual(["late-discover"])
  })

  it("decides when initialize stays unanswered", async () => {
    const { outcome } = await negotiate(
      { dialect: "stream" },
      {
        probe: [answers.silence],
        initialize: [
          (send) => {
            send(late)
            return answers.silence
          },
        ],
      },
    )
    expect(agreement(outcome).era).toBe("modern")
  })

  it("is only remembered when initialize is accepted: the next start is modern at once", async () => {
    const { outcome } = await negotiate(
      { dialect: "stream" },
      {
        probe: [answers.silence],
        initialize: [
          (send) => {
            send(late)
            return accepted
          },
        ],
      },
    )
    expect(agreement(outcome)).toMatchObject({
      era: "legacy",
      verdict: { era: "modern", revision: "2026-07-28", discover },
      notes: [{ code: "late-discover" }],
    })
    const next = await negotiate({ dialect: "stream", prior: agreement(outcome).verdict }, {})
    expect(agreement(next.outcome).era).toBe("modern")
  })

  it("does not decide on a channel that is gone", async () => {
    const { outcome } = await negotiate(
      { dialect: "stream" },
      {
        probe: [answers.silence],
        initialize: [
          (send) => {
            send(late)
            return answers.exited
          },
        ],
      },
    )
    expect(outcome).toMatchObject({ _tag: "Refused", error: { _tag: "ProcessExited" } })
  })

  it("that is none is ignored", async () => {
    const { outcome } = await negotiate(
      { dialect: "stream" },
      {
        probe: [answers.silence],
        initialize: [
          (send) => {
            send({ type: "lateDiscover", result: { tools: [] } })
            return accepted
          },
        ],
      },
    )
    expect(agreement(outcome)).toMatchObject({ verdict: { era: "legacy" }, notes: [] })
  })
})
