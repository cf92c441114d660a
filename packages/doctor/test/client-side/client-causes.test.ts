import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  clientCauseCodes,
  clientCauses,
  type ClientTrouble,
  type ClientView,
} from "../../src/index.js"
import { fits } from "../../src/client-side/tool-filter.js"

const view = (rest: Partial<ClientView> = {}): ClientView => ({
  kind: "gemini",
  title: "Gemini CLI",
  server: "files",
  troubles: [],
  ...rest,
})

const tools = ["read_file", "write_file", "list"]

const first = (one: ClientView, offered?: ReadonlyArray<string>) => clientCauses(one, offered)[0]

const trouble = (code: string, rest: Partial<ClientTrouble> = {}): ClientTrouble => ({
  code,
  severity: "error",
  message: "Something is wrong.",
  where: ".gemini/settings.json, line 3",
  ...rest,
})

describe("the first cause in a client", () => {
  it("is none where nothing is configured, and none for a server that offers nothing", () => {
    expect(clientCauses(view(), tools)).toEqual([])
    expect(clientCauses(view({ allow: { names: [], where: "x" } }), [])).toEqual([])
  })

  it("is the list of allowed tools that leaves nothing, with or without the server's answer", () => {
    const allow = { names: [], where: "includeTools in .gemini/settings.json (line 4)" }
    expect(first(view({ allow }))).toMatchObject({ code: "allow-list-leaves-nothing", family: 5 })
    expect(first(view({ allow }), tools)?.title).toBe(
      'Gemini CLI hands on no tool of "files": includeTools in .gemini/settings.json (line 4) names none of the 3 tools that it offers.',
    )
  })

  it("is the list that hides some, and the spelling comes second", () => {
    const allow = { names: ["read-file", "list"], where: "includeTools in settings.json" }
    const causes = clientCauses(view({ allow }), tools)
    expect(causes.map(({ code }) => code)).toEqual([
      "allow-list-hides-tools",
      "filter-names-nothing",
    ])
    expect(causes[0]?.title).toBe(
      'Gemini CLI keeps back 2 of 3 tools of "files", because includeTools in settings.json does not name them: "read_file", "write_file".',
    )
    expect(causes[1]?.fix.client).toBe('Write "read_file" for "read-file".')
    expect(causes[0]?.next).toBe("entente tools files --from gemini")
  })

  it("is the list of denied tools, each place for itself", () => {
    const causes = clientCauses(
      view({
        deny: { names: ["list"], where: "excludeTools in one.json" },
        further: [
          {
            kind: "deny",
            names: [],
            patterns: ["mcp_files_w*"],
            prefix: "mcp_files_",
            where: "tools.exclude in two.json",
          },
        ],
      }),
      tools,
    )
    expect(causes.map(({ code }) => code)).toEqual([
      "deny-list-hides-tools",
      "deny-list-hides-tools",
    ])
    expect(causes.map(({ fix }) => fix.client)).toEqual([
      "Take the names, or the pattern, out of tools.exclude in two.json.",
      "Take the names, or the pattern, out of excludeTools in one.json.",
    ])
  })

  it("is the switch, the approval, the missing entry or the entry that is not read", () => {
    expect(
      first(view({ disabledBy: "mcp.excluded in ~/.gemini/settings.json" }), tools),
    ).toMatchObject({
      code: "server-switched-off",
      title:
        'Gemini CLI does not use the server "files": it is switched off by mcp.excluded in ~/.gemini/settings.json.',
    })
    const codeOf = (code: string, rest?: Partial<ClientTrouble>) =>
      first(view({ troubles: [trouble(code, rest)] }), tools)?.code
    expect(codeOf("not-approved", { keepsAway: true })).toBe("server-not-approved")
    expect(codeOf("not-configured", { keepsAway: true })).toBe("server-not-configured")
    expect(codeOf("type-missing", { keepsAway: true })).toBe("server-not-read")
    expect(codeOf("syntax-error", { keepsAway: true })).toBe("server-not-read")
    expect(codeOf("member-of-another-client", { keepsAway: true })).toBe("wrong-address-key")
    expect(codeOf("url-means-sse")).toBe("wrong-address-key")
    expect(codeOf("left-literal")).toBe("variable-not-expanded")
    expect(codeOf("variable-unset")).toBe("variable-not-expanded")
    expect(codeOf("kept-elsewhere", { severity: "note" })).toBeUndefined()
  })

  it("tells what keeps the server away before what may do so, and how much more there is", () => {
    const [cause] = clientCauses(
      view({
        troubles: [
          trouble("left-literal", { message: "One." }),
          trouble("variable-unset", { message: "Two.", keepsAway: true }),
        ],
      }),
    )
    expect(cause).toMatchObject({
      confidence: 0.9,
      title:
        'Gemini CLI, server "files": Two. (.gemini/settings.json, line 3) There is 1 more of this kind.',
      next: "entente config check --from gemini",
    })
  })

  it("is the cap, with less confidence where its maker does not name it", () => {
    const many = Array.from({ length: 45 }, (_, index) => `tool_${index}`)
    const cap = { limit: 40, where: "a warning that users saw" }
    expect(first(view({ cap }), many)).toMatchObject({ code: "tool-cap-exceeded", confidence: 0.9 })
    expect(first(view({ cap: { ...cap, doubtful: true } }), many)).toMatchObject({
      code: "tool-cap-exceeded",
      confidence: 0.4,
    })
    expect(clientCauses(view({ cap }), many.slice(5))).toEqual([])
    expect(first(view({ cap: { ...cap, others: 1 } }), many.slice(5))?.title).toContain(
      'there are 40 tools of "files" and 1 of others',
    )
  })

  it("shows no secret and no escape of a name, and quotes what a shell would take apart", () => {
    const causes = clientCauses(
      view({
        server: "it's \u001b[2J",
        allow: { names: ["sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789"], where: "x" },
      }),
      ["\u001b]0;a\u0007b"],
    )
    const text = JSON.stringify(causes)
    expect(text).not.toMatch(/\\u001b|abcdefghij/)
    expect(causes[0]?.next).toBe("entente tools 'it'\\''s [2J' --from gemini")
  })
})

describe("any configuration", () => {
  it("has causes with known codes, sure ones first, that survive JSON", () => {
    const text = fc.string({ unit: "binary", maxLength: 10 })
    const filter = fc.record({ names: fc.array(text), where: text })
    fc.assert(
      fc.property(
        fc.record({
          kind: text,
          title: text,
          server: text,
          allow: filter,
          deny: filter,
          troubles: fc.array(
            fc.record({
              code: fc.constantFrom("left-literal", "not-approved", "url-means-sse", "other"),
              severity: fc.constantFrom("error", "warning"),
              message: text,
            }),
          ),
        }),
        fc.array(text),
        (one, offered) => {
          const causes = clientCauses(one, offered)
          for (const { code } of causes) expect(clientCauseCodes).toContain(code)
          const sure = causes.map(({ confidence }) => confidence)
          expect(sure).toEqual(sure.toSorted((a, b) => b - a))
          expect(JSON.parse(JSON.stringify(causes))).toEqual(causes)
        },
      ),
    )
  })
})

describe("a pattern", () => {
  it("is matched as a regular expression of the same meaning would be", () => {
    const letter = fc.constantFrom("a", "b", "_")
    fc.assert(
      fc.property(
        fc.string({ unit: letter, maxLength: 10 }),
        fc.string({ unit: fc.constantFrom("a", "b", "_", "*", "?"), maxLength: 6 }),
        (text, pattern) => {
          const expected = new RegExp(
            `^${pattern.replaceAll("*", ".*").replaceAll("?", ".")}$`,
          ).test(text)
          expect(fits(text, pattern)).toBe(expected)
        },
      ),
      { numRuns: 5_000 },
    )
  })

  it("is matched soon, however many stars it has", () => {
    expect(fits("a".repeat(5_000), `${"a*".repeat(1_000)}b`)).toBe(false)
  })
})
