import { describe, expect, it } from "vitest"
import { failureOf, outcomeOf, type Answer } from "../src/index.js"
import * as answers from "./support/answers.js"

const told: ReadonlyArray<readonly [Answer, string]> = [
  [answers.initialized("2025-06-18"), "a result for version 2025-06-18"],
  [answers.discovered("2026-07-28", "2025-11-25"), "a result that names 2026-07-28, 2025-11-25"],
  [answers.result({ tools: [], x: 1 }), "a result with the members tools, x"],
  [answers.rpcError(-32601, "unknown"), "error -32601: unknown"],
  [answers.rpcError(-32000, "no session", { status: 400 }), "HTTP 400, error -32000: no session"],
  [answers.unsupported("2026-07-28"), "error -32022: unsupported version (supported: 2026-07-28)"],
  [answers.status(404), "HTTP 404: no body"],
  [answers.status(400, " two\n lines "), "HTTP 400: two lines"],
  [answers.silence, "no answer within 1500 ms"],
  [answers.invalid, answers.invalid._tag === "Invalid" ? answers.invalid.error.message : ""],
  [answers.exited, answers.processExited.message],
  [
    answers.unauthorized,
    "HTTP 401: The server wants a token. (docs/errors.md#authorization-required)",
  ],
]

describe("an answer in plain words", () => {
  it.each(told)("%j", (answer, outcome) => {
    expect(outcomeOf(answer)).toBe(outcome)
  })

  it("is one bounded line without anything that moves a cursor or turns a text around", () => {
    const hostile = answers.status(400, `\u001b[2J\u202eevil\u0000\u2028${"x".repeat(1_000_000)}`)
    const outcome = outcomeOf(hostile)
    expect(outcome).toHaveLength(300)
    expect(outcome).toMatch(/^HTTP 400: \[2J evil x+…$/)
  })

  it("survives what cannot be made a string", () => {
    const odd = [JSON.parse('{"toString":1}'), "2026-07-28"]
    expect(outcomeOf(answers.result({ supportedVersions: odd }))).toBe(
      "a result that names 2026-07-28",
    )
    const error = answers.rpcError(-32022, "no", { data: { supported: odd } })
    expect(outcomeOf(error)).toBe("error -32022: no (supported: 2026-07-28)")
  })

  it("V25-HTTP-36 never tells a session id", () => {
    expect(outcomeOf(answers.initialized("2025-11-25", "secret"))).not.toContain("secret")
  })
})

describe("an answer as a failure", () => {
  it.each([
    [answers.status(404), "HttpRejected", "http-status"],
    [answers.status(401), "AuthorizationRequired", "authorization-required"],
    [answers.rpcError(-32600, "origin", { status: 403 }), "AuthorizationRequired", "forbidden"],
    [answers.rpcError(-32603, "broken"), "PeerError", "peer-error"],
    [answers.silence, "RequestTimeout", "timeout"],
    [answers.result({}), "ProtocolViolation", "invalid-result"],
    [answers.exited, "ProcessExited", "process-exited"],
    [answers.unauthorized, "AuthorizationRequired", "authorization-required"],
  ] as const)("%j is %s", (answer, tag, code) => {
    const failure = failureOf(answer, "initialize", "demo")
    expect(failure).toMatchObject({ _tag: tag, code, target: "demo" })
    expect(failure.message).toContain(`docs/errors.md#${code}`)
  })

  it("keeps code, message, data and status of a peer's error (V26-ERR-04)", () => {
    const answer = answers.rpcError(-32021, "needs more", { data: { a: 1 }, status: 400 })
    expect(failureOf(answer, "server/discover", "demo")).toMatchObject({
      method: "server/discover",
      rpcCode: -32021,
      rpcMessage: "needs more",
      data: { a: 1 },
      status: 400,
    })
  })
})
