import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { exposure, type ClientView, type ToolFilter } from "../src/index.js"

const view = (rest: Partial<ClientView> = {}): ClientView => ({
  kind: "codex",
  title: "Codex",
  server: "files",
  troubles: [],
  ...rest,
})

const list = (...names: ReadonlyArray<string>): ToolFilter => ({ names, where: "a list" })

const tools = ["read_file", "write_file", "list"]

describe("what reaches the model", () => {
  it("is everything where nothing is configured", () => {
    expect(exposure(view(), tools)).toEqual({
      exposed: tools,
      hidden: [],
      unknownNames: [],
      nearMisses: [],
    })
  })

  it("is what a list allows and no list denies: denying wins", () => {
    const { exposed, hidden } = exposure(
      view({
        allow: { names: ["read_file", "list"], where: "includeTools in settings.json" },
        deny: { names: ["list"], where: "excludeTools in settings.json" },
      }),
      tools,
    )
    expect(exposed).toEqual(["read_file"])
    expect(hidden).toEqual([
      { tool: "write_file", why: "not-allowed", where: "includeTools in settings.json" },
      { tool: "list", why: "denied", where: "excludeTools in settings.json" },
    ])
  })

  it("is nothing where a list allows nothing", () => {
    expect(exposure(view({ allow: list() }), tools).exposed).toEqual([])
  })

  it("is nothing of a server that is off, not read or not approved, whatever lists say", () => {
    const off = exposure(view({ disabledBy: "enabled in config.toml", allow: list() }), tools)
    expect(off.exposed).toEqual([])
    expect(off.hidden).toEqual(
      tools.map((tool) => ({ tool, why: "disabled", where: "enabled in config.toml" })),
    )
    const trouble = { code: "wrong-type", severity: "error", message: "args is no list." } as const
    expect(exposure(view({ troubles: [{ ...trouble, keepsAway: true }] }), ["a"]).hidden).toEqual([
      { tool: "a", why: "disabled", where: "args is no list." },
    ])
    expect(exposure(view({ troubles: [trouble] }), ["a"]).exposed).toEqual(["a"])
  })

  it("is cut at a documented cap, with room for the tools of others, and not at a doubtful one", () => {
    const cap = { limit: 3, others: 1, where: "the documentation" }
    expect(exposure(view({ cap }), tools).hidden).toEqual([
      { tool: "list", why: "over-cap", where: "the documentation" },
    ])
    expect(exposure(view({ cap: { ...cap, doubtful: true } }), tools).hidden).toEqual([])
    expect(exposure(view({ cap: { ...cap, others: 99 } }), tools).exposed).toEqual([])
  })

  it("follows patterns for the name that the client gives a tool, and what wins over them", () => {
    const deny = (patterns: ReadonlyArray<string>, except: ReadonlyArray<string> = []) =>
      exposure(
        view({
          further: [
            { kind: "deny", names: [], patterns, prefix: "mcp__files__", except, where: "deny" },
          ],
        }),
        [...tools, "a.b"],
      ).exposed
    expect(deny(["mcp__files__*"])).toEqual([])
    expect(deny(["mcp__*"])).toEqual([])
    expect(deny(["mcp__files__*_file"])).toEqual(["list", "a.b"])
    expect(deny(["mcp__files__a_b*"])).toEqual(tools)
    expect(deny(["mcp__other__*"])).toEqual([...tools, "a.b"])
    expect(deny(["mcp__files__*"], ["list", "mcp__files__read*"])).toEqual(["read_file", "list"])
    expect(deny(["mcp__files__lis?"])).toEqual(["read_file", "write_file", "a.b"])
  })

  it("names what lists have and the server has not, and what was meant", () => {
    const { unknownNames, nearMisses } = exposure(
      view({ allow: list("read-file", "mcp__files__list", "wirte_file", "rebase", "list") }),
      tools,
    )
    expect(unknownNames).toEqual(["read-file", "mcp__files__list", "wirte_file", "rebase"])
    expect(nearMisses).toEqual([
      { name: "read-file", meant: "read_file" },
      { name: "mcp__files__list", meant: "list" },
      { name: "wirte_file", meant: "write_file" },
    ])
  })

  it("takes a name with a dot for known where the client writes it with a line", () => {
    const further = [
      { kind: "deny", names: ["a_b"], prefix: "mcp__files__", where: "deny" },
    ] as const
    expect(exposure(view({ further }), ["a.b"])).toMatchObject({ exposed: [], unknownNames: [] })
  })
})

const name = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.constantFrom("a", "b", "a_b", "a-b", "*", "?", "__proto__", "constructor", "mcp__s__*"),
)
const names = fc.array(name, { maxLength: 8 })
const filter = fc.record({ names, where: fc.string() })
const anyView = fc.record(
  {
    kind: fc.string(),
    title: fc.string(),
    server: name,
    disabledBy: fc.string(),
    allow: filter,
    deny: filter,
    further: fc.array(
      fc.record({
        kind: fc.constantFrom("allow", "deny"),
        names,
        patterns: names,
        prefix: name,
        except: names,
        where: fc.string(),
      }),
      { maxLength: 3 },
    ),
    cap: fc.record({
      limit: fc.integer({ min: -2, max: 6 }),
      others: fc.nat(4),
      where: fc.string(),
    }),
    troubles: fc.array(
      fc.record({
        code: fc.string(),
        severity: fc.constantFrom("error", "warning", "note"),
        message: fc.string(),
      }),
      { maxLength: 3 },
    ),
  },
  { requiredKeys: ["kind", "title", "server", "troubles"] },
)

describe("any configuration and any tools", () => {
  it("show or hide every tool exactly once, and nothing else", () => {
    fc.assert(
      fc.property(anyView, names, (one, offered) => {
        const { exposed, hidden } = exposure(one, offered)
        const all = [...exposed, ...hidden.map(({ tool }) => tool)]
        expect(all.toSorted()).toEqual([...new Set(offered)].toSorted())
        const isOff = one.disabledBy !== undefined
        expect(hidden.some(({ why }) => why === "disabled")).toBe(isOff && offered.length > 0)
      }),
      { numRuns: 2_000 },
    )
  })

  it("never call a name unknown that the server has", () => {
    fc.assert(
      fc.property(anyView, names, (one, offered) => {
        const { unknownNames, nearMisses } = exposure(one, offered)
        for (const unknown of unknownNames) expect(offered).not.toContain(unknown)
        for (const { meant } of nearMisses) expect(offered).toContain(meant)
      }),
    )
  })
})
