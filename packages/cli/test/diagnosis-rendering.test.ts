import { describe, expect, it } from "vitest"
import type { Diagnosis, Report } from "@entente/doctor"
import { diagnosesText } from "../src/render/diagnosis-table.js"
import { diagnosisText } from "../src/render/diagnosis.js"
import { styleOf } from "../src/render/style.js"
import { widthOf } from "../src/render/width.js"
import { wrap } from "../src/render/wrap.js"

const plain = styleOf({ write: () => {} }, { env: {} }, false)
const colored = styleOf({ write: () => {}, isTTY: true }, { env: {} }, true)

const result = { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: { name: "shelf" } }

const cause: Diagnosis["hypotheses"][number] = {
  code: "tools-capability-missing",
  family: 1,
  confidence: 0.97,
  title: "The server has tools, but does not declare them",
  evidence: [
    {
      frame: 1,
      excerpt: JSON.stringify({ jsonrpc: "2.0", id: 1, result }),
      marked: '"capabilities":{}',
    },
  ],
  expected: 'The capabilities have the member "tools".',
  fix: { server: "Declare them.", proxy: "Hand them on.", client: "Tell the author." },
  next: "entente doctor https://shelf.example.com/a/rather/long/path/to/an/endpoint/mcp",
}

const report: Report = {
  name: "shelf",
  diagnosis: {
    verdict: "failed",
    era: "legacy",
    protocolVersion: "2025-11-25",
    stages: [
      { stage: "spawn", status: "ok", detail: "The address answers." },
      { stage: "bytes", status: "warn", detail: "1 message, and 1 piece that could not be read." },
      {
        stage: "negotiate",
        status: "failed",
        detail: "The server has tools, but does not declare them.",
      },
      { stage: "list", status: "not-reached", detail: "Nobody asked for tools." },
    ],
    counts: { raw: 18, accepted: 17, exposed: 0 },
    hypotheses: [
      cause,
      {
        ...cause,
        code: "other-thing",
        title: "It may be something else",
        confidence: 0.4,
        evidence: [],
      },
    ],
    remarks: [{ code: "stdout-noise", detail: "a banner", count: 2 }],
  },
  trace: [
    {
      type: "frame",
      seq: 0,
      at: 1_000,
      direction: "out",
      message: { jsonrpc: "2.0", id: 1, method: "initialize", params: result },
    },
    {
      type: "frame",
      seq: 1,
      at: 13_340,
      direction: "in",
      message: { jsonrpc: "2.0", id: 1, result },
    },
  ],
}

const healthy: Report = {
  name: "fine",
  diagnosis: {
    ...report.diagnosis,
    verdict: "healthy",
    counts: { raw: 1, accepted: 1, exposed: 1 },
    hypotheses: [{ ...cause, confidence: 0.2 }],
    remarks: [],
  },
  trace: report.trace,
}

describe("a diagnosis", () => {
  it("is shown as a verdict, stages, a cause in its place, other causes and remarks", () => {
    expect(diagnosisText(report, 80, plain).join("\n")).toMatchInlineSnapshot(`
      "✗ failed  shelf · legacy, 2025-11-25
        No tool reaches the model.
        raw 18 → accepted 17 → exposed 0

        ✓ spawn      The address answers.
        ! bytes      1 message, and 1 piece that could not be read.
        ✗ negotiate  The server has tools, but does not declare them.
        · list       Nobody asked for tools.

      The server has tools, but does not declare them
        tools-capability-missing · family 1, capabilities · almost certain, 97 %

        0    +0 ms  → initialize 2025-11-25
      ▶ 1  +12.3 s  ← initialize: 2025-11-25, capabilities: none
                      …ersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s…
                                            ^^^^^^^^^^^^^^^^^

        A right exchange has: The capabilities have the member "tools".

        server  Declare them.
        proxy   Hand them on.
        client  Tell the author.
        next    entente doctor https://shelf.example.com/a/rather/long/path/to/an/endpoint/mcp

      Other causes
         40 %  It may be something else (other-thing)

      Remarks
        stdout-noise ×2: a banner"
    `)
  })

  it("is shown in a narrow terminal too", () => {
    expect(diagnosisText(report, 40, plain).join("\n")).toMatchInlineSnapshot(`
      "✗ failed  shelf · legacy, 2025-11-25
        No tool reaches the model.
        raw 18 → accepted 17 → exposed 0

        ✓ spawn      The address answers.
        ! bytes      1 message, and 1 piece
                     that could not be read.
        ✗ negotiate  The server has tools, but
                     does not declare them.
        · list       Nobody asked for tools.

      The server has tools, but does not
      declare them
        tools-capability-missing · family 1,
        capabilities · almost certain, 97 %

        0  → initialize 2025-11-25
      ▶ 1  ← initialize: 2025-11-25, capabili…
             …25-11-25","capabilities":{},"se…
                        ^^^^^^^^^^^^^^^^^

        A right exchange has: The capabilities
        have the member "tools".

        server  Declare them.
        proxy   Hand them on.
        client  Tell the author.
        next    entente doctor https://shelf.example.com/a/rather/long/path/to/an/endpoint/mcp

      Other causes
         40 %  It may be something else
               (other-thing)

      Remarks
        stdout-noise ×2: a banner"
    `)
  })

  it.each([20, 24, 40, 60, 80, 120])(
    "fits into %d columns, but for what is to be copied",
    (width) => {
      const escapes = /\[\d+m/g
      const shown = [plain, colored]
        .flatMap((style) => diagnosisText(report, width, style))
        .map((line) => line.replaceAll("\u001b", "").replaceAll(escapes, ""))
        .filter((line) => !line.includes("next") && !line.includes("entente doctor"))
      expect(Math.max(...shown.map(widthOf))).toBeLessThanOrEqual(Math.max(width, 26))
    },
  )

  it("of a healthy server names possible causes as worth knowing, and blames nobody", () => {
    const text = diagnosisText(healthy, 80, plain).join("\n")
    expect(text).toContain(
      "✓ healthy  fine · legacy, 2025-11-25\n  Its only tool reaches the model.",
    )
    expect(text).toContain("Worth knowing\n   20 %  The server has tools")
    expect(text).not.toContain("▶")
  })

  it("says so where no cause is known", () => {
    const unknown = { ...report, diagnosis: { ...report.diagnosis, hypotheses: [] } }
    expect(diagnosisText(unknown, 80, plain).join("\n")).toContain("No cause that the doctor knows")
  })

  it("shows text of a server without obeying it, in every place", () => {
    const evil = "\u001b[2J\u001b]0;owned\u0007\u202e\u200b\ud800"
    const text = (value: unknown): unknown =>
      JSON.parse(
        JSON.stringify(value).replaceAll(
          /"(shelf|Declare them\.|The server has tools, but does not declare them|stdout-noise|a banner|other-thing|Tell the author\.)"/g,
          () => JSON.stringify(evil),
        ),
      ) as unknown
    const hostile = text(report) as Report // the same shape with other texts
    for (const lines of [
      diagnosisText(hostile, 80, plain),
      diagnosesText([hostile, healthy], 80, plain),
    ]) {
      expect(lines.join("")).toContain("\\x1b[2J")
      expect(lines.join("")).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u)
    }
  })

  it("stands below a table where there are several, unless it is healthy", () => {
    expect(diagnosesText([healthy, report], 80, plain).slice(0, 6)).toMatchInlineSnapshot(`
      [
        "2 servers, 1 of them not healthy",
        "  VERDICT    SERVER  TOOLS        FIRST CAUSE",
        "  ✓ healthy  fine    1 → 1 → 1",
        "  ✗ failed   shelf   18 → 17 → 0  The server has tools, but does not declare th…",
        "",
        "",
      ]
    `)
    expect(diagnosesText([healthy], 80, plain)).toHaveLength(3)
    const [, , row] = diagnosesText([healthy], 80, colored)
    expect(row).toContain("\u001b[32m✓ healthy\u001b[39m  fine")
  })
})

describe("wrap", () => {
  it.each([
    ["a bb ccc", 4, ["a bb", "ccc"]],
    ["abcdefgh ij", 4, ["abcd", "efgh", "ij"]],
    ["x abcdefgh", 4, ["x", "abcd", "efgh"]],
    ["漢字漢字", 4, ["漢字", "漢字"]],
    ["as it is", Infinity, ["as it is"]],
    ["", 4, [""]],
  ])("breaks %j at %d", (text, width, lines) => {
    expect(wrap(text, width)).toEqual(lines)
  })
})
