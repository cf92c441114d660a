import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { clientKinds, readConfig, type ClientKind } from "../../src/config/index.js"
import { fixtures } from "./fixtures.js"

const read = (text: string, client: ClientKind = "cursor") => readConfig(text, { client })

describe("a file that is broken", () => {
  it.each<[ClientKind, string, number, number]>([
    ["cursor", '{\n  "mcpServers": {\n    "a": }\n}', 3, 10],
    ["codex", "[mcp_servers.a]\ncommand = \n", 2, 11],
    ["goose", "extensions:\n  a: [1\n  b: 2\n", 3, 3],
  ])("of %s: a fault with line and column, and no servers", (client, text, line, column) => {
    const { servers, faults } = read(text, client)
    expect(servers).toEqual([])
    expect(faults).toMatchObject([{ code: "syntax-error", severity: "error", line, column }])
  })

  it("never quotes the file", () => {
    for (const text of [
      'a = "hunter2-secret\n',
      'a: "hunter2-secret\n',
      '{"a": hunter2-secret}',
      "a: *hunter2-secret",
      "hunter2-secret: 1\nhunter2-secret = 2\n= hunter2-secret",
    ]) {
      for (const client of clientKinds) {
        expect(JSON.stringify(read(text, client).faults)).not.toContain("hunter2")
      }
    }
  })

  it("that is empty has no servers", () => {
    expect(read("", "goose").faults).toEqual([])
    expect(read("", "codex").faults).toMatchObject([{ code: "no-servers" }])
    expect(read("").faults).toMatchObject([{ code: "syntax-error" }])
    expect(read("[]").faults).toMatchObject([{ code: "not-an-object" }])
    expect(read("{}").faults).toMatchObject([{ code: "no-servers", severity: "warning" }])
  })

  it("with the root of another client says so", () => {
    expect(read('{"servers":{}}').faults).toMatchObject([
      {
        code: "other-root",
        message: "Cursor looks for mcpServers, and the file has servers.",
      },
    ])
    expect(read('{"mcpServers":{}}', "vscode").faults).toMatchObject([{ code: "other-root" }])
    expect(read('{"mcpServers":[]}').faults).toMatchObject([
      { code: "not-an-object", pointer: "/mcpServers" },
    ])
  })
})

describe("what some clients allow", () => {
  const comment = '{ "mcpServers": { /* one */ "a": { "command": "a" } } }'
  const comma = '{ "mcpServers": { "a": { "command": "a", } } }'

  it.each<[ClientKind, boolean, boolean]>([
    ["cursor", false, false],
    ["claude-desktop", false, false],
    ["gemini", true, false],
    ["mcporter", true, true],
  ])("%s: comments %s, trailing commas %s; they are read in any case", (client, first, second) => {
    for (const [text, allowed, code] of [
      [comment, first, "comment"],
      [comma, second, "trailing-comma"],
    ] as const) {
      const { servers, faults } = read(text, client)
      expect(servers).toHaveLength(1)
      expect(faults.map((fault) => fault.code)).toEqual(allowed ? [] : [code])
    }
  })

  it("a byte order mark, and line ends of Windows", () => {
    for (const client of clientKinds) {
      const expected = read(fixtures[client], client)
      const found = read(`\ufeff${fixtures[client].replaceAll("\n", "\r\n")}`, client)
      expect(found.servers.map(({ id, from }) => [id, from.line])).toEqual(
        expected.servers.map(({ id, from }) => [id, from.line]),
      )
      expect(found.faults).toEqual(expected.faults)
    }
  })

  it("a name that is written twice: the last one counts, with a warning", () => {
    const text = '{"mcpServers":{"a":{"command":"one"},\n"a":{"command":"two"}}}'
    const { servers, faults } = read(text)
    expect(servers).toMatchObject([{ command: [{ text: "two" }] }])
    expect(faults).toMatchObject([{ code: "duplicate-member", pointer: "/mcpServers/a", line: 2 }])
    const yaml = "extensions:\n  a: {type: stdio, cmd: one}\n  a: {type: stdio, cmd: two}\n"
    expect(read(yaml, "goose").faults).toMatchObject([{ code: "duplicate-member", line: 3 }])
  })
})

describe("a file that is there to do harm", () => {
  it.each<[string, ClientKind, string, string]>([
    ["brackets", "cursor", "[".repeat(1_000_000), "too-deep"],
    ["objects", "cursor", '{"a":'.repeat(200_000), "too-deep"],
    ["brackets", "goose", "[".repeat(1_000_000), "too-deep"],
    ["levels on one line", "goose", "- ".repeat(500_000), "too-deep"],
    ["explicit keys", "goose", "? ".repeat(500_000), "too-deep"],
    ["indentation", "goose", `a:\n${" ".repeat(100_000)}b: 1\n`, "too-deep"],
    ["brackets", "codex", `a = ${"[".repeat(1_000_000)}`, "too-deep"],
    ["dotted names", "codex", `${"a.".repeat(100_000)}a = 1`, "too-deep"],
    ["size", "cursor", " ".repeat(4 * 1024 * 1024 + 1), "too-large"],
    ["size in bytes", "cursor", `"${"é".repeat(2_200_000)}"`, "too-large"],
    ["many values", "cursor", `[${"1,".repeat(200_000)}1]`, "too-many-values"],
  ])("%s, for %s", (_, client, text, code) => {
    expect(read(text, client).faults).toMatchObject([{ code, severity: "error" }])
  })

  it("aliases that stand for billions of values are given up on", () => {
    const lines = Array.from(
      { length: 20 },
      (_, index) => `a${index + 1}: &a${index + 1} [${`*a${index}, `.repeat(9)}*a${index}]`,
    )
    expect(read(`a0: &a0 x\n${lines.join("\n")}\n`, "goose").faults).toMatchObject([
      { code: "too-many-values" },
    ])
    expect(read("a: &a [*a]\n", "goose").faults).toMatchObject([{ code: "too-deep" }])
  })

  it("an alias is read where it is used well", () => {
    const text = "x: &env {A: b}\nextensions:\n  a: {type: stdio, cmd: c, envs: *env}\n"
    expect(read(text, "goose").servers).toMatchObject([{ id: "a", env: { A: {} } }])
  })

  it("names of an object's prototype reach nothing", () => {
    const text =
      '{"mcpServers":{"constructor":{"command":"x","env":{"toString":"y"}},"a":{"command":"a"}}}'
    const { servers } = read(text)
    expect(servers.map(({ id }) => id)).toEqual(["constructor", "a"])
    expect(Object.getPrototypeOf(servers[1])).toBe(Object.prototype)
    const polluted = '{"__proto__":{"mcpServers":{"a":{"command":"a"}}}}'
    expect(read(polluted).servers).toEqual([])
    expect(read('[__proto__]\nmcp_servers = { a = { command = "a" } }', "codex").servers).toEqual(
      [],
    )
  })
})

describe("any text at all", () => {
  const client = fc.constantFrom(...clientKinds)

  it("is read without throwing", () => {
    fc.assert(
      fc.property(client, fc.string({ unit: "binary", maxLength: 300 }), (kind, text) => {
        const { servers, faults } = read(text, kind)
        expect(Array.isArray(servers) && Array.isArray(faults)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  it("that is a damaged file is read without throwing", () => {
    fc.assert(
      fc.property(client, fc.nat(), fc.nat({ max: 20 }), fc.string(), (kind, at, cut, put) => {
        const text = fixtures[kind]
        const place = at % text.length
        const { faults } = read(text.slice(0, place) + put + text.slice(place + cut), kind)
        expect(faults.every(({ client: whose }) => whose === kind)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  it("that is JSON of any shape under the right root is read without throwing", () => {
    const names = [
      "command",
      "args",
      "env",
      "url",
      "headers",
      "type",
      "httpUrl",
      "timeout",
      "enabled",
    ]
    const entry = fc.dictionary(fc.constantFrom(...names), fc.jsonValue(), { maxKeys: 6 })
    fc.assert(
      fc.property(client, fc.dictionary(fc.string(), entry), (kind, servers) => {
        const roots = ["mcpServers", "servers", "mcp", "mcp_servers", "extensions"]
        const text = JSON.stringify(Object.fromEntries(roots.map((root) => [root, servers])))
        const found = read(text, kind)
        for (const server of found.servers) {
          expect(
            server.kind === "local" ? server.command.length : server.url.length,
          ).toBeGreaterThan(0)
        }
      }),
      { numRuns: 500 },
    )
  })
})
