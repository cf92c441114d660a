import { describe, expect, it } from "vitest"
import {
  assignNames,
  catalogId,
  nameFor,
  nameMap,
  nameRules,
  readName,
  type NamedTool,
  type NameRule,
  type ServerTool,
} from "@entente/catalog"

const rule = nameRules.openai

const tool = (server: string, name: string): ServerTool => ({
  server,
  tool: { name, inputSchema: { type: "object" } },
})

const named = (tools: ReadonlyArray<ServerTool>): ReadonlyArray<NamedTool> => {
  const { names } = assignNames(tools, rule)
  return tools.flatMap((each, index) => {
    const name = names[index]
    return name === undefined ? [] : [{ ...each, name }]
  })
}

describe("names of tools", () => {
  it("C080, V26-TOOL-05: the server's id is always in front, and nothing changes when another joins", () => {
    const one = tool("s1", "notify")
    const two = tool("s2", "notify")
    expect(catalogId("s1", "notify")).toBe("s1__notify")
    expect(assignNames([one], rule)).toEqual({ names: ["s1__notify"], report: [] })
    const both = assignNames([one, two], rule)
    expect(both.names).toEqual(["s1__notify", "s2__notify"])
    expect(both.report).toEqual([
      {
        kind: "collided",
        server: "s1",
        tool: "notify",
        pointer: "/name",
        detail:
          'There is a tool of this name on "s2" as well; the ids of the servers keep them apart.',
      },
      expect.objectContaining({ kind: "collided", server: "s2", tool: "notify" }),
    ])
    const map = nameMap(named([one, two]))
    expect(map.toolOf("s1__notify")).toMatchObject(one)
    expect(map.toolOf("s2__notify")).toMatchObject(two)
  })

  it("C080: many servers with the same tool are told of in one short line", () => {
    const tools = Array.from({ length: 100 }, (_, index) => tool(`s${index}`, "search"))
    const { names, report } = assignNames(tools, rule)
    expect(new Set(names).size).toBe(100)
    expect(report).toHaveLength(100)
    expect(report[0]?.detail).toContain('on "s1", "s2", "s3" and 96 more as well')
  })

  it.each([
    // Both halves would be read in another place.
    { server: "a_", name: "b", is: "a___b_0bjplamc2e" },
    { server: "my__srv", name: "x", is: "my__srv__x_010iee4o3o" },
    // A server's id ends at the first two underscores, so a tool may begin with more of them.
    { server: "a", name: "_b__c", is: "a___b__c" },
    { server: "wiki", name: "Größe ändern", is: "wiki__Gro_e_andern_3f7jvsmfp8" },
    { server: "s1", name: "工具", is: "s1__tool_3tbrfkvcoi" },
    { server: "git.hub", name: "list", is: "git_hub__list_467nq759jc" },
    // Ten digits could be a hash, ten letters could not.
    { server: "s1", name: "backup_2024010112", is: "s1__backup_2024010112_72eu25enub" },
    { server: "s", name: "create_collection", is: "s__create_collection" },
    { server: "__proto__", name: "constructor", is: nameFor("__proto__", "constructor", rule) },
  ])("C080: $server and $name are $is", ({ server, name, is }) => {
    expect(nameFor(server, name, rule)).toBe(is)
    expect(nameMap(named([tool(server, name)])).toolOf(is)?.tool.name).toBe(name)
  })

  it("V25-TOOL-09: what no provider allows is usable, and what was done is said", () => {
    const spaced = tool("s1", "send a mail")
    const long = tool("s1", "x".repeat(129))
    const { names, report } = assignNames([spaced, long], rule)
    expect(names[0]).toMatch(/^s1__send_a_mail_[0-7][0-9a-v]{9}$/)
    expect(names[1]).toMatch(/^s1__x{49}_[0-7][0-9a-v]{9}$/)
    expect(report.map(({ kind, detail }) => [kind, detail])).toEqual([
      [
        "renamed",
        `It is called ${names[0]} instead of "s1__send a mail": it has characters that are not allowed there.`,
      ],
      ["renamed", expect.stringMatching(/: it is longer than 64 characters\.$/)],
    ])
    expect(report[1]?.detail.length).toBeLessThan(250)
  })

  it("keeps the tool's part before the server's where both do not fit", () => {
    const name = nameFor("company-wide-".repeat(6), "delete_everything_at_once", rule)
    expect(name).toMatch(/^company-wide-company-wide-__delete_everything_at_once_[0-7][0-9a-v]{9}$/)
    expect(name).toHaveLength(64)
    expect(nameFor("s".repeat(60), "t".repeat(60), rule)).toMatch(/^s{13}__t{38}_[0-7][0-9a-v]{9}$/)
  })

  it("names that only look alike are two tools: é as one character, and as two", () => {
    const { names } = assignNames([tool("s", "caf\u00e9"), tool("s", "cafe\u0301")], rule)
    expect(names).toEqual([
      expect.stringMatching(/^s__cafe_[0-7][0-9a-v]{9}$/),
      expect.stringMatching(/^s__cafe_[0-7][0-9a-v]{9}$/),
    ])
    expect(names[0]).not.toBe(names[1])
    const { names: broken } = assignNames([tool("s", "\ud800"), tool("s", "\ud801")], rule)
    expect(broken[0]).not.toBe(broken[1])
  })

  it("the first of two tools with one name on one server counts", () => {
    const first = tool("s1", "add")
    const again = { server: "s1", tool: { ...first.tool, description: "another" } }
    for (const tools of [
      [first, again],
      [first, first],
    ]) {
      const { names, report } = assignNames(tools, rule)
      expect(names).toEqual(["s1__add", undefined])
      expect(report).toEqual([
        {
          kind: "rejected",
          server: "s1",
          tool: "add",
          pointer: "/name",
          detail: "Its server has another tool of this name; the first counts.",
        },
      ])
    }
  })

  it("two tools whose hashes are the same get two names, whichever comes first", () => {
    // Found by trying 26 million names.
    const one = tool("s1", "雨塑噤一")
    const two = tool("s1", "雨埿墰一")
    expect(nameFor("s1", one.tool.name, rule)).toBe(nameFor("s1", two.tool.name, rule))
    const { names, report } = assignNames([one, two], rule)
    expect(new Set(names).size).toBe(2)
    expect(report.filter(({ kind }) => kind === "collided")).toEqual([
      expect.objectContaining({ tool: one.tool.name, pointer: "/name" }),
    ])
    expect(assignNames([two, one], rule).names).toEqual(names.toReversed())
    const map = nameMap(named([two, one]))
    for (const each of [one, two]) {
      expect(map.toolOf(map.nameOf("s1", each.tool.name) ?? "")).toMatchObject(each)
    }
  })

  it("reads back what has no hash", () => {
    expect(readName("s1__notify")).toEqual({ server: "s1", tool: "notify" })
    expect(readName("notify")).toBeUndefined()
    expect(readName("s1__tool_3tbrfkvcoi")).toBeUndefined()
  })

  it.each<NameRule & { why: RegExp }>([
    { first: "a-z", rest: "a-z0-9_", maxLength: 15, why: /from 16, not 15/ },
    { first: "a-z", rest: "a-z0-9_", maxLength: Number.NaN, why: /not NaN/ },
    { first: "0-9", rest: "a-z0-9_", maxLength: 64, why: /to begin with "a"/ },
    { first: "a-z", rest: "a-z0-9", maxLength: 64, why: /underscores/ },
  ])("a rule without room for a hash is refused: $why", ({ why, ...narrow }) => {
    expect(() => nameFor("s1", "add", narrow)).toThrow(why)
    expect(() => nameFor("s1", "add", narrow)).toThrow(RangeError)
  })

  it("answers for names that are none of these", () => {
    const map = nameMap(named([tool("s1", "add")]))
    for (const name of ["", "add", "__proto__", "constructor"]) {
      expect(map.toolOf(name)).toBeUndefined()
      expect(map.nameOf(name, name)).toBeUndefined()
      expect(map.nameOf("s1", name === "add" ? "" : name)).toBeUndefined()
    }
  })
})
