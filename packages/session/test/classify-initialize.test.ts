import { legacyRevisions, modernRevisions } from "@entente/protocol"
import { describe, expect, it } from "vitest"
import { classifyInitialize, type Answer } from "../src/index.js"
import * as answers from "./support/answers.js"

const candidates = { modern: modernRevisions, legacy: legacyRevisions }

const classify = (answer: Answer, offered: (typeof legacyRevisions)[number] = "2025-11-25") =>
  classifyInitialize(answer, offered, candidates, "http", "demo")

describe("classifyInitialize", () => {
  it.each(legacyRevisions)("V25-LIFE-06 accepts %s", (revision) => {
    expect(classify(answers.initialized(revision, "id-1"))).toMatchObject({
      kind: "accepted",
      revision,
      sessionId: "id-1",
    })
  })

  it.each(["", "a b", "a\nb", "é", "x".repeat(5_000)])(
    "V25-HTTP-28 the session id %j may not be echoed",
    (id) => {
      expect(classify(answers.initialized("2025-11-25", id)).kind).toBe("malformed")
    },
  )

  it.each([
    ["404 with −32601", answers.rpcError(-32601, "no", { status: 404 }), false, false],
    ["404", answers.status(404), false, true],
    ["405", answers.status(405), false, true],
    ["400", answers.status(400), true, true],
    ["400 with −32600", answers.rpcError(-32600, "no", { status: 400 }), true, false],
    ["400 with −32022", answers.rpcError(-32022, "no", { status: 400 }), false, false],
    ["410", answers.status(410), false, false],
    ["a web page", answers.invalid, false, false],
  ])("%s is refused", (_, answer, badRequest, oldTransport) => {
    expect(classify(answer)).toEqual({ kind: "refused", badRequest, oldTransport })
  })

  it.each([
    ["a text", answers.status(400, "version? try 2024-11-05 or 2025-06-18"), "2025-06-18"],
    ["a message", answers.rpcError(-32000, "Version must be 2025-03-26"), "2025-03-26"],
    [
      "the data",
      answers.rpcError(-32602, "no", { data: { supported: ["2024-11-05"] } }),
      "2024-11-05",
    ],
    ["newer ones only", answers.status(400, "versions: 2025-11-25, 2026-07-28"), undefined],
  ])("C026 finds the best older version in %s", (_, answer, older) => {
    expect(classify(answer)).toMatchObject({ kind: "namesVersions", older, common: true })
  })

  it("C026 what is older depends on what was offered", () => {
    expect(classify(answers.status(400, "version 2025-06-18 only"), "2025-03-26")).toMatchObject({
      older: undefined,
      common: true,
    })
  })

  it("a date in a text that does not speak of versions is no version", () => {
    expect(classify(answers.status(400, "expired on 2025-06-18")).kind).toBe("refused")
  })

  it("a hostile text costs no more than its first part", () => {
    const text = `version ${"2024-11-0".repeat(100_000)}`
    expect(classify(answers.status(400, text)).kind).toBe("refused")
  })

  it.each([
    ["silence", answers.silence, "unanswered"],
    ["503", answers.status(503), "outage"],
    ["401", answers.unauthorized, "unauthorized"],
    ["the network", answers.networkDown, "unreachable"],
  ])("%s is %s", (_, answer, kind) => {
    expect(classify(answer).kind).toBe(kind)
  })
})
