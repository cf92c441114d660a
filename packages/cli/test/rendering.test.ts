import type { CatalogChange } from "@entente/catalog"
import type { Snapshot } from "@entente/client"
import { describe, expect, it } from "vitest"
import type { Output } from "../src/io.js"
import { listing, type ShownList } from "../src/render/listing.js"
import { snapshotText } from "../src/render/snapshot.js"
import { styleOf } from "../src/render/style.js"
import { table, widthFor } from "../src/render/table.js"
import { toolResult } from "../src/render/tool-result.js"
import { oneLine, severalLines } from "../src/render/visible-text.js"
import { cut, pad, widthOf } from "../src/render/width.js"
import { changeLines } from "../src/render/catalog-change.js"

const plain = styleOf({ write: () => true }, { env: {} }, true)

const complete = (items: ReadonlyArray<unknown>): ShownList => ({
  status: "complete",
  pages: 1,
  items,
  quarantined: [],
})

describe("visible text", () => {
  it.each([
    ["an escape sequence", "a\u001b[2Jb", "a\\x1b[2Jb"],
    ["an operating system command", "\u001b]0;title\u0007", "\\x1b]0;title\\x07"],
    ["the eight-bit form of it", "\u009b2J", "\\x9b2J"],
    ["line ends and tabs", "a\r\nb\tc", "a\\r\\nb\\tc"],
    ["backspace and delete", "a\b\u007f", "a\\x08\\x7f"],
    ["text that runs backwards", "a\u202eb\u2066c", "a\\u{202e}b\\u{2066}c"],
    ["zero-width characters", "a\u200bb\ufeffc", "a\\u{200b}b\\u{feff}c"],
    ["tag characters, which hide text", "a\u{e0041}", "a\\u{e0041}"],
    ["line and paragraph separators", "a\u2028b\u2029", "a\\u{2028}b\\u{2029}"],
    ["half a surrogate pair", "a\ud800b", "a\\u{d800}b"],
  ])("writes out %s", (_, text, expected) => {
    expect(oneLine(text)).toBe(expected)
  })

  it("leaves ordinary text of every script alone", () => {
    const text = "naïve Grüße 日本語 🦊 العربية e\u0301"
    expect(oneLine(text)).toBe(text)
  })

  it("keeps line ends and tabs in text of several lines, and nothing else", () => {
    expect(severalLines("a\r\nb\tc\rd\u001b[0m")).toBe("a\nb\tc\\rd\\x1b[0m")
  })
})

describe("width", () => {
  it.each([
    ["abc", 3],
    ["日本", 4],
    ["e\u0301", 1],
    ["🦊", 2],
    ["…", 1],
  ])("of %s is %i", (text, width) => {
    expect(widthOf(text)).toBe(width)
  })

  it.each([
    ["short", 10, "short"],
    ["exactly ten", 11, "exactly ten"],
    ["much too long", 6, "much …"],
    ["日本語日本語", 6, "日本…"],
    ["🦊🦊🦊", 4, "🦊…"],
    ["abc", 1, "…"],
    ["abc", 0, ""],
  ])("cuts %s to %i", (text, columns, expected) => {
    expect(cut(text, columns)).toBe(expected)
    expect(widthOf(cut(text, columns))).toBeLessThanOrEqual(columns)
  })

  it("fills up by columns, not by characters", () => {
    expect(pad("日本", 6)).toBe("日本  ")
  })
})

describe("style", () => {
  const tty: Output = { write: () => true, isTTY: true }
  const pipe: Output = { write: () => true }
  it.each([
    ["a terminal", tty, {}, true, "\u001b[1mx\u001b[22m"],
    ["no terminal", pipe, {}, true, "x"],
    ["NO_COLOR", tty, { NO_COLOR: "1" }, true, "x"],
    ["an empty NO_COLOR", tty, { NO_COLOR: "" }, true, "\u001b[1mx\u001b[22m"],
    ["a dumb terminal", tty, { TERM: "dumb" }, true, "x"],
    ["--no-color", tty, {}, false, "x"],
  ])("with %s", (_, output, env, wanted, expected) => {
    expect(styleOf(output, { env }, wanted).bold("x")).toBe(expected)
  })
})

describe("table", () => {
  const rows = [
    ["echo", "Says what it is told."],
    ["a_tool_whose_name_goes_on_and_on_and_on", "Does\u001b[31m something\nelse."],
  ]

  it("cuts to the width of a terminal, and escapes every cell", () => {
    const lines = table(["NAME", "DESCRIPTION"], rows, 40, plain)
    expect(lines).toMatchInlineSnapshot(`
      [
        "NAME                  DESCRIPTION",
        "echo                  Says what it is t…",
        "a_tool_whose_name_g…  Does\\x1b[31m some…",
      ]
    `)
    expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(40)
  })

  it("cuts nothing where there is no terminal", () => {
    const width = widthFor({ write: () => true, columns: 20 })
    expect(table(["NAME", "DESCRIPTION"], rows, width, plain)).toMatchInlineSnapshot(`
      [
        "NAME                                     DESCRIPTION",
        "echo                                     Says what it is told.",
        "a_tool_whose_name_goes_on_and_on_and_on  Does\\x1b[31m something\\nelse.",
      ]
    `)
  })
})

describe("listing", () => {
  it("shows what each kind of item is known by", () => {
    const lines = [
      ...listing("tools", complete([{ name: "echo", title: "Echo" }]), 80, plain),
      ...listing(
        "prompts",
        complete([
          {
            name: "ask",
            arguments: [{ name: "mood", required: true }, { name: "length" }],
            description: "Asks.",
          },
        ]),
        80,
        plain,
      ),
      ...listing(
        "resources",
        complete([{ uri: "library://a", mimeType: "text/plain", name: "a" }]),
        80,
        plain,
      ),
      ...listing("templates", complete([{ uriTemplate: "library://{id}" }]), 80, plain),
    ]
    expect(lines).toMatchInlineSnapshot(`
      [
        "tools · 1 item on 1 page",
        "  NAME  DESCRIPTION",
        "  echo  Echo",
        "prompts · 1 item on 1 page",
        "  NAME  ARGUMENTS      DESCRIPTION",
        "  ask   mood [length]  Asks.",
        "resources · 1 item on 1 page",
        "  URI          TYPE",
        "  library://a  text/plain",
        "templates · 1 item on 1 page",
        "  URI TEMPLATE",
        "  library://{id}",
      ]
    `)
  })

  it("says why a list is not whole, and what was set aside", () => {
    const quarantined = [
      { page: 0, index: 2, name: "bad\u001b]8;;x", pointer: "/inputSchema", reason: "Missing key" },
      { page: 1, index: 0, name: undefined, pointer: "", reason: "Expected object" },
    ]
    const reason = { code: "page-failed", message: "page 2 failed:\u0007 timeout" }
    const lines = [
      ...listing(
        "tools",
        { status: "partial", pages: 1, items: [{ name: "a" }], quarantined, reason },
        80,
        plain,
      ),
      ...listing(
        "prompts",
        { status: "unavailable", pages: 0, items: [], quarantined: [], reason },
        80,
        plain,
      ),
      ...listing(
        "resources",
        { status: "unsupported", pages: 0, items: [], quarantined: [], reason },
        80,
        plain,
      ),
    ]
    expect(lines).toMatchInlineSnapshot(`
      [
        "tools · partial · 1 item on 1 page",
        "  page 2 failed:\\x07 timeout",
        "  NAME",
        "  a",
        "  set aside: "bad\\x1b]8;;x" (page 1, item 3): Missing key at /inputSchema",
        "  set aside: (page 2, item 1): Expected object at /",
        "prompts · unavailable",
        "  page 2 failed:\\x07 timeout",
        "resources · not offered by this server",
      ]
    `)
  })
})

const snapshot: Snapshot = {
  target: "demo\u001b[1m",
  transport: "stdio",
  era: "legacy",
  protocolVersion: "2025-11-25",
  server: { name: "evil\u001b[2J", version: "1\n2" },
  capabilities: { tools: { listChanged: true }, prompts: {}, "x\u0007": { on: false } },
  lists: {
    tools: complete([{ name: "\u202egnirts", description: "\u001b]0;owned\u0007" }]),
    prompts: complete([]),
    resources: { ...complete([]), status: "unsupported", pages: 0 },
    templates: { ...complete([]), status: "unsupported", pages: 0 },
  },
  notes: [{ code: "stdout-noise", count: 2, detail: "\u001b[31mbanner" }],
  timings: { openMs: 1.4, negotiateMs: 20, listMs: 3.6 },
  requests: 4,
}

describe("snapshot", () => {
  it("shows a hostile server without obeying it", () => {
    const lines = snapshotText(snapshot, Number.POSITIVE_INFINITY, plain)
    expect(lines).toMatchInlineSnapshot(`
      [
        "evil\\x1b[2J 1\\n2",
        "  target     demo\\x1b[1m",
        "  transport  stdio",
        "  era        legacy, protocol 2025-11-25",
        "  offers     tools (listChanged), prompts, x\\x07",
        "  took       open 1 ms, negotiate 20 ms, lists 4 ms; 4 requests",
        "",
        "tools · 1 item on 1 page",
        "  NAME            DESCRIPTION",
        "  \\u{202e}gnirts  \\x1b]0;owned\\x07",
        "",
        "prompts · 0 items on 1 page",
        "",
        "resources · not offered by this server",
        "",
        "templates · not offered by this server",
        "",
        "tolerated or noticed",
        "  stdout-noise ×2: \\x1b[31mbanner",
      ]
    `)
    expect(lines.join("")).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  })
})

describe("tool result", () => {
  it("prints text as text, describes the rest, and adds structured content as JSON", () => {
    const lines = toolResult({
      content: [
        { type: "text", text: "two\nlines\u001b[2J" },
        { type: "image", mimeType: "image/png", data: "AAECAw==" },
        { type: "audio", mimeType: "audio/wav", data: "AAEC" },
        { type: "resource_link", uri: "library://a", name: "a\u0007" },
        { type: "resource", resource: { uri: "library://b", text: "inside" } },
        { type: "resource", resource: { uri: "library://c", mimeType: "x/y", blob: "AAE=" } },
        { type: "hologram" },
        null,
      ],
      structuredContent: { sum: 5 },
    })
    expect(lines).toMatchInlineSnapshot(`
      [
        "two
      lines\\x1b[2J",
        "[image image/png, 4 bytes]",
        "[audio audio/wav, 3 bytes]",
        "[link to library://a: a\\x07]",
        "inside",
        "[resource library://c, x/y, 2 bytes]",
        "[hologram content]",
        "[not a content block]",
        "{
        "sum": 5
      }",
      ]
    `)
  })

  it("V26-TOOL-07 prints structured content that is null", () => {
    expect(toolResult({ content: [], structuredContent: null })).toEqual(["null"])
    expect(toolResult({ content: [] })).toEqual([])
  })
})

describe("what becomes of a catalog", () => {
  const style = styleOf({ write: () => {} }, { env: {} }, false)
  const lines = (change: object) =>
    changeLines(
      { kind: "tools", added: [], removed: [], changed: [], ...change } as unknown as CatalogChange, // as much as is shown
      Date.UTC(2026, 0, 1, 12, 0, 1),
      style,
    )
  const tools = (amount: number) =>
    Array.from({ length: amount }, (_, index) => ({ id: `s__t${index}` }))

  it("names a few tools one by one, and counts many", () => {
    expect(lines({ added: tools(2), removed: tools(1) })).toEqual([
      "12:00:01  + s__t0",
      "12:00:01  + s__t1",
      "12:00:01  - s__t0",
    ])
    expect(lines({ added: tools(5_000) })).toEqual([
      "12:00:01  + 5000 tools: s__t0, s__t1, s__t2 …",
    ])
  })

  it("names every tool that is another one, with nothing of a server that steers the terminal", () => {
    const changed = Array.from({ length: 9 }, (_, index) => ({
      id: `s__t${index}\u001b[2J`,
      members: ["description"],
    }))
    const shown = lines({ changed })
    expect(shown).toHaveLength(9)
    expect(shown[0]).toBe("12:00:01  ~ s__t0\\x1b[2J has another description")
  })
})
