import { PassThrough } from "node:stream"
import {
  AuthorizationRequired,
  errorCodes,
  explain,
  HandshakeFailed,
  ProcessExited,
} from "@entente/protocol"
import { describe, expect, it } from "vitest"
import { exitCodeOf, exitCodes } from "../src/exit-code.js"
import type { Io } from "../src/io.js"
import { reportFailure } from "../src/render/failure.js"
import { UsageError } from "../src/usage-error.js"

const io = (signal = new AbortController().signal) => {
  const written: Array<string> = []
  const output = { write: (text: string) => written.push(text) }
  const made: Io = {
    stdin: new PassThrough(),
    stdout: { write: () => expect.unreachable("stdout stays empty on failure") },
    stderr: output,
    env: {},
    signal,
    main: "",
  }
  return { io: made, text: () => written.join("") }
}

const report = (error: unknown, json: boolean, signal?: AbortSignal) => {
  const world = io(signal)
  const code = reportFailure(error, { json, color: true }, world.io)
  return { code, text: world.text() }
}

const refused = new HandshakeFailed({
  ...explain("handshake-refused", "negotiate", "demo", "The server said no\u001b[2J."),
  attempts: [
    { what: "server/discover", outcome: "error -32601\u0007" },
    { what: "initialize", outcome: "error -32600" },
  ],
  process: { command: "x", exitCode: 1, signal: undefined, stderr: "first\nsecond\u001b[31m\n" },
})

describe("exit codes", () => {
  it.each(Object.keys(errorCodes))("has one for %s", (code) => {
    expect(Object.values(exitCodes)).toContain(exitCodeOf(code))
  })

  it.each([
    ["invalid-input", 1],
    ["authorization-required", 3],
    ["forbidden", 3],
    ["unreachable", 4],
    ["command-not-found", 4],
    ["process-exited", 4],
    ["timeout", 4],
    ["handshake-refused", 6],
    ["no-common-version", 6],
    ["peer-error", 6],
    ["not-tolerated", 6],
    ["aborted", 130],
    ["toString", undefined],
  ])("for %s is %s", (code, expected) => {
    expect(exitCodeOf(code)).toBe(expected)
  })
})

describe("reportFailure", () => {
  it("writes exactly one line of JSON", () => {
    const { code, text } = report(refused, true)
    expect(code).toBe(exitCodes.protocol)
    expect(text.split("\n")).toHaveLength(2)
    expect(JSON.parse(text)).toEqual({
      error: {
        code: "handshake-refused",
        stage: "negotiate",
        message: refused.message,
        hint: refused.hint,
        attempts: refused.attempts,
        stderr: "first\nsecond\u001b[31m\n",
      },
    })
  })

  it("says in words what failed, what was tried, the last stderr lines and the hint", () => {
    expect(report(refused, false).text).toMatchInlineSnapshot(`
      "error: The server said no\\x1b[2J. (docs/errors.md#handshake-refused)
      tried, in order:
        1. server/discover: error -32601\\x07
        2. initialize: error -32600
      the server's last lines on stderr:
        │ first
        │ second\\x1b[31m
      hint: The attempts in this error are in order; the first is the one to look at.
      "
    `)
  })

  it("gives errors that know less the same shape", () => {
    const error = new AuthorizationRequired({
      ...explain("authorization-required", "open", "https://x", "401."),
      status: 401,
      challenges: [],
    })
    const { code, text } = report(error, true)
    expect(code).toBe(exitCodes.authorization)
    expect(JSON.parse(text)).toMatchObject({ error: { attempts: [], stderr: "" } })
  })

  it("takes stderr from a process that ended", () => {
    const process = { command: "x", exitCode: 3, signal: undefined, stderr: "boom" }
    const error = new ProcessExited({
      ...explain("process-exited", "request", "x", "It ended."),
      process,
    })
    expect(JSON.parse(report(error, true).text)).toMatchObject({ error: { stderr: "boom" } })
  })

  it("does not repeat itself where one attempt was all", () => {
    const message = "Nothing listens there."
    const error = {
      code: "unreachable",
      stage: "open",
      message,
      hint: "",
      attempts: [{ what: "open", outcome: message }],
    }
    expect(report(error, false).text).toBe(`error: ${message}\n`)
  })

  it("has a place for usage errors", () => {
    const { code, text } = report(new UsageError("There is no target."), true)
    expect(code).toBe(exitCodes.usage)
    expect(JSON.parse(text)).toMatchObject({ error: { code: "invalid-input", stage: "input" } })
  })

  it("owns up to what is no error of a server", () => {
    const { code, text } = report(new TypeError("undefined is not a function"), false)
    expect(code).toBe(exitCodes.internal)
    expect(text).toContain("TypeError: undefined is not a function")
    expect(text).toContain("This is a fault of entente")
  })

  it("says interrupted whatever the interruption made fail", () => {
    const { code, text } = report(refused, false, AbortSignal.abort())
    expect([code, text]).toEqual([exitCodes.interrupted, "interrupted\n"])
  })
})
